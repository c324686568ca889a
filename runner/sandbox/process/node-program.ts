import { spawnSync } from 'node:child_process'
import { isAbsolute } from 'node:path'
import { placeError } from '../../runner-error.ts'
import { findBinary } from '../../subjects/agents/find-binary.ts'
import { RUNNER_ENV } from './own-env.ts'

export type NodeProgram = {
  path: string
  /** As printed by node: `v20.19.0`. */
  version: string
  /** The flag that enables the permission model. */
  permissionFlag: string
}

const ASK = `JSON.stringify({ path: process.execPath, version: process.version, isNamed: process.allowedNodeEnvironmentFlags.has('--permission') })`

let settled: NodeProgram | undefined

/**
 * Returns the node that judges tests, hosts libraries and serves apps: the one of this process. Under Bun, which has no
 * permission model and different performance, it is the node in PATH. Throws a RunnerError if there is none.
 */
export function nodeProgram(): NodeProgram {
  settled ??= process.versions.bun
    ? askNode(findBinary('node', RUNNER_ENV.PATH ?? ''))
    : ourselves()
  return settled
}

function ourselves(): NodeProgram {
  const isNamed = process.allowedNodeEnvironmentFlags.has('--permission')
  return { path: process.execPath, version: process.version, permissionFlag: flag(isNamed) }
}

/** Reads a node's version and features. Exported for its test. */
export function askNode(path: string | null): NodeProgram {
  const refusal =
    'Bun runs Proofboard, but tests are judged in a node of their own (20.19 or newer): put one into PATH'
  if (path === null) throw placeError(`no node was found. ${refusal}`)
  const { stdout } = spawnSync(path, ['-p', ASK], {
    env: {} as NodeJS.ProcessEnv,
    encoding: 'utf8',
    timeout: 20_000,
  })
  try {
    const { isNamed, ...program } = JSON.parse(stdout) as Omit<NodeProgram, 'permissionFlag'> & {
      isNamed: boolean
    }
    // Version managers put a script into PATH that starts another program.
    if (isNewEnough(program.version)) return { ...program, permissionFlag: flag(isNamed) }
  } catch {
    throw placeError(`${path} does not behave like node. ${refusal}`)
  }
  throw placeError(`${path} is too old. ${refusal}`)
}

const LIST = 'JSON.stringify(process.report.getReport().sharedObjects)'

/**
 * Shared libraries that a node loads, by the paths where it finds them; empty if unknown. Read in a separate process,
 * because a report resolves the name of every peer.
 */
export function librariesOf(path: string): string[] {
  const { stdout } = spawnSync(path, ['-p', LIST], {
    env: {} as NodeJS.ProcessEnv,
    encoding: 'utf8',
    timeout: 20_000,
  })
  try {
    return (JSON.parse(stdout) as string[]).filter((library) => isAbsolute(library))
  } catch {
    return []
  }
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 19)
}

function flag(isNamed: boolean): string {
  return isNamed ? '--permission' : '--experimental-permission'
}
