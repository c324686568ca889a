import { readdirSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import type { Env } from '../../sandbox/process/own-env.ts'
import { dataFolder } from '../../suites/project-paths.ts'
import { findBinary, listBinaries } from './find-binary.ts'

/** Requests the program in PATH, whatever we have installed. */
export const FROM_PATH = 'path'

/** A program of an agent on this machine. */
export type FoundAgent = {
  binary: string
  /** The Node that starts it; null = it starts by itself. */
  node: string | null
  /** Installed by `proofboard agents install`, or by another installer and found in PATH. */
  by: 'proofboard' | 'path'
  /** Its version; null if only starting it can tell. */
  version: string | null
}

/** Returns the folder for `agents install`: the one that several boards share if there is one, else the data folder. */
export function installPlace(env: Env): string {
  return env.PROOFBOARD_AGENTS_DIR
    ? resolve(env.PROOFBOARD_AGENTS_DIR)
    : join(dataFolder(env), 'agents')
}

/** Lists every folder that may hold our agents, in search order. */
function places(env: Env): string[] {
  const shared = env.PROOFBOARD_AGENTS_DIR ? [resolve(env.PROOFBOARD_AGENTS_DIR)] : []
  return [join(dataFolder(env), 'agents'), ...shared]
}

/** Returns the folder of one installed version, and of the Node that some need. */
export function versionFolder(place: string, name: string, version: string): string {
  return join(place, `${name}@${version}`)
}

export function nodeIn(place: string, version: string): string {
  return join(versionFolder(place, 'node', version), 'node_modules', 'node', 'bin', 'node')
}

/**
 * Finds the program that run, plan, doctor, list and the worker start, unless another one works instead: the first of
 * `listAgentPrograms`. Null = none here.
 */
export function findAgentProgram(
  definition: AgentDefinition,
  env: Env,
  wanted: string | null = null,
): FoundAgent | null {
  return listAgentPrograms(definition, env, wanted)[0] ?? null
}

/**
 * Lists every program of an agent on this machine: our installations, in the tested version if present, else the
 * newest; then those in PATH. `wanted` is a version, `path`, or null.
 */
export function listAgentPrograms(
  definition: AgentDefinition,
  env: Env,
  wanted: string | null = null,
): FoundAgent[] {
  const ours = wanted === FROM_PATH ? [] : listOurs(definition, env)
  const fits = ours.filter((one) => wanted === null || isVersion(definition, one, wanted))
  const others = listBinaries(definition.binary, env.PATH ?? '').map((binary): FoundAgent => {
    return { binary, node: null, by: 'path', version: null }
  })
  return [...fits.map(({ found }) => found), ...others]
}

type Ours = { packaged: string; found: FoundAgent }

/** Lists installed versions that can be started, the tested one first, then the newest. */
function listOurs(definition: AgentDefinition, env: Env): Ours[] {
  if (isAbsolute(definition.binary)) return []
  const found = places(env).flatMap((place) =>
    installedVersions(place, definition.name).flatMap((packaged) => {
      const one = openOurs(definition, place, packaged)
      return one === null ? [] : [{ packaged, found: one }]
    }),
  )
  const { tested } = definition.install
  return found.toSorted((a, b) => {
    if (a.packaged === b.packaged) return 0
    if (a.packaged === tested || b.packaged === tested) return a.packaged === tested ? -1 : 1
    return comparePackageVersions(b.packaged, a.packaged)
  })
}

/** Opens one installed version; null if its program or its Node is missing. */
export function openOurs(
  definition: AgentDefinition,
  place: string,
  packaged: string,
): FoundAgent | null {
  const { name, binary, install, version } = definition
  const bin = join(versionFolder(place, name, packaged), 'node_modules', '.bin')
  const path = findBinary(binary, bin)
  const node = install.node === undefined ? null : findBinary(nodeIn(place, install.node), '')
  if (path === null || (install.node !== undefined && node === null)) return null
  const says = packaged === install.tested ? (version.prints ?? packaged) : packaged
  return { binary: path, node, by: 'proofboard', version: says }
}

function installedVersions(place: string, name: string): string[] {
  try {
    const prefix = `${name}@`
    return readdirSync(place)
      .filter((folder) => folder.startsWith(prefix))
      .map((folder) => folder.slice(prefix.length))
  } catch {
    return []
  }
}

function isVersion({ install, version }: AgentDefinition, one: Ours, wanted: string): boolean {
  const isTested = one.packaged === install.tested
  return one.packaged === wanted || (isTested && version.prints === wanted)
}

/** Compares numerically, part by part: 2.10.0 is later than 2.9.1; ignores text after a dash. */
export function comparePackageVersions(a: string, b: string): number {
  const [one, other] = [numbersOf(a), numbersOf(b)]
  const length = Math.max(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function numbersOf(version: string): number[] {
  return (version.split(/[-+]/)[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0)
}

/** Returns how to install it, as a command of ours if npm has it. */
export function installAdvice(
  { name, install }: AgentDefinition,
  version: string | null = null,
): string {
  if (!install.npm || (install.tested === null && version === null)) return install.hint
  return `proofboard agents install ${name}${version === null ? '' : ` --version ${version}`}`
}

/** Explains why this version cannot be used with this definition, in one sentence; null if it can. */
export function versionRefusal(definition: AgentDefinition, found: string): string | null {
  const { title, install } = definition
  const { from, below } = definition.version
  const advice = `${installAdvice(definition)} installs ${install.tested ?? 'it'}`
  if (from !== undefined && comparePackageVersions(found, from) < 0)
    return `${title} ${found} is too old: its options are known from ${from} on; ${advice}`
  if (below !== undefined && comparePackageVersions(found, below) >= 0)
    return `${title} ${found} is too new: its options are known below ${below}; ${advice}`
  return null
}
