import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import type { KnownProviders } from '../../providers/known-providers.ts'
import { nodeProgram } from '../../sandbox/process/node-program.ts'
import { runTool } from '../../sandbox/process/run-tool.ts'
import { readAgentVersion } from './agent-program.ts'
import { findBinary } from './find-binary.ts'
import { type InspectedKeys, inspectKeys } from './providers.ts'

/** What this machine has of one agent. Keys are named, their values are never looked at beyond being there. */
export type AgentInspection = {
  name: string
  title: string
  installed: boolean
  binary: string | null
  version: string | null
  tested: string | null
  warnings: string[]
  /** Of the providers that its definition names, and of all others that can answer for it. */
  keys: InspectedKeys[]
  otherProviders: InspectedKeys[]
  metering: 'gateway' | 'none'
  meteringReason: string | null
  needs: string | null
  network: string[]
  isolationNote: string | null
  hint: string
}

/** Looks whether an agent is installed, asks its version, and compares both with what was tested. */
export async function inspectAgent(
  definition: AgentDefinition,
  own: Readonly<Record<string, string | undefined>>,
  known: KnownProviders,
): Promise<AgentInspection> {
  const { name, title, install, metering, needs, isolation } = definition
  const binary = findBinary(definition.binary, own.PATH ?? '')
  const version = binary === null ? null : await readAgentVersion(definition, binary, own)
  return {
    name,
    title,
    installed: binary !== null,
    binary,
    version,
    tested: install.tested,
    warnings: binary === null ? [] : versionWarnings(definition, version),
    ...inspectKeys(definition, known, own),
    metering: metering === 'gateway' ? 'gateway' : 'none',
    meteringReason: metering === 'gateway' ? null : metering.none,
    needs,
    network: isolation.network,
    isolationNote: isolation.note,
    hint: install.hint,
  }
}

/** What is odd about the version that is installed; an odd one still runs. */
export function versionWarnings(definition: AgentDefinition, version: string | null): string[] {
  const { binary, install, title } = definition
  if (version === null)
    return [`${binary} does not say which version it is, so its runs cannot be frozen in a plan`]
  if (install.tested === null)
    return [
      `${title} ${version}: no version was tested here, its options are from its documentation`,
    ]
  if (version === (definition.version.prints ?? install.tested)) return []
  return [`${title} ${version} is installed, ${install.tested} was tested: its options may differ`]
}

type Own = Readonly<Record<string, string | undefined>>

/** The folder to put in PATH, or why the agent cannot be had here. */
type InstalledAgent = { ok: true; bin: string } | { ok: false; reason: string }

/**
 * Installs the version of an agent that its definition was tested with, into a folder of its own below `place` that is
 * there whole or not at all; a second call finds it. Never throws for a registry that does not answer.
 */
export async function installAgent(
  definition: AgentDefinition,
  { place, own }: { place: string; own: Own },
): Promise<InstalledAgent> {
  const { name, install } = definition
  if (!install.npm || !install.tested) return { ok: false, reason: 'it is not an npm package' }
  const folder = join(place, `${name}@${install.tested}`)
  const bin = join(folder, 'node_modules', '.bin')
  if (existsSync(folder)) return { ok: true, bin }
  await mkdir(place, { recursive: true })
  const draft = await mkdtemp(join(place, `.${name}-`))
  try {
    const failure =
      (await npmInstall(draft, `${install.npm}@${install.tested}`, own)) ??
      (await findMisfit(definition, join(draft, 'node_modules', '.bin'), own))
    if (failure !== null) return { ok: false, reason: failure }
    // As root, agents run as another user.
    await chmod(draft, 0o755)
    await rename(draft, folder).catch((error: unknown) => {
      // Another process was faster; its copy is as good.
      if (!existsSync(folder)) throw error
    })
    return { ok: true, bin }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** A package may install and still not start: another version, a platform's part missing, a newer Node needed. */
async function findMisfit(
  definition: AgentDefinition,
  bin: string,
  own: Own,
): Promise<string | null> {
  const { binary, install, needs } = definition
  const program = findBinary(binary, bin)
  const version =
    program && (await readAgentVersion(definition, program, { PATH: `${bin}:${own.PATH}` }))
  if (version === (definition.version.prints ?? install.tested)) return null
  const asked = `"${binary} ${definition.version.args.join(' ')}" does not say ${install.tested}`
  const onNode = `on Node ${nodeProgram().version.slice(1)}${needs ? ` (it needs ${needs})` : ''}`
  return `${install.npm}@${install.tested} installs, but ${asked} ${onNode}`
}

const MOST_INSTALLING_MS = 240_000
/** What npm needs to get anywhere at all; none of it is a credential. */
const FOR_NPM = /^(PATH|LANG|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy)$/i

/**
 * Installs one package into a folder of its own. Null when it went well, else why not. npm gets a HOME of its own, so no
 * credentials, and the registry's bare address.
 */
export async function npmInstall(
  prefix: string,
  packageAtVersion: string,
  own: Own,
): Promise<string | null> {
  if (findBinary('npm', own.PATH ?? '') === null) return 'there is no npm in PATH'
  const home = await mkdtemp(join(tmpdir(), 'proofboard-npm-'))
  const options = ['--no-audit', '--no-fund', '--no-save', '--loglevel=error', '--fetch-retries=1']
  const env = {
    ...Object.fromEntries(Object.entries(own).filter(([name]) => FOR_NPM.test(name))),
    HOME: home,
    npm_config_registry: bareAddress(await npm(['config', 'get', 'registry'], own)),
  }
  try {
    const args = ['install', '--prefix', prefix, ...options, packageAtVersion]
    const { code, output } = await npm(args, env)
    if (code === 0) return null
    const [first = 'it said nothing'] = output.match(/^npm error (?!A complete log).*/gm) ?? []
    return code === null
      ? `npm was not done after ${MOST_INSTALLING_MS / 1000} s`
      : `npm install ${packageAtVersion} failed: ${first.replace('npm error ', '')}`
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function bareAddress({ stdout }: { stdout: string }): string {
  const said = stdout.trim().split('\n').at(-1) ?? ''
  if (!URL.canParse(said)) return ''
  const found = new URL(said)
  found.username = ''
  found.password = ''
  return found.href
}

/** `code` is null when it had to be ended. */
async function npm(
  args: readonly string[],
  env: Own,
): Promise<{ code: number | null; stdout: string; output: string }> {
  const given = Object.entries(env).filter((pair): pair is [string, string] => Boolean(pair[1]))
  const options = { env: Object.fromEntries(given), timeoutMs: MOST_INSTALLING_MS, cwd: tmpdir() }
  const { code, stdout, stderr } = await runTool(['npm', ...args], options)
  return { code, stdout, output: `${stdout}${stderr}` }
}
