import { providerName, type Subject } from '#lib/domain/record/index.ts'
import { type AgentDefinition, SCRIPTED } from '#lib/domain/runs/index.ts'
import type { GatewayClient, ModelAccess, ModelSource } from '../../gateway/model-access.ts'
import { knownProviders, type Provider } from '../../providers/known-providers.ts'
import { resolveEndpoint, toUpstream } from '../../providers/resolve-endpoint.ts'
import { subjectError } from '../../runner-error.ts'
import { concealKeys, type Env } from '../../sandbox/process/own-env.ts'
import { findProvider, refuseProvider, type Served, type ServingProvider } from './providers.ts'

/**
 * Resolves everything a gateway needs for the planned model: the provider as known here, its key unless a script or a
 * recording responds, its address and its prices. Throws a one-sentence RunnerError before anything runs.
 */
export function plannedClient(
  served: Served,
  subject: Subject,
  access: ModelAccess,
  env: Env,
): GatewayClient {
  const { source } = access
  const planned = subject.provider ?? ''
  const provider = plannedProvider(served, planned, access)
  const { protocol } = provider
  if (protocol === null)
    throw subjectError(
      `the plan names no provider of ${served.name} that this machine knows: freeze a new plan`,
    )
  checkModelSource(served.name, planned === SCRIPTED, source)
  const key = source.kind === 'replay' ? null : findKey(served, provider, env)
  const reached = gatewayAccess(provider, planned, { key, source, env })
  return { ...access, ...reached, subject, provider: { name: planned, protocol }, key }
}

/** Returns the provider that a plan names, as known here. Throws a RunnerError. */
export function plannedProvider(
  served: Served,
  planned: string,
  { providers = knownProviders(null) }: Pick<ModelAccess, 'providers'>,
): ServingProvider {
  const found = findProvider(served, providerName(planned), providers)
  if (found) return found
  throw subjectError(
    `the plan names the provider "${planned}": ${refuseProvider(served, providerName(planned), providers)}`,
    '--provider',
  )
}

/**
 * Returns a provider's address and prices for a gateway. A script or recording needs no provider. Throws a RunnerError
 * if the provider's address is not the one that the plan was frozen with.
 */
export function gatewayAccess(
  provider: ServingProvider,
  planned: string,
  { key, source, env }: { key: string | null; source: ModelSource; env: Env },
): Pick<GatewayClient, 'upstream' | 'rates'> {
  const { protocol, rates } = provider
  if (source.kind !== 'provider' || protocol === null) return { upstream: null, rates }
  const resolved = resolveEndpoint(provider, protocol, env)
  if (resolved.identity !== planned)
    throw subjectError(
      `the plan was frozen for ${planned}, and ${provider.name} is ${resolved.identity} here: freeze a new plan, or restore the address`,
      '--provider',
    )
  return { upstream: toUpstream(resolved, key), rates }
}

/** Throws a RunnerError unless scripts and the provider `scripted` are used together: else a result could look real. */
export function checkModelSource(name: string, isScripted: boolean, { kind }: ModelSource): void {
  if (isScripted && kind === 'provider')
    throw subjectError(
      `the provider "${SCRIPTED}" needs a script: use --script solve or --script file.json`,
    )
  if (!isScripted && kind === 'scripted')
    throw subjectError(
      `--script requires --provider ${SCRIPTED}: the plan of ${name} names a real provider`,
    )
}

/** Characters that node refuses in a header, so they are found before a run starts. */
const NOT_IN_HEADERS = /[^\t\x20-\x7e\x80-\xff]/

/** Returns the provider's key; null = it needs none. Only the gateway and an unmetered agent get it. Throws a RunnerError. */
export function findKey(
  { name }: Pick<AgentDefinition, 'name'>,
  provider: Provider,
  env: Env,
): string | null {
  if (provider.keys.length === 0) return null
  const found = provider.keys.map((key) => env[key]).find(Boolean)
  concealKeys(provider.keys)
  if (found && NOT_IN_HEADERS.test(found))
    throw subjectError(
      `the key in ${provider.keys.join(' or ')} contains a line break or another character that HTTP headers cannot contain: set it again`,
      '--provider',
    )
  if (found) return found
  if (!provider.needsKey) return null
  const where = provider.keysFrom ? `: get a key at ${provider.keysFrom} and set it` : ''
  throw subjectError(
    `${name} needs ${provider.keys.join(' or ')} in the environment to reach ${provider.title}${where}`,
    '--provider',
  )
}
