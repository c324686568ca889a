import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { librariesOf, nodeProgram } from '../process/node-program.ts'
import { INSIDE_NODE } from './isolation.ts'
import { holdsPrivate, isOfSystem } from './system-mounts.ts'

/** Path of node in every sandbox, wherever it is installed on this machine. */
export const INSIDE_NODE_PROGRAM = `${INSIDE_NODE}/bin/node`

/** A file or folder of this machine, and its path in the sandbox. */
export type ReadOnlyMount = { host: string; inside: string }

/** Mounts that `INSIDE_NODE_PROGRAM` needs: the program and its libraries. */
export function nodeMounts(program = realpathSync(nodeProgram().path)): ReadOnlyMount[] {
  return [{ host: program, inside: INSIDE_NODE_PROGRAM }, ...libraryMounts(program)]
}

/** Mounts of `nodeMounts`, with npm if it shares node's folder, as version managers install them. */
export function nodeMountsWithNpm(program = realpathSync(nodeProgram().path)): ReadOnlyMount[] {
  const prefix = dirname(dirname(program))
  if (!hasOwnFolder(program)) return nodeMounts(program)
  // `etc/npmrc` is left out: it may contain a token.
  const folders = ['bin', 'lib'].map((name) => join(prefix, name))
  return [
    ...folders.map((host) => ({ host, inside: join(INSIDE_NODE, basename(host)) })),
    ...libraryMounts(program).filter(({ inside }) => !inside.startsWith(`${INSIDE_NODE}/`)),
  ]
}

/** Folders where many programs are installed side by side. */
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

/** Libraries outside system folders, as with Homebrew and conda, at the paths where the program expects them. */
function libraryMounts(program: string): ReadOnlyMount[] {
  const prefix = dirname(dirname(program))
  return listLibraries(program).flatMap((host) => {
    const below = relative(prefix, host)
    // The loader finds a library by its absolute path, or by its path relative to the program.
    const isBeside = !below.startsWith('..')
    return [
      { host, inside: host },
      ...(isBeside ? [{ host, inside: join(INSIDE_NODE, below) }] : []),
    ]
  })
}

const librariesByProgram = new Map<string, readonly string[]>()

function listLibraries(program: string): readonly string[] {
  const found =
    librariesByProgram.get(program) ?? (isOfSystem(program) ? [] : findLibraries(program))
  librariesByProgram.set(program, found)
  return found
}

function findLibraries(program: string): readonly string[] {
  const needsMount = (path: string) => path !== program && !isOfSystem(path) && existsSync(path)
  return librariesOf(program).map(normalize).filter(needsMount)
}
