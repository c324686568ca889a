import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseBundle } from '#lib/domain/record/index.ts'
import { PROTOCOLS } from '#lib/domain/runs/index.ts'
import { TEST_CERTIFICATE } from '#lib/testing/cases/test-certificate.ts'
import { askModel } from '#lib/testing/factories/ask-model.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { startCountingProxy } from '#lib/testing/factories/counting-proxy.ts'
import { ASKS_ONCE, writeFakeAgent } from '#lib/testing/factories/fake-agent.ts'
import { sampleGatewayOptions } from '#lib/testing/factories/gateway.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { UpstreamPool } from '../gateway/call-upstream.ts'
import { startModelServer } from '../gateway/model-server.ts'
import { startGateway } from '../gateway/start-gateway.ts'
import { knownProviders } from './known-providers.ts'
import { reachProvider } from './reach-provider.ts'
import { resolveEndpoint, toUpstream } from './resolve-endpoint.ts'

/** Set before the runner's modules read the environment, and removed at once. */
const KEY = vi.hoisted(() => {
  process.env.ACME_HELD_API_KEY = 'acme-key-0123456789'
  return process.env.ACME_HELD_API_KEY
})
const SAYS_HELLO = { turns: [{ say: 'hello' }] }

const closing: (() => Promise<void>)[] = []
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-providers-'))
  chmodSync(root, 0o755) // at `local` agents and commands are another user
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  rmSync(root, { recursive: true, force: true })
})

async function model(key: string | null = null) {
  const server = await startModelServer(SAYS_HELLO, { key, port: 0 })
  closing.push(server.close)
  return server
}

/** A user's own provider that speaks all protocols, each below its own path. */
function acmeFile(base: string, more = 'keys: [ACME_TOKEN]'): string {
  const path = join(root, 'providers.yaml')
  const text = `schemaVersion: 1
providers:
  acme:
    ${more}
    price: { input: 2, output: 10 }
    protocols:
      anthropic: { baseUrl: ${base}/claude }
      openai-chat: { baseUrl: ${base}/oai/v9 }
      openai-responses: { baseUrl: ${base}/oai/v9 }
      gemini: { baseUrl: ${base}/goog, version: /v7 }
`
  writeFileSync(path, text)
  return path
}

const PATHS = {
  anthropic: '/claude/v1/messages',
  'openai-chat': '/oai/v9/chat/completions',
  'openai-responses': '/oai/v9/responses',
  gemini: '/goog/v7/models/m-1:streamGenerateContent',
}

describe('a provider that a file names', () => {
  it.each(PROTOCOLS)('is asked where it is, with its key, as %s', async (protocol) => {
    const server = await model(KEY)
    const acme = knownProviders(acmeFile(server.url)).get('acme')
    if (!acme) throw new Error('no acme')
    const upstream = toUpstream(resolveEndpoint(acme, protocol, {}), KEY)
    const gateway = await startGateway(
      sampleGatewayOptions('', { upstreams: { [protocol]: upstream } }),
    )
    closing.push(gateway.close)
    const response = await askModel(gateway, protocol, true)
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('hello'),
    ])
    expect(server.requests.map(({ path }) => path)).toEqual([PATHS[protocol]])
    await gateway.close()
    expect(gateway.report()).toMatchObject({ steps: 1, models: ['m-1'] })
  })
})

