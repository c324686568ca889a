import { posix } from 'node:path'
import { guessRunner, namesProgram, parseManifest } from './guess-runner.ts'
import { TESTS } from './test-runner.ts'

/** Runners whose tests can be read without configuration. */
export const KNOWN_RUNNERS = 'vitest, jest, mocha, ava, tap, bun test, node --test, pytest'

/** JavaScript runners without a report of single tests. */
const UNREAD: Readonly<Record<string, string>> = {
  uvu: 'writes no report of each test',
  jasmine: 'writes a report only with a reporter that the repository has to bring',
  tape: 'reports assertions, whose names do not tell tests apart',
}

type Read = (path: string) => string | null

/** Explains why a repository's runner cannot be detected, as the end of a sentence; null = unknown. */
export function describeUnread(read: Read): string | null {
  const manifest = parseManifest(read('package.json') ?? '')
  const name = Object.keys(UNREAD).find((one) => namesProgram(manifest, one))
  return name === undefined ? null : `its tests run with ${name}, which ${UNREAD[name]}`
}

/** Lists the folders of packages below the root, in any language. */
export function listPackages(paths: readonly string[]): string[] {
  return paths
    .filter((path) => /^[^/]+\/.*(package\.json|pyproject\.toml)$/.test(path))
    .map((path) => posix.dirname(path))
    .filter((path) => !path.split('/').includes('node_modules'))
}

/** Returns options that run all tests of one package if the root has none of its own; null = none known. */
export function exampleFor(folder: string, read: Read): string | null {
  // Set up where the lock file is, which packages share.
  const runner = guessRunner((path) => read(posix.join(folder, path)) ?? lockOf(path, read))
  if (runner === null) return null
  const command = runner.command.replace(` ${TESTS}`, '')
  const setup = runner.setup.map((one) => ` --setup '${one}'`).join('')
  return `--verify 'cd ${folder} && ${command}' --report ${runner.format}${setup}`
}

const lockOf = (path: string, read: Read) => (/lock/.test(path) ? read(path) : null)
