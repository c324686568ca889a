import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { trimSlash } from '../../domain/accounts/index.ts'
import { isLoopback } from '../../domain/text/index.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { ask } from '../../outgoing/request.ts'

/** Limits in milliseconds: timeout of a request to an issuer, delay after a failed fetch, and age of its keys. */
type KeyTimes = { timeoutMs: number; cooldownMs: number; maxAgeMs: number }

const TIMES: KeyTimes = { timeoutMs: 5000, cooldownMs: 30_000, maxAgeMs: 10 * 60_000 }
const DISCOVERY_AGE_MS = 60 * 60_000
/** Algorithms accepted from an issuer, whatever else it declares. */
const ALGORITHMS = ['RS256', 'ES256']

const discoverySchema = z.object({
  issuer: z.string(),
  jwks_uri: z.url().max(1000),
  id_token_signing_alg_values_supported: z.array(z.string()).default(['RS256']),
})

const keySetSchema = z.object({ keys: z.array(z.looseObject({})) })

type IssuerKeys = { getKey: JWTVerifyGetKey; algorithms: string[] }

type Known = { keys: Promise<IssuerKeys>; until: number }

const log = createLog('oidc')

const MAX_BYTES = 1024 * 1024
const MAX_MS = 30_000

/** Keys of issuers by name, fetched when first needed, and again when they are old or an unknown key is used. */
export class KeyRing {
  readonly #known = new Map<string, Known>()
  readonly #times: KeyTimes

  constructor(times: KeyTimes = TIMES) {
    this.#times = times
  }

  /**
   * Returns an issuer's keys. Throws an AppError (issuer-unreachable) when it does not respond with a valid document.
   */
  async of(issuer: string): Promise<IssuerKeys> {
    const known = this.#known.get(issuer)
    if (known && known.until > performance.now()) return known.keys
    const found: Known = {
      keys: this.#discover(issuer),
      until: performance.now() + DISCOVERY_AGE_MS,
    }
    this.#known.set(issuer, found)
    found.keys.catch(() => {
      found.until = performance.now() + this.#times.cooldownMs
    })
    return found.keys
  }

  async #discover(issuer: string): Promise<IssuerKeys> {
    const { timeoutMs, cooldownMs, maxAgeMs } = this.#times
    try {
      const address = `${trimSlash(issuer)}/.well-known/openid-configuration`
      const response = await fetchSmall(address, { signal: AbortSignal.timeout(timeoutMs) })
      if (!response.ok) throw new Error(`it answered ${response.status}`)
      const found = discoverySchema.parse(await response.json())
      if (found.issuer !== issuer) throw new Error(`it calls itself ${found.issuer.slice(0, 200)}`)
      const remote = createRemoteJWKSet(safeAddress(found.jwks_uri), {
        timeoutDuration: timeoutMs,
        cooldownDuration: cooldownMs,
        cacheMaxAge: maxAgeMs,
        [customFetch]: rememberFailure(fetchKeys, cooldownMs),
      })
      const declared = found.id_token_signing_alg_values_supported
      const algorithms = ALGORITHMS.filter((name) => declared.includes(name))
      return { algorithms, getKey: logFailure(issuer, remote) }
    } catch (error) {
      throw unreachable(issuer, error)
    }
  }
}

function safeAddress(text: string): URL {
  const url = new URL(text)
  const isOwn = url.protocol === 'http:' && isLoopback(url.href)
  if (url.protocol === 'https:' || isOwn) return url
  throw new Error(`its keys are not served over https: ${text.slice(0, 200)}`)
}

/** Logs failures to load keys. An unknown key is the token's fault and not logged. */
function logFailure(issuer: string, getKey: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, input) => {
    try {
      return await getKey(header, input)
    } catch (error) {
      const isOfToken =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys ||
        error instanceof errors.JOSENotSupported
      throw isOfToken ? error : unreachable(issuer, error)
    }
  }
}

function unreachable(issuer: string, cause: unknown): AppError {
  log.warn('the keys of an issuer cannot be had', { issuer, error: cause })
  const message = `The keys of ${issuer} cannot be fetched, so its tokens cannot be verified: nothing was stored, try again in a minute.`
  return new AppError('issuer-unreachable', message, { cause, retryAfterMs: 30_000 })
}

type Fetch = (url: string, options: RequestInit) => Promise<Response>

/** Wraps a fetch: after a failure it fails again without a request for `forMs`. */
function rememberFailure(fetchOnce: Fetch, forMs: number): Fetch {
  let failed: { error: unknown; until: number } | null = null
  return async (url, options) => {
    if (failed && failed.until > performance.now()) throw failed.error
    try {
      return await fetchOnce(url, options)
    } catch (error) {
      failed = { error, until: performance.now() + forMs }
      throw error
    }
  }
}

/** Fetches a key set. Throws for anything else. */
async function fetchKeys(url: string, options: RequestInit): Promise<Response> {
  const response = await fetchSmall(url, options)
  if (response.status !== 200) throw new Error(`it answered ${response.status}`)
  keySetSchema.parse(await response.clone().json())
  return response
}

/** Fetches a small document: follows no redirect and reads at most a megabyte. */
async function fetchSmall(address: string, { signal }: RequestInit): Promise<Response> {
  const request = { ...(signal && { signal }), timeoutMs: MAX_MS, maxBytes: MAX_BYTES }
  const { status, headers, body } = await ask(new URL(address), request)
  const type = headers['content-type'] ?? 'application/json'
  const hasBody = status >= 200 && status !== 204 && status !== 205 && status !== 304
  return new Response(hasBody ? new Uint8Array(body) : null, {
    status: status >= 200 ? status : 502,
    headers: { 'content-type': type },
  })
}
