import type { Plan } from '#lib/domain/plan.ts'
import type { SubjectDriver } from '../controls/subject-driver.ts'
import { type AgentDefinition, adapterVersion } from './agent-definition.ts'
import { agentDriver } from './agent-driver.ts'
import { AgentError } from './agent-error.ts'
import { findInstalled } from './choose-agent.ts'
import type { OpenGateway } from './gateway-port.ts'
import { findProvider, type Provider } from './providers.ts'

type Own = Readonly<Record<string, string | undefined>>

/**
 * The driver of the agent that a frozen plan names, after everything it needs was found here: the same definition, the
 * same version, a key, and a gateway when it has to be metered. Throws AgentError, in one sentence, before anything runs.
 */
export async function plannedAgent(
  { subject }: Pick<Plan, 'subject'>,
  definition: AgentDefinition,
  own: Own,
  openGateway: OpenGateway | null,
): Promise<SubjectDriver> {
  const { name } = definition
  const provider = findProvider(definition, subject.provider ?? '')
  if (!provider || subject.modelRequested === null)
    throw new AgentError(`the plan names no provider and model of ${name}: freeze a new plan`)
  if (subject.adapterVersion !== adapterVersion(definition))
    throw new AgentError(
      `the plan was frozen with another definition of ${name} or another prompt: freeze a new plan`,
    )
  const installed = await findInstalled(definition, own)
  if (installed.version !== subject.version)
    throw new AgentError(
      `${name} ${installed.version} is installed, the plan was frozen for ${subject.version}: install that version or freeze a new plan`,
    )
  const key = findKey(definition, provider, own)
  if (definition.metering === 'gateway' && openGateway === null)
    throw new AgentError(
      `${name} has to be metered, and no gateway is at hand: it cannot be run here`,
    )
  return agentDriver({ definition, subject, provider, key, openGateway, ...installed, own })
}

/** The value stays in this process; the gateway and, for an unmetered agent, the agent itself are given it. */
function findKey({ name }: AgentDefinition, provider: Provider, own: Own): string | null {
  if (provider.keys.length === 0) return null
  const found = provider.keys.map((key) => own[key]).find(Boolean)
  if (found) return found
  const where = provider.keysFrom ? `: get a key at ${provider.keysFrom} and set it` : ''
  throw new AgentError(
    `${name} needs ${provider.keys.join(' or ')} in the environment to reach ${provider.title}${where}`,
  )
}
