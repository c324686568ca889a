import { parse, TomlError } from 'smol-toml'
import { findUnknownMembers, type HarborFile, harborFileSchema } from '#lib/domain/tasks/index.ts'
import { formatIssues } from '#lib/domain/text/index.ts'

/** A `task.toml`, and its unknown members. */
export type ReadToml = { file: HarborFile; unknown: string[] }

/** Reads a `task.toml`. Throws an Error with one sentence that names the line or member. */
export function readTaskToml(text: string): ReadToml {
  const parsed = harborFileSchema.safeParse(parseToml(text))
  if (!parsed.success) {
    const [first, ...more] = formatIssues(parsed.error.issues)
    const rest = more.length > 0 ? ` (and ${more.length} more)` : ''
    throw new Error(`${first?.path}: ${first?.message}${rest}`)
  }
  const mistake = findMistake(parsed.data)
  if (mistake !== null) throw new Error(mistake)
  return { file: parsed.data, unknown: findUnknownMembers(parsed.data) }
}

function parseToml(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n')
    throw new Error(`line ${error.line} is not valid TOML: ${message}`)
  }
}

/** Finds mistakes across members. */
function findMistake(file: HarborFile): string | null {
  return (
    findTwoSizes(file.environment) ??
    findIdleHosts(file) ??
    findBrokenServer(file) ??
    findTwinStep(file)
  )
}

function findTwoSizes(env: HarborFile['environment']): string | null {
  for (const name of ['memory', 'storage'] as const) {
    const megabytes = env[`${name}_mb`]
    const size = env[name]
    if (size !== undefined && megabytes !== undefined && sizeToMb(size) !== megabytes)
      return `environment.${name}: is ${size}, and environment.${name}_mb is ${megabytes}`
  }
  return null
}

function findIdleHosts({ environment, agent, verifier, steps }: HarborFile): string | null {
  const parts = [
    ...Object.entries({ environment, agent, verifier }),
    ...steps.flatMap((step, at) => [
      [`steps.${at}.agent`, step.agent] as const,
      [`steps.${at}.verifier`, step.verifier] as const,
    ]),
  ]
  for (const [part, { network_mode: mode, allowed_hosts: hosts = [] }] of parts) {
    if (hosts.length > 0 && mode !== undefined && mode !== 'allowlist')
      return `${part}.allowed_hosts: is for network_mode "allowlist", which is "${mode}" here`
  }
  return null
}

/** Folders of steps may differ only by case, which some systems do not tell apart. */
function findTwinStep({ steps }: HarborFile): string | null {
  const names = steps.map(({ name }) => name.toLowerCase())
  const at = names.findIndex((name, index) => names.indexOf(name) < index)
  return at < 0 ? null : `steps.${at}.name: is the name of another step`
}

function findBrokenServer({ environment: env }: HarborFile): string | null {
  for (const [at, { transport, url, command }] of env.mcp_servers.entries()) {
    const lacks = transport === 'stdio' ? !command && 'command' : !url && 'url'
    if (lacks)
      return `environment.mcp_servers.${at}.${lacks}: is missing for transport "${transport}"`
  }
  return null
}

const KIBI = 1024

/** Converts a size such as `2G` to whole megabytes. */
export function sizeToMb(size: string): number {
  const number = Number.parseFloat(size)
  const unit = size.trim().at(-1)?.toUpperCase()
  const megabytes = unit === 'G' ? number * KIBI : unit === 'K' ? number / KIBI : number
  return Math.max(1, Math.floor(megabytes))
}
