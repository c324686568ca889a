import type { AgentDefinition } from './agent-definition.ts'
import { askVersion } from './ask-version.ts'
import { findBinary } from './find-binary.ts'
import { findProvider } from './providers.ts'

/** What this machine has of one agent. Keys are named, their values are never looked at beyond being there. */
export type AgentInspection = {
  name: string
  title: string
  installed: boolean
  binary: string | null
  version: string | null
  tested: string | null
  warnings: string[]
  keys: { provider: string; anyOf: string[]; present: string[] }[]
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
): Promise<AgentInspection> {
  const { name, title, install, metering, needs, isolation } = definition
  const binary = findBinary(definition.binary, own.PATH ?? '')
  const version = binary === null ? null : await askVersion(definition, binary, own)
  return {
    name,
    title,
    installed: binary !== null,
    binary,
    version,
    tested: install.tested,
    warnings: binary === null ? [] : versionWarnings(definition, version),
    keys: Object.keys(definition.providers).map((provider) => listKeys(definition, provider, own)),
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

function listKeys(
  definition: AgentDefinition,
  provider: string,
  own: Readonly<Record<string, string | undefined>>,
) {
  const anyOf = [...(findProvider(definition, provider)?.keys ?? [])]
  return { provider, anyOf, present: anyOf.filter((key) => Boolean(own[key])) }
}