async function tlsModel(): Promise<number> {
  const server = createTlsServer(TEST_CERTIFICATE, (request, result) =>
    result.end(`${request.headers.host}${request.url}`),
  )
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function ask(pool: UpstreamPool, url: string): Promise<string> {
  const signal = AbortSignal.timeout(10_000)
  const request = { url: new URL(url), method: 'GET', headers: {}, body: null, signal }
  const response = await pool.call(request)
  const pieces: Uint8Array[] = []
  for await (const piece of response.body) pieces.push(piece)
  return `${response.status} ${Buffer.concat(pieces).toString()}`
}

function poolOf(own: Record<string, string>): UpstreamPool {
  const pool = new UpstreamPool(own)
  closing.push(async () => pool.close())
  return pool
}

describe('a proxy of the environment', () => {
  it('carries plain requests, and lets through what NO_PROXY names', async () => {
    const server = await model()
    const proxy = await startCountingProxy(Number(new URL(server.url).port), 'me:s3cret')
    closing.push(proxy.close)
    const own = { HTTP_PROXY: proxy.url.replace('//', '//me:s3cret@'), NO_PROXY: 'direct.test' }
    const pool = poolOf(own)
    const url = 'http://model.test/v1/models'
    expect(await ask(pool, url)).toMatch(/^200 /)
    expect(await ask(pool, url)).toMatch(/^200 /)
    expect(proxy.asked).toEqual([`GET ${url}`, `GET ${url}`])
    // direct.test does not exist: it was looked up without the proxy.
    await expect(ask(pool, 'http://direct.test/')).rejects.toMatchObject({ syscall: 'getaddrinfo' })
    expect(await ask(pool, `${server.url}/v1/models`)).toMatch(/^200 /)
    expect(proxy.asked).toHaveLength(2)
    expect(server.requests.some(({ headers }) => 'proxy-authorization' in headers)).toBe(false)
  })

  it('tunnels https, on one connection for several requests', async () => {
    const proxy = await startCountingProxy(await tlsModel(), 'me:s3cret')
    closing.push(proxy.close)
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const pool = poolOf({ https_proxy: proxy.url.replace('//', '//me:s3cret@') })
      expect(await ask(pool, 'https://model.test/a')).toBe('200 model.test/a')
      expect(await ask(pool, 'https://model.test/b')).toBe('200 model.test/b')
      expect(proxy.asked).toEqual(['CONNECT model.test:443'])
      const stranger = poolOf({ https_proxy: proxy.url })
      await expect(ask(stranger, 'https://model.test/a')).rejects.toMatchObject({
        code: 'PROXY_407',
        message: `the proxy ${proxy.url} (https_proxy) wants a user name and password: write them into https_proxy`,
      })
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
  })

  it('that is down is named, with its variable', async () => {
    const proxy = await startCountingProxy(9)
    await proxy.close()
    const down = `the proxy ${proxy.url} (HTTP_PROXY) cannot be reached (ECONNREFUSED)`
    const acme = knownProviders(acmeFile('http://model.test')).get('acme')
    if (!acme) throw new Error('no acme')
    const resolved = resolveEndpoint(acme, 'openai-chat', {})
    expect(await reachProvider(resolved, 'openai-chat', KEY, { HTTP_PROXY: proxy.url })).toEqual({
      ok: false,
      reason: `acme cannot be reached: ${down}`,
    })
    const tls = poolOf({ HTTPS_PROXY: proxy.url })
    await expect(ask(tls, 'https://model.test/')).rejects.toThrow(
      down.replace('HTTP_PROXY', 'HTTPS_PROXY'),
    )
  })
})

describe('the command line', () => {
  const here = (...args: string[]) => proofboardHere(join(root, 'data'), args)
  const suite = ['--suite', 'typescript', '--tasks', 'lru-cache']

  function agent(): string {
    const folder = join(root, 'agent')
    mkdirSync(folder, { recursive: true })
    return writeFakeAgent(folder, ASKS_ONCE)
  }

  it('measures with it from the key to the row: host, price, and no key anywhere', async () => {
    const server = await model(KEY)
    const { host } = new URL(server.url)
    const out = join(root, 'out')
    const file = acmeFile(server.url, 'keys: [ACME_HELD_API_KEY]')
    const args = ['run', ...suite, '--agent-file', agent(), '--provider-file', file]
    const more = ['--provider', 'acme', '--model', 'scripted-1', '--out', out, '--json']
    const { stderr, stdout } = await here(...args, ...more)
    expect(stderr).not.toContain('warning')
    expect(lastJson(stdout)).toMatchObject({ planned: 1, sealed: 1, void: 0 })
    const text = readFileSync(join(out, 'result.json'), 'utf8')
    const parsed = parseBundle(JSON.parse(text))
    if (!parsed.ok) throw new Error('no bundle')
    const [episode] = parsed.value.episodes
    expect(episode).toMatchObject({
      mode: 'live',
      subject: { provider: `acme@${host}`, modelRequested: 'scripted-1' },
      usage: {
        priceTable: { id: 'provider file: USD per million 2 in, 10 out' },
        costMicroUsd: expect.any(Number),
      },
    })
    expect(episode?.usage?.costMicroUsd).toBeGreaterThan(0)
    expect(text + stdout + stderr).not.toContain(KEY)
    // One request for its list of models, before anything costs money; then the agent's one turn.
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /claude/v1/models',
      'POST /claude/v1/messages',
    ])
  })

  it.each<[string, () => string[], RegExp, number]>([
    [
      'an unknown provider, with the nearest name',
      () => ['--provider', 'antropic'],
      /unknown provider of echo "antropic": did you mean anthropic\? .*--provider-file/,
      2,
    ],
    [
      'one that does not speak the agent’s protocol',
      () => ['--provider', 'groq'],
      /Groq speaks openai-responses, openai-chat and echo speaks anthropic/,
      2,
    ],
    [
      'a missing key, by its variable',
      () => ['--provider', 'acme', '--provider-file', acmeFile('http://127.0.0.1:9')],
      /echo needs ACME_TOKEN in the environment to reach acme/,
      2,
    ],
    [
      'a provider that cannot be reached, before anything is started',
      () => ['--provider', 'acme', '--provider-file', acmeFile('http://127.0.0.1:9', 'keys: []')],
      /acme cannot be reached at 127\.0\.0\.1:9 \(ECONNREFUSED\); nothing was started/,
      1,
    ],
    [
      'a base URL with a password in it',
      () => ['--provider', 'acme', '--provider-file', acmeFile('http://me:hunter2@a.example')],
      /baseUrl: contains a user name or password/,
      2,
    ],
    [
      'an address that needs a variable',
      () => ['--provider', 'azure'],
      /Azure OpenAI needs AZURE_OPENAI_RESOURCE in the environment/,
      2,
    ],
  ])('refuses %s', async (_, options, words, code) => {
    const out = join(root, 'out')
    const args = ['run', ...suite, '--agent-file', agent(), '--model', 'm-1', '--out', out]
    const ended = await here(...args, ...options())
    expect(ended.stderr.trim().split('\n').at(-1)).toMatch(words)
    expect(ended).toMatchObject({ code, stderr: expect.not.stringContaining('hunter2') })
    expect(existsSync(out)).toBe(false)
  })

  it('lists the providers with address, protocols, key and price, and checks one', async () => {
    const server = await model()
    const file = acmeFile(server.url, 'keys: [ACME_TOKEN]\n    needsKey: false')
    const listed = await here('providers', 'list', '--provider-file', file, '--json')
    const { providers } = lastJson(listed.stdout) as { providers: { name: string }[] }
    expect(providers).toHaveLength(knownProviders(null).size + 1)
    expect(providers.find(({ name }) => name === 'acme')).toEqual({
      name: 'acme',
      title: 'acme',
      endpoints: [
        { protocol: 'anthropic', baseUrl: `${server.url}/claude` },
        { protocol: 'openai-responses', baseUrl: `${server.url}/oai/v9` },
        { protocol: 'openai-chat', baseUrl: `${server.url}/oai/v9` },
        { protocol: 'gemini', baseUrl: `${server.url}/goog` },
      ],
      keys: ['ACME_TOKEN'],
      needsKey: false,
      keysFrom: null,
      present: [],
      missing: [],
      price: '2 in, 10 out, USD per million tokens',
      file,
    })
    const text = (await here('providers', 'list')).stdout
    expect(text).toContain('openai-chat      https://api.groq.com/openai/v1')
    expect(text).toContain('key: none needed; OLLAMA_API_KEY is sent if it is set')
    expect(text).toContain('not set: AZURE_OPENAI_RESOURCE')
    const checked = await here('providers', 'check', 'acme', '--provider-file', file)
    expect(checked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ok {3}acme .*answers/),
    })
    const unknown = await here('providers', 'check', 'groc')
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean groq') })
  })
})
