import { posix } from 'node:path'
import { guessRunner, namesProgram, parseManifest, TESTS } from './guess-runner.ts'

/** Runners whose tests are read without being told how. */
export const KNOWN_RUNNERS = 'vitest, jest, mocha, ava, tap, bun test, node --test, pytest'

/** Runners of JavaScript that leave nothing to read each test from. */
const UNREAD: Readonly<Record<string, string>> = {
  uvu: 'writes no report of each test',
  jasmine: 'writes a report only with a reporter that the repository has to bring',
  tape: 'reports assertions, whose names do not tell tests apart',
}

type Read = (path: string) => string | null

/** What is known of a repository whose runner cannot be guessed, as the end of a sentence; null = nothing. */
export function describeUnread(read: Read): string | null {
  const manifest = parseManifest(read('package.json') ?? '')
  const name = Object.keys(UNREAD).find((one) => namesProgram(manifest, one))
  return name === undefined ? null : `its tests run with ${name}, which ${UNREAD[name]}`
}

/** The folders of packages below the top, whatever their language. */
export function listPackages(paths: readonly string[]): string[] {
  return paths
    .filter((path) => /^[^/]+\/.*(package\.json|pyproject\.toml)$/.test(path))
    .map((path) => posix.dirname(path))
    .filter((path) => !path.split('/').includes('node_modules'))
}

/** Options that run all tests of one package of a repository that has none of its own; null = none is known. */
export function exampleFor(folder: string, read: Read): string | null {
  // Set up where the lock file is, which packages share.
  const runner = guessRunner((path) => read(posix.join(folder, path)) ?? lockOf(path, read))
  if (runner === null) return null
  const command = runner.command.replace(` ${TESTS}`, '')
  const setup = runner.setup.map((one) => ` --setup '${one}'`).join('')
  return `--verify 'cd ${folder} && ${command}' --report ${runner.format}${setup}`
}

const lockOf = (path: string, read: Read) => (/lock/.test(path) ? read(path) : null)
