import { providerName } from '#lib/domain/record/index.ts'
import { knownProviders } from '../../providers/known-providers.ts'
import { usageError } from '../../runner-error.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { servedBy } from '../../subjects/agents/choose-agent.ts'
import { listAgentNames, pickAgent } from '../../subjects/agents/load-agents.ts'
import { findKey } from '../../subjects/agents/planned-model.ts'
import { chooseModel, findProvider } from '../../subjects/agents/providers.ts'

/** An agent of a comparison with its model. */
export type NamedAgent = { agent: string; model: string }

/** Names the folder of an agent's results. */
export const nameOf = ({ agent, model }: NamedAgent) =>
  `${agent}-${model.replace(/[^\w.-]+/g, '-')}`

/** `claude` or `claude=model`; each pair once. */
export function readAgents(words: readonly string[], model: string | undefined): NamedAgent[] {
  const agents = words.map((word) => {
    const [agent = '', own = model] = word.split(/=(.*)/s)
    if (!listAgentNames().includes(agent)) pickAgent(agent, null)
    if (!own)
      throw usageError(`${agent} needs a model: write ${agent}=MODEL, or --model MODEL for all`)
    return { agent, model: own }
  })
  const names = agents.map(nameOf)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw usageError(`${twice} is named twice: leave one out`)
  if (agents.length < 2)
    throw usageError('name at least two agents, for example claude=claude-sonnet-5 codex=gpt-5.4')
  return agents
}

/** Rejects at once what a run would reject after tasks were made: an unknown model, a missing key. */
export function requireModels(
  agents: readonly NamedAgent[],
  {
    provider = null,
    providerFile = null,
  }: { provider?: string | null; providerFile?: string | null },
): void {
  const known = knownProviders(providerFile)
  for (const { agent, model } of agents) {
    const served = servedBy(pickAgent(agent, null), false)
    const chosen = chooseModel(served, { model, provider }, known, RUNNER_ENV)
    const found = findProvider(served, providerName(chosen.provider ?? ''), known)
    if (found) findKey(served, found, RUNNER_ENV)
  }
}
