import type { Subject } from '#lib/domain/record/index.ts'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import type { KnownProviders } from '../../providers/known-providers.ts'
import { type RunnerError, subjectError } from '../../runner-error.ts'
import type { Env } from '../../sandbox/process/own-env.ts'
import { adapterVersion } from './agent-definition.ts'
import { askAgentVersion } from './agent-program.ts'
import {
  type FoundAgent,
  FROM_PATH,
  installAdvice,
  installPlace,
  versionRefusal,
} from './find-agent.ts'
import { findWorkingAgent } from './find-working-agent.ts'
import { installAgent } from './install-agent.ts'
import { requireLogin } from './login.ts'
import { chooseModel, type Served } from './providers.ts'

/** Returns whether a gateway is between the agent and its model. */
export function isMetered(definition: AgentDefinition, usesLogin: boolean): boolean {
  if (usesLogin) return (definition.login?.gateway ?? null) !== null
  return definition.metering === 'gateway'
}

/** Returns the providers of its model: with a login, the provider it is logged in to, without a key. */
export function servedBy(definition: AgentDefinition, usesLogin: boolean): Served {
  if (!usesLogin) return definition
  const { provider, gateway } = requireLogin(definition)
  const models = definition.providers[provider]?.models ?? {}
  const only = { protocol: gateway?.protocol ?? null, models }
  return { ...definition, metering: { none: 'the login decides' }, providers: { [provider]: only } }
}

type RequestedAgent = {
  model: string | null
  provider: string | null
  /** An exact version, or `path`; null = the installed one. */
  agentVersion: string | null
  usesLogin: boolean
}

/** State of this machine; `tell` is called with the progress of an installation. */
type Machine = { known: KnownProviders; env: Env; report: (line: string) => void }

/**
 * Resolves the subject that a plan freezes: the agent in its installed version, the provider, and the provider's name
 * of the model. Installs a requested version that is missing. Without a provider, chooses the first one that has a key
 * here. Throws a one-sentence RunnerError.
 */
export async function chooseAgent(
  definition: AgentDefinition,
  requested: RequestedAgent,
  here: Machine,
): Promise<Subject> {
  const { usesLogin, agentVersion } = requested
  const served = servedBy(definition, usesLogin)
  const provider = usesLogin
    ? (requested.provider ?? requireLogin(definition).provider)
    : requested.provider
  const chosen = chooseModel(served, { ...requested, provider }, here.known, here.env)
  const version = await freezeVersion(definition, agentVersion, here)
  const { name } = definition
  return { kind: 'agent', name, version, adapterVersion: adapterVersion(definition), ...chosen }
}

async function freezeVersion(
  definition: AgentDefinition,
  requested: string | null,
  { env, report }: Machine,
): Promise<string> {
  const found = await findWorkingAgent(definition, env, requested)
  if (requested === null || requested === FROM_PATH) {
    if (found === null) throw notInstalled(definition)
    return askVersion(definition, found, env)
  }
  if (found !== null && (await isVersion(definition, found, { requested, env })))
    return askVersion(definition, found, env)
  const options = { place: installPlace(env), env, version: requested, report }
  const installed = await installAgent(definition, options)
  if (installed.ok) return askVersion(definition, installed.found, env)
  throw subjectError(
    `${definition.name} ${requested} could not be installed: ${installed.reason}`,
    '--agent-version',
  )
}

/** Returns whether a program has the requested version; a program found in PATH may have any. */
async function isVersion(
  definition: AgentDefinition,
  found: FoundAgent,
  { requested, env }: { requested: string; env: Env },
): Promise<boolean> {
  if (found.by === 'proofboard') return true
  const { version } = await askAgentVersion(definition, found, env)
  return version === requested
}

/** Explains how to get an agent that is not on this machine. */
export function notInstalled(definition: AgentDefinition): RunnerError {
  const { name, binary } = definition
  return subjectError(
    `${name} is not installed (no ${binary} in PATH): ${installAdvice(definition)}`,
    '--subject',
  )
}

/** Asks the program for its version; a plan needs one, and one that its definition supports. */
export async function askVersion(
  definition: AgentDefinition,
  found: FoundAgent,
  env: Env,
): Promise<string> {
  const { name, binary, version: ask } = definition
  const { version, isSlow } = await askAgentVersion(definition, found, env)
  const message = `("${binary} ${ask.args.join(' ')}")`
  // The version that we installed is known; a busy machine does not change it.
  if (version === null && isSlow && found.version !== null) return found.version
  if (version === null && isSlow)
    throw subjectError(
      `${name} took too long to print its version ${message}: try again when this machine is less busy`,
      '--subject',
    )
  const advice = `${needsAnotherNode(definition, found)}${installAdvice(definition)}`
  if (version === null)
    throw subjectError(
      `${name} does not print its version ${message}, which a plan needs: ${advice}`,
      '--subject',
    )
  const refusal = versionRefusal(definition, version)
  if (refusal !== null) throw subjectError(refusal, '--subject')
  return version
}

/** A program in PATH runs on the Node in PATH, which may be too old for it. */
function needsAnotherNode({ install, needs }: AgentDefinition, { by }: FoundAgent): string {
  return by === 'path' && install.node !== undefined && needs ? `it needs ${needs}; ` : ''
}
