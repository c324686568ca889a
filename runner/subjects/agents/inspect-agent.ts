import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import type { KnownProviders } from '../../providers/known-providers.ts'
import type { Env } from '../../sandbox/process/own-env.ts'
import { askAgentVersion } from './agent-program.ts'
import { installAdvice } from './find-agent.ts'
import { findWorkingAgent } from './find-working-agent.ts'
import { hasLogin } from './login.ts'
import { type InspectedKeys, inspectKeys } from './providers.ts'

/** Facts about one agent on this machine. Keys are named; of their values only the presence is read. */
export type AgentInspection = {
  name: string
  title: string
  installed: boolean
  binary: string | null
  /** Installer of the program that would be started; null = not installed. */
  installedBy: 'proofboard' | 'path' | null
  version: string | null
  tested: string | null
  warnings: string[]
  /** Keys of the providers that its definition names, and of all others that can serve it. */
  keys: InspectedKeys[]
  otherProviders: InspectedKeys[]
  /** Name of its subscription, and whether a login is saved here; null = it has none. */
  login: { title: string; present: boolean } | null
  metering: 'gateway' | 'none'
  meteringReason: string | null
  needs: string | null
  network: string[]
  isolationNote: string | null
  hint: string
}

/**
 * Checks whether an agent is installed and in which version, and compares both with what was tested. The version of our
 * own installations is known without starting them; `starts` starts them all the same, to test that they run.
 */
export async function inspectAgent(
  definition: AgentDefinition,
  env: Env,
  { known, starts }: { known: KnownProviders; starts: boolean },
): Promise<AgentInspection> {
  const { name, title, install, metering, needs, isolation, login } = definition
  const found = await findWorkingAgent(definition, env)
  const isKnown = found === null || (found.version !== null && !starts)
  const request = isKnown ? null : await askAgentVersion(definition, found, env)
  const version = request === null ? (found?.version ?? null) : request.version
  return {
    name,
    title,
    installed: found !== null,
    binary: found?.binary ?? null,
    installedBy: found?.by ?? null,
    version,
    tested: install.tested,
    warnings: found === null ? [] : versionWarnings(definition, version, request?.isSlow),
    ...inspectKeys(definition, known, env),
    login: login ? { title: login.title, present: hasLogin(definition, env) } : null,
    metering: metering === 'gateway' ? 'gateway' : 'none',
    meteringReason: metering === 'gateway' ? null : metering.none,
    needs,
    network: isolation.network,
    isolationNote: isolation.note,
    hint: installAdvice(definition),
  }
}

/** Lists what is unusual about the installed version; it runs nevertheless. */
export function versionWarnings(
  definition: AgentDefinition,
  version: string | null,
  isSlow = false,
): string[] {
  const { binary, install, title } = definition
  if (version === null)
    return [
      isSlow
        ? `${binary} took too long to print its version: try again when the machine is less busy`
        : `${binary} does not print its version, so no plan can be frozen for it`,
    ]
  if (install.tested === null)
    return [
      `${title} ${version}: no version was tested here, its options are from its documentation`,
    ]
  if (version === (definition.version.prints ?? install.tested)) return []
  return [`${title} ${version} is installed, ${install.tested} was tested: its options may differ`]
}
