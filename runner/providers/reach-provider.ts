import type { Protocol } from '#lib/domain/runs/index.ts'
import { findProxy, ProxyError } from '#lib/outgoing/proxy.ts'
import { UpstreamPool } from '../gateway/call-upstream.ts'
import { upstreamUrl } from '../gateway/headers.ts'
import { readQuota } from '../gateway/read-quota.ts'
import { type Env, RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { type ResolvedEndpoint, toUpstream } from './resolve-endpoint.ts'

/** Result of a free request to a provider. */
type Reach =
  | {
      ok: true
      status: number
      doubt: string | null
      /** Remaining limits of the provider; null = not stated. */
      quota: string | null
    }
  /** A sentence without a key, a password or a path. */
  | { ok: false; reason: string }

const MAX_MS = 20_000
const UNAUTHORISED = 401
const PROXY_WANTS_LOGIN = 407
const REDIRECTS = { from: 300, to: 399 }
const NOT_FOUND = 404

/**
 * Requests a provider's list of models. Any response shows that it can be reached: not every provider has such a list,
 * and a key may be valid for turns only, so a refusal is only a warning.
 */
export async function reachProvider(
  resolved: ResolvedEndpoint,
  protocol: Protocol,
  key: string | null,
  env: Env = RUNNER_ENV,
): Promise<Reach> {
  const upstream = toUpstream(resolved, key)
  const path = protocol === 'gemini' ? '/v1beta/models' : '/v1/models'
  const url = upstreamUrl(upstream, path, new URLSearchParams())
  const pool = new UpstreamPool(env)
  const signal = AbortSignal.timeout(MAX_MS)
  const version = protocol === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}
  const headers = { accept: 'application/json', ...version, ...upstream.headers }
  try {
    const response = await pool.call({ url, method: 'GET', headers, body: null, signal })
    response.abort()
    if (response.status === PROXY_WANTS_LOGIN) return { ok: false, reason: proxyRefusal(url, env) }
    const { status } = response
    const quota = readQuota(response.headers, Date.now())
    return { ok: true, status, doubt: doubtOf(resolved, status, key), quota }
  } catch (error) {
    return { ok: false, reason: unreachable(resolved, url, error as NodeJS.ErrnoException) }
  } finally {
    pool.close()
  }
}

function proxyRefusal(url: URL, env: Env): string {
  const proxy = findProxy(url, env)
  return `the proxy ${proxy?.shown} wants a user name and password: write them into ${proxy?.variable}`
}

function unreachable(
  { provider }: ResolvedEndpoint,
  url: URL,
  error: NodeJS.ErrnoException,
): string {
  const { title } = provider
  if (error instanceof ProxyError) return `${title} cannot be reached: ${error.message}`
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `${title} cannot be reached: ${url.host} did not answer within ${MAX_MS / 1000} s`
  const isUntrusted = /CERT|SIGNATURE|ISSUER/.test(error.code ?? '')
  const hint = isUntrusted ? ': name your own authority with NODE_EXTRA_CA_CERTS' : ''
  return `${title} cannot be reached at ${url.host} (${error.code ?? 'no answer'})${hint}`
}

function doubtOf(
  { provider, endpoint }: ResolvedEndpoint,
  status: number,
  key: string | null,
): string | null {
  const { title, keys } = provider
  if (status === UNAUTHORISED)
    return key === null
      ? `${title} answered ${status}: it may want a key in ${keys.join(' or ') || 'a variable that its entry names'}`
      : `${title} answered ${status}: it may not accept the key in ${keys.join(' or ')}`
  if (status >= REDIRECTS.from && status <= REDIRECTS.to)
    return `${title} answered with a redirect (${status}), which is not followed: check its base URL`
  if (status === NOT_FOUND && !endpoint.isVendor)
    return `${title} has no list of models below its base URL (${status}): check that it is the one for this protocol, with /v1 for OpenAI's and without for Anthropic's`
  return null
}
