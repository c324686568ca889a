import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose'

type Signing = { kid: string; privateKey: CryptoKey; publicKey: CryptoKey }

/** Default claims of a workflow's token. */
export const WORKFLOW = {
  sub: 'repo:acme/bench:ref:refs/heads/main',
  repository: 'acme/bench',
  repository_id: '4711',
  repository_owner: 'acme',
  repository_owner_id: '42',
  ref: 'refs/heads/main',
  ref_type: 'branch',
  sha: 'c'.repeat(40),
  event_name: 'push',
  workflow_ref: 'acme/bench/.github/workflows/bench.yml@refs/heads/main',
  job_workflow_ref: 'acme/bench/.github/workflows/bench.yml@refs/heads/main',
  run_id: '9001',
  run_attempt: '1',
  actor: 'jane',
  actor_id: '77',
  runner_environment: 'github-hosted',
}

/** A second allowed repository, of another owner. */
export const OTHER_REPOSITORY = {
  repository: 'rival/bench',
  repository_id: '815',
  sub: 'repo:rival/bench:ref:refs/heads/main',
  repository_owner: 'rival',
  repository_owner_id: '99',
}

type TokenOrder = {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  /** Seconds from now. */
  issuedIn?: number
  expiresIn?: number
}

/** An issuer of identity tokens like GitHub's, on a free port. */
export class LocalIssuer {
  /** Number of times that the keys were fetched. */
  keyFetches = 0
  /** Status to respond with instead of keys. */
  broken: number | null = null
  #signing: Signing
  #old: Signing[] = []
  #jtis = 0
  readonly #server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://issuer')
    const key = request.headers.authorization ?? ''
    void this.#answer(url, key).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
  })

  private constructor(signing: Signing) {
    this.#signing = signing
  }

  static async start(): Promise<LocalIssuer> {
    const issuer = new LocalIssuer(await makeKey('first'))
    await new Promise<void>((resolve) => issuer.#server.listen(0, '127.0.0.1', resolve))
    return issuer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Signs a token for an audience with the current key. */
  async sign(audience: string, order: TokenOrder = {}): Promise<string> {
    const { claims = {}, header = {}, issuedIn = 0, expiresIn = 300 } = order
    const now = Math.floor(Date.now() / 1000)
    const payload = {
      iss: this.url,
      aud: audience,
      jti: `jti-${++this.#jtis}`,
      iat: now + issuedIn,
      nbf: now + issuedIn,
      exp: now + expiresIn,
      ...WORKFLOW,
      ...claims,
    }
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: this.#signing.kid, ...header })
      .sign(this.#signing.privateKey)
  }

  /** Signs with a new key from now on; the previous one is removed, or stays listed. */
  async rotate({ keepOld = false } = {}): Promise<void> {
    if (keepOld) this.#old.push(this.#signing)
    this.#signing = await makeKey(`next-${Math.random()}`)
  }

  async publicPem(): Promise<string> {
    return exportSPKI(this.#signing.publicKey)
  }

  get kid(): string {
    return this.#signing.kid
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  /** The environment in which a workflow's steps can request tokens. */
  get workflowEnv(): Record<string, string> {
    return {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${this.url}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'key-of-the-job',
    }
  }

  async #answer(
    { pathname: path, searchParams }: URL,
    key: string,
  ): Promise<{ status: number; body: string }> {
    if (path === '/token') {
      if (key !== 'Bearer key-of-the-job') return { status: 401, body: '{}' }
      const run = searchParams.get('run_id')
      const claims = run === null ? {} : { run_id: run, event_name: 'workflow_dispatch' }
      const value = await this.sign(searchParams.get('audience') ?? '', { claims })
      return { status: 200, body: JSON.stringify({ count: value.length, value }) }
    }
    if (path === '/.well-known/openid-configuration') {
      const found = {
        issuer: this.url,
        jwks_uri: `${this.url}/keys`,
        id_token_signing_alg_values_supported: ['RS256'],
      }
      return { status: 200, body: JSON.stringify(found) }
    }
    if (path !== '/keys') return { status: 404, body: '{}' }
    this.keyFetches++
    if (this.broken !== null) return { status: this.broken, body: '{}' }
    const keys = await Promise.all([this.#signing, ...this.#old].map(publicJwk))
    return { status: 200, body: JSON.stringify({ keys }) }
  }
}

async function makeKey(kid: string): Promise<Signing> {
  return { kid, ...(await generateKeyPair('RS256', { extractable: true })) }
}

async function publicJwk({ kid, publicKey }: Signing): Promise<JWK> {
  return { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
}
