import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { librariesOf, nodeProgram } from '../process/node-program.ts'
import { INSIDE_NODE } from './isolation.ts'
import { holdsPrivate, isOfSystem } from './system-mounts.ts'

/** The node that runs us, as every sandbox shows it, wherever it is installed. */
export const INSIDE_NODE_PROGRAM = `${INSIDE_NODE}/bin/node`

/** A file or folder of this machine, and its path in a sandbox. */
export type ReadOnlyMount = { host: string; inside: string }

/** The mounts by which `INSIDE_NODE_PROGRAM` starts in a sandbox: the program and its libraries. */
export function nodeMounts(program = realpathSync(nodeProgram().path)): ReadOnlyMount[] {
  return [{ host: program, inside: INSIDE_NODE_PROGRAM }, ...libraryMounts(program)]
}

/** The same with the npm that belongs to it, where both have a folder of their own, as a version manager makes it. */
export function nodeMountsWithNpm(program = realpathSync(nodeProgram().path)): ReadOnlyMount[] {
  const prefix = dirname(dirname(program))
  if (!hasOwnFolder(program)) return nodeMounts(program)
  // Its `etc/npmrc` may contain a token.
  const shown = ['bin', 'lib'].map((name) => join(prefix, name))
  return [
    ...shown.map((host) => ({ host, inside: join(INSIDE_NODE, basename(host)) })),
    ...libraryMounts(program).filter(({ inside }) => !inside.startsWith(`${INSIDE_NODE}/`)),
  ]
}

/** Folders in which programs of many origins are installed beside each other. */
const SHARED_PREFIXES = ['/', '/usr', '/usr/local', '/opt', join(homedir(), '.local')]

function hasOwnFolder(program: string): boolean {
  const prefix = dirname(dirname(program))
  return (
    basename(dirname(program)) === 'bin' &&
    existsSync(join(prefix, 'lib', 'node_modules', 'npm')) &&
    !SHARED_PREFIXES.includes(prefix) &&
    !holdsPrivate(prefix)
  )
}

/** Libraries outside the system's folders, as Homebrew and conda have them: where the program looks for them. */
function libraryMounts(program: string): ReadOnlyMount[] {
  const prefix = dirname(dirname(program))
  return listLibraries(program).flatMap((host) => {
    const below = relative(prefix, host)
    // Found by its own path, or by its place beside the program.
    const isBeside = !below.startsWith('..')
    return [
      { host, inside: host },
      ...(isBeside ? [{ host, inside: join(INSIDE_NODE, below) }] : []),
    ]
  })
}

const known = new Map<string, readonly string[]>()

function listLibraries(program: string): readonly string[] {
  const found = known.get(program) ?? (isOfSystem(program) ? [] : askLibraries(program))
  known.set(program, found)
  return found
}

function askLibraries(program: string): readonly string[] {
  const isMissing = (path: string) => path !== program && !isOfSystem(path) && existsSync(path)
  return librariesOf(program).map(normalize).filter(isMissing)
}
