import { flatPrice } from '#lib/domain/board/index.ts'
import type { Arm, Plan } from '#lib/domain/record/index.ts'
import { type AgentDefinition, SCRIPTED } from '#lib/domain/runs/index.ts'
import type { GatewayClient, ModelAccess } from '../../gateway/model-access.ts'
import { subjectError } from '../../runner-error.ts'
import type { Env } from '../../sandbox/process/own-env.ts'
import type { SubjectContext, SubjectDriver } from '../subject-driver.ts'
import { adapterVersion } from './agent-definition.ts'
import { agentDriver } from './agent-driver.ts'
import { askVersion, isMetered, notInstalled, servedBy } from './choose-agent.ts'
import { type FoundAgent, installAdvice } from './find-agent.ts'
import { findWorkingAgent } from './find-working-agent.ts'
import { type OpenLogin, openLogin } from './login.ts'
import { checkServers } from './mcp-servers.ts'
import { checkModelSource, findKey, gatewayAccess, plannedProvider } from './planned-model.ts'
import { modeOf, type ServingProvider } from './providers.ts'

/**
 * Returns the driver of the agent that a frozen plan names, after resolving everything it needs: the same definition,
 * the same version, a key unless the model is scripted or replayed, and a gateway. Throws a one-sentence RunnerError
 * before anything runs.
 */
export async function plannedAgent(
  { subject, settings, arm }: Pick<Plan, 'subject' | 'settings'> & { arm?: Arm | undefined },
  definition: AgentDefinition,
  env: Env,
  access: ModelAccess,
): Promise<SubjectDriver> {
  const { name } = definition
  if (subject.provider === null || subject.modelRequested === null)
    throw subjectError(`the plan has no provider and model for ${name}: freeze a new plan`)
  const planned = subject.provider
  const usesLogin = settings.login !== undefined
  const served = servedBy(definition, usesLogin)
  const provider = {
    ...plannedProvider(served, planned, access),
    ...byLogin(definition, usesLogin),
  }
  if (subject.adapterVersion !== adapterVersion(definition))
    throw subjectError(
      `the plan was frozen with another definition of ${name} or another prompt: freeze a new plan`,
    )
  checkServers(arm, definition)
  const found = await findPlanned(definition, subject.version, env)
  const { source } = access
  checkModelSource(name, subject.provider === SCRIPTED, source)
  const mode = modeOf(source, subject)
  const key = source.kind === 'replay' || usesLogin ? null : findKey(definition, provider, env)
  const login = usesLogin && source.kind !== 'replay' ? openLogin(definition, env) : null
  const { protocol } = provider
  const client = {
    ...access,
    ...(usesLogin
      ? { price: flatPrice, login: gatewayLogin(login) }
      : gatewayAccess(provider, planned, { key, source, env })),
    subject,
    key,
    arm,
  }
  const openGateway =
    isMetered(definition, usesLogin) && protocol !== null
      ? (attempt: SubjectContext) =>
          access.openGateway({ ...client, provider: { name: planned, protocol } }, attempt)
      : null
  const parts = { definition, subject, arm, provider, key, login, mode, found, env }
  return agentDriver({ ...parts, openGateway })
}

/** A login determines the protocol of requests to the provider. */
function byLogin(
  { login }: AgentDefinition,
  usesLogin: boolean,
): Partial<Pick<ServingProvider, 'protocol'>> {
  return usesLogin ? { protocol: login?.gateway?.protocol ?? null } : {}
}

/** Returns the login as the gateway needs it; null if the agent gets the files itself, or no model is used. */
function gatewayLogin(login: OpenLogin | null): NonNullable<GatewayClient['login']> | null {
  return login?.upstream ? { upstream: login.upstream, secrets: login.secrets } : null
}

/** Finds the program of the exact version that a plan names. */
async function findPlanned(
  definition: AgentDefinition,
  planned: string | null,
  env: Env,
): Promise<FoundAgent> {
  const { name, install } = definition
  const found =
    (await findWorkingAgent(definition, env, planned)) ?? (await findWorkingAgent(definition, env))
  if (found === null) throw notInstalled(definition)
  const version = await askVersion(definition, found, env)
  if (version === planned) return found
  const advice = install.npm
    ? installAdvice(definition, planned === definition.version.prints ? install.tested : planned)
    : 'install that version'
  throw subjectError(
    `${name} ${version} is installed, the plan was frozen for ${planned}: ${advice} or freeze a new plan`,
  )
}
