import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Upstream } from '../gateway/headers.ts'
import { subjectError } from '../runner-error.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import { addressMistake, fillPlaces, neededPlaces } from './address.ts'
import type { Provider, ProviderEndpoint } from './known-providers.ts'

/** An address of a provider on this machine. */
export type ResolvedEndpoint = {
  provider: Provider
  endpoint: ProviderEndpoint
  /** The base URL with its variables filled in. */
  baseUrl: string
  /** Name of the provider in plans and envelopes: its name, and its host if the name alone does not identify it. */
  identity: string
}

const MAX_IDENTITY = 100

/**
 * Resolves a provider's endpoint for a protocol. Throws a one-sentence RunnerError, which never repeats the address,
 * because it may contain a password.
 */
export function resolveEndpoint(
  provider: Provider,
  protocol: Protocol,
  env: Env,
): ResolvedEndpoint {
  const { name, title } = provider
  const endpoint = provider.protocols[protocol]
  if (!endpoint) throw subjectError(`${title} does not speak ${protocol}`, '--provider')
  const missing = neededPlaces(endpoint.baseUrl).filter((place) => !env[place])
  if (missing.length > 0)
    throw subjectError(
      `${title} needs ${missing.join(' and ')} in the environment: the base URL is ${endpoint.baseUrl}`,
      '--provider',
    )
  const baseUrl = fillPlaces(endpoint.baseUrl, env)
  const mistake = addressMistake(baseUrl)
  if (mistake !== null)
    throw subjectError(
      `the base URL of ${title}, ${endpoint.baseUrl} with the variables of this environment, ${mistake}`,
      '--provider',
    )
  const identity = endpoint.isVendor ? name : `${name}@${new URL(baseUrl).host}`
  if (identity.length > MAX_IDENTITY)
    throw subjectError(
      `${identity} is too long to be recorded: name the provider or its host in ${MAX_IDENTITY} characters`,
      '--provider',
    )
  return { provider, endpoint, baseUrl, identity }
}

/** Returns the facts that the gateway needs; without a key no header carries one. */
export function toUpstream(
  { provider, endpoint, baseUrl, identity }: ResolvedEndpoint,
  key: string | null,
): Upstream {
  const { header, prefix } = endpoint.auth
  const extra = Object.entries(provider.headers).map(([name, text]) => [name.toLowerCase(), text])
  return {
    provider: identity,
    baseUrl,
    ...(endpoint.version === null ? {} : { version: endpoint.version }),
    headers: {
      ...Object.fromEntries(extra),
      ...(key === null ? {} : { [header]: `${prefix}${key}` }),
    },
  }
}
