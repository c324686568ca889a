import { flatPrice, type PriceUsage } from '#lib/domain/board/index.ts'
import { hasPrice, priceUsage, statesCost } from '#lib/domain/prices/index.ts'
import { type Plan, providerName } from '#lib/domain/record/index.ts'
import { SCRIPTED } from '#lib/domain/runs/index.ts'
import { findChromium } from '../browser/find-chromium.ts'
import type { ModelSource } from '../gateway/model-access.ts'
import { findLibrary } from '../libraries/registry.ts'
import { knownProviders } from '../providers/known-providers.ts'
import { priceByRates } from '../providers/price-by-rates.ts'
import { reachProvider } from '../providers/reach-provider.ts'
import { resolveEndpoint } from '../providers/resolve-endpoint.ts'
import { placeError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { pickAgent } from '../subjects/agents/load-agents.ts'
import { openLogin } from '../subjects/agents/login.ts'
import { findKey } from '../subjects/agents/planned-model.ts'
import { findProvider, type Served, type ServingProvider } from '../subjects/agents/providers.ts'
import { splitPair } from '../workflow/agent-pair.ts'
import { modelDriven } from '../workflow/model-driven.ts'
import { writeError } from './output.ts'

/** The user's own files passed to a command. */
export type OwnFiles = { agentFile?: string | null; providerFile?: string | null }

type Priced = Pick<Plan, 'subject'> & { settings: Pick<Plan['settings'], 'price' | 'login'> }

/** Returns the prices of the plan's provider by its entry; none per token with a subscription. */
export function priceOf(
  { subject: { provider }, settings }: Priced,
  { providerFile = null }: OwnFiles,
): PriceUsage {
  if (settings.login !== undefined) return flatPrice
  const known = provider === null ? null : knownProviders(providerFile).get(providerName(provider))
  return known ? priceByRates(known.rates, priceUsage) : priceUsage
}

/**
 * Returns true if the price is in the plan or a provider file, in the price table, or stated by the provider with every
 * call.
 */
export function isPriced(plan: Priced, files: OwnFiles, at: string): boolean {
  const { provider, modelRequested: model } = plan.subject
  if (plan.settings.price !== undefined || statesCost(provider ?? '')) return true
  if (model === null) return false
  return hasPrice({ provider, model, at }, priceOf(plan, files))
}

/** Rejects a plan that `run` would refuse on this machine: a key, a login or a browser is missing. */
export async function requireRunnable(plan: Plan, files: OwnFiles): Promise<void> {
  const { kind, name } = plan.subject
  if (kind === 'library' || splitPair(name) !== null) await findChromium(RUNNER_ENV)
  if (plan.settings.login !== undefined)
    openLogin(pickAgent(name, files.agentFile ?? null), RUNNER_ENV)
  const serving = servingOf(plan, files)
  if (serving) findKey(serving.served, serving.provider, RUNNER_ENV)
}

/**
 * Sends the plan's provider a free request before anything is started. Throws a one-sentence RunnerError if it is
 * unreachable; an unusual response is reported on stderr.
 */
export async function requireReachable(
  plan: Plan,
  { kind }: Pick<ModelSource, 'kind'>,
  files: OwnFiles,
): Promise<void> {
  const reach = kind === 'provider' ? await reachServing(plan, files) : null
  if (reach === null) return
  if (!reach.ok) throw placeError(`${reach.reason}; nothing was started`)
  if (reach.doubt !== null) writeError(`warning: ${reach.doubt}`)
}

/** Describes the limits that the plan's provider has left, in a sentence. Null = unknown. */
export async function describeQuota(plan: Plan, files: OwnFiles): Promise<string | null> {
  const reach = await reachServing(plan, files)
  if (!reach?.ok || reach.quota === null) return null
  return `${plan.subject.provider} has left: ${reach.quota}`
}

async function reachServing(plan: Plan, files: OwnFiles) {
  if (plan.subject.provider === SCRIPTED) return null
  const serving = servingOf(plan, files)
  if (!serving || serving.provider.protocol === null) return null
  const { served, provider } = serving
  const resolved = resolveEndpoint(provider, serving.provider.protocol, RUNNER_ENV)
  const key = findKey(served, provider, RUNNER_ENV)
  return reachProvider(resolved, serving.provider.protocol, key)
}

/** Returns the provider of the plan's model; null = it has none, no gateway is used, or a login replaces the key. */
function servingOf(
  { subject, settings, command }: Plan,
  { agentFile = null, providerFile = null }: OwnFiles,
): { served: Served; provider: ServingProvider } | null {
  if (command !== null || subject.provider === null || settings.login !== undefined) return null
  const { kind, name } = subject
  const served =
    kind === 'agent'
      ? pickAgent(splitPair(name)?.agent ?? name, agentFile)
      : modelDriven(findLibrary(name) ?? { name })
  const known = knownProviders(providerFile)
  const provider = findProvider(served, providerName(subject.provider), known)
  return provider && { served, provider }
}
