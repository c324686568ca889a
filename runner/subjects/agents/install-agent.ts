import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import { nodeProgram } from '../../sandbox/process/node-program.ts'
import type { Env } from '../../sandbox/process/own-env.ts'
import { runTool } from '../../sandbox/process/run-tool.ts'
import { makeWhole } from '../../scratch.ts'
import { askAgentVersion, LINUX } from './agent-program.ts'
import { type FoundAgent, nodeIn, openOurs, versionFolder } from './find-agent.ts'
import { findBinary } from './find-binary.ts'
import { npmInstall } from './npm-install.ts'

type InstallOptions = {
  place: string
  env: Env
  /** Null or absent = the version that its definition was tested with. */
  version?: string | null
  /** Hears how far it is. */
  report?: (line: string) => void
  /** Fires when the command is interrupted. */
  signal?: AbortSignal
  /** The processor of containers on a machine whose own programs they cannot run, as `arm64` on a Mac; absent = none. */
  linux?: string | null
}

/** The system that the runner works on. */
type Machine = { platform: string; arch: string }

/**
 * Returns the processor of the containers in which agents run, if those cannot start this machine's programs; null = no
 * second copy of an agent is needed.
 */
export function twinProcessor(level: Settings['isolation'], { platform, arch }: Machine) {
  return platform !== 'linux' && level === 'docker' ? arch : null
}

/** The program that was installed, the folder to put in PATH, or why the agent cannot be had here. */
export type InstalledAgent =
  | { ok: true; bin: string; version: string; found: FoundAgent }
  | { ok: false; reason: string }

/**
 * Installs one version of an agent, and the Node it needs, into folders of their own below `place` that are there whole
 * or not at all; a second call finds them. Never throws for a registry that does not answer.
 */
export async function installAgent(
  definition: AgentDefinition,
  options: InstallOptions,
): Promise<InstalledAgent> {
  const { name, install } = definition
  const { place } = options
  const version = options.version ?? install.tested
  if (!install.npm || !version) return { ok: false, reason: 'it is not an npm package' }
  if (install.node !== undefined) {
    const failure = await installNode(install.node, options)
    if (failure !== null) return { ok: false, reason: failure }
  }
  const folder = versionFolder(place, name, version)
  const failure = existsSync(folder)
    ? null
    : await installInto(folder, `${install.npm}@${version}`, options, (draft) =>
        findMisfit(definition, version, draft, options),
      )
  if (failure !== null) return { ok: false, reason: failure }
  const absent = await addTwin(folder, `${install.npm}@${version}`, options)
  if (absent !== null) return { ok: false, reason: absent }
  const found = openOurs(definition, place, version)
  if (found === null)
    return {
      ok: false,
      reason: `${folder} contains no ${definition.binary}: remove it and try again`,
    }
  return { ok: true, bin: join(folder, 'node_modules', '.bin'), version, found }
}

/** Null when that Node is there, else why not. */
async function installNode(version: string, options: InstallOptions): Promise<string | null> {
  const { place, env: environment } = options
  const folder = versionFolder(place, 'node', version)
  if (existsSync(folder)) return addTwin(folder, `node@${version}`, options)
  const failure = await installInto(folder, `node@${version}`, options, async (draft) => {
    const node = join(draft, 'node_modules', 'node', 'bin', 'node')
    const env = { PATH: environment.PATH ?? '' }
    const { stdout } = await runTool([node, '--version'], { env, timeoutMs: MAX_ANSWER_MS })
    return stdout.trim() === `v${version}`
      ? null
      : `the package node@${version} brings no Node for ${process.platform}-${process.arch}`
  })
  return failure ?? addTwin(folder, `node@${version}`, options)
}

/** Installs a package into a draft that becomes the folder once `findMisfit` finds nothing. */
async function installInto(
  folder: string,
  packageAtVersion: string,
  { env, report, signal }: InstallOptions,
  findMisfit: (draft: string) => Promise<string | null>,
): Promise<string | null> {
  const how = { ...(report && { report }), ...(signal && { signal }) }
  return makeWhole(
    folder,
    async (draft) =>
      (await npmInstall(draft, packageAtVersion, env, how)) ?? (await findMisfit(draft)),
  )
}

/** Adds the same version for Linux to an installed one, where containers need it; its files have the same names. */
async function addTwin(
  folder: string,
  packageAtVersion: string,
  { env, linux, report, signal }: InstallOptions,
): Promise<string | null> {
  const target = join(folder, LINUX)
  if (!linux || existsSync(target)) return null
  const how = { linux, ...(report && { report }), ...(signal && { signal }) }
  const [, nodeVersion] = /^node@(.+)$/.exec(packageAtVersion) ?? []
  // Package that the script of npm's package `node` would choose.
  const name = `node-linux-${linux}`
  const wanted = nodeVersion === undefined ? packageAtVersion : `${name}@${nodeVersion}`
  return makeWhole(target, async (draft) => {
    const failure = await npmInstall(draft, wanted, env, how)
    const packages = join(draft, 'node_modules')
    if (failure === null && nodeVersion !== undefined)
      await rename(join(packages, name), join(packages, 'node'))
    return failure
  })
}

/** A package may install and still not start: another version, a platform's part missing, a newer Node needed. */
async function findMisfit(
  definition: AgentDefinition,
  wanted: string,
  draft: string,
  { place, env, report = () => {} }: InstallOptions,
): Promise<string | null> {
  const { binary, install, needs } = definition
  const bin = join(draft, 'node_modules', '.bin')
  const program = findBinary(binary, bin)
  if (program === null) return `${install.npm}@${wanted} installs, but brings no ${binary}`
  const node = install.node === undefined ? null : nodeIn(place, install.node)
  const { version, isSlow } = await askAgentVersion(definition, { binary: program, node }, env)
  const { prints } = definition.version
  const isExpected =
    version !== null && (version === wanted || (prints !== undefined && version === prints))
  if (isExpected) return null
  if (isSlow) {
    report(`${install.npm}@${wanted} is installed; it took too long to print its version`)
    return null
  }
  const reportedVersion = version === null ? 'no version' : version
  const requested = `"${binary} ${definition.version.args.join(' ')}" says ${reportedVersion}, not ${wanted},`
  const onNode = `on Node ${install.node ?? nodeProgram().version.slice(1)}${needs ? ` (it needs ${needs})` : ''}`
  return `${install.npm}@${wanted} installs, but ${requested} ${onNode}`
}

const MAX_ANSWER_MS = 120_000
