import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { priceUsage } from '#lib/domain/prices/index.ts'
import { PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'
import { requestHeaders, upstreamUrl } from '../gateway/headers.ts'
import { knownProviders, shippedProviders } from './known-providers.ts'
import { priceByRates } from './price-by-rates.ts'
import { resolveEndpoint, toUpstream } from './resolve-endpoint.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-providers-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function fileOf(text: string): string {
  const path = join(root, 'providers.yaml')
  writeFileSync(path, `schemaVersion: 1\nproviders:\n${text}`)
  return path
}

/** A hundred lines that would expand to a million values. */
const ALIAS_BOMB = ['a', 'b', 'c', 'd', 'e', 'f']
  .map((name, index, all) => {
    const part = index === 0 ? 'x' : `*${all[index - 1]}`
    return `  ${name}: &${name} [${Array(10).fill(part).join(', ')}]\n`
  })
  .join('')

const OWN = {
  AZURE_OPENAI_RESOURCE: 'my-res',
  GOOGLE_CLOUD_PROJECT: 'my-project',
  AWS_REGION: 'eu-west-1',
  VLLM_URL: 'http://gpu7.lan:8000',
}

/** Path that an agent requests below the gateway's address, by protocol. */
const ASKED: Record<Protocol, string> = {
  anthropic: '/v1/messages',
  'openai-responses': '/v1/responses',
  'openai-chat': '/v1/chat/completions',
  gemini: '/v1beta/models/m-1:streamGenerateContent',
}

/** Returns the forwarded request: its URL, and the one header that carries the key. */
function requestOf(name: string, protocol: Protocol) {
  const provider = shippedProviders().get(name)
  if (!provider) throw new Error(`no ${name}`)
  const resolved = resolveEndpoint(provider, protocol, OWN)
  const upstream = toUpstream(resolved, 'KEY')
  const headers = requestHeaders({ authorization: 'Bearer dummy' }, upstream.headers, null, [])
  const [carrier] = Object.entries(headers).filter(([, value]) => String(value).includes('KEY'))
  const url = upstreamUrl(upstream, ASKED[protocol], new URLSearchParams()).href
  return [name, protocol, url, carrier?.join(': '), resolved.identity]
}

const GOOGLE = 'https://generativelanguage.googleapis.com'
const AZURE = 'https://my-res.openai.azure.com/openai/v1'
const VERTEX = 'https://aiplatform.googleapis.com/v1/projects/my-project/locations/global'
const BEARER = 'authorization: Bearer KEY'

/** From the vendors' documentation: URL, header of the key, and the provider's name in a plan. */
const EXPECTED: [string, Protocol, string, string, string?][] = [
  ['anthropic', 'anthropic', 'https://api.anthropic.com/v1/messages', 'x-api-key: KEY'],
  ['openai', 'openai-responses', 'https://api.openai.com/v1/responses', BEARER],
  ['openai', 'openai-chat', 'https://api.openai.com/v1/chat/completions', BEARER],
  ['google', 'openai-chat', `${GOOGLE}/v1beta/openai/chat/completions`, BEARER],
  ['google', 'gemini', `${GOOGLE}${ASKED.gemini}`, 'x-goog-api-key: KEY'],
  ['openrouter', 'anthropic', 'https://openrouter.ai/api/v1/messages', BEARER],
  ['openrouter', 'openai-responses', 'https://openrouter.ai/api/v1/responses', BEARER],
  ['openrouter', 'openai-chat', 'https://openrouter.ai/api/v1/chat/completions', BEARER],
  ['moonshot', 'anthropic', 'https://api.moonshot.ai/anthropic/v1/messages', 'x-api-key: KEY'],
  ['moonshot', 'openai-responses', 'https://api.moonshot.ai/v1/responses', BEARER],
  ['moonshot', 'openai-chat', 'https://api.moonshot.ai/v1/chat/completions', BEARER],
  ['xai', 'openai-responses', 'https://api.x.ai/v1/responses', BEARER],
  ['xai', 'openai-chat', 'https://api.x.ai/v1/chat/completions', BEARER],
  [
    'dashscope',
    'openai-chat',
    'https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions',
    BEARER,
  ],
  ['deepseek', 'anthropic', 'https://api.deepseek.com/anthropic/v1/messages', 'x-api-key: KEY'],
  ['deepseek', 'openai-chat', 'https://api.deepseek.com/chat/completions', BEARER],
  ['groq', 'openai-responses', 'https://api.groq.com/openai/v1/responses', BEARER],
  ['groq', 'openai-chat', 'https://api.groq.com/openai/v1/chat/completions', BEARER],
  ['mistral', 'openai-chat', 'https://api.mistral.ai/v1/chat/completions', BEARER],
  ['zai', 'anthropic', 'https://api.z.ai/api/anthropic/v1/messages', 'x-api-key: KEY'],
  ['zai', 'openai-chat', 'https://api.z.ai/api/paas/v4/chat/completions', BEARER],
  ['cerebras', 'openai-chat', 'https://api.cerebras.ai/v1/chat/completions', BEARER],
  ['github-models', 'openai-chat', 'https://models.github.ai/inference/chat/completions', BEARER],
  [
    'azure',
    'anthropic',
    'https://my-res.services.ai.azure.com/anthropic/v1/messages',
    'x-api-key: KEY',
    'azure@my-res.services.ai.azure.com',
  ],
  [
    'azure',
    'openai-responses',
    `${AZURE}/responses`,
    'api-key: KEY',
    'azure@my-res.openai.azure.com',
  ],
  [
    'azure',
    'openai-chat',
    `${AZURE}/chat/completions`,
    'api-key: KEY',
    'azure@my-res.openai.azure.com',
  ],
  [
    'vertex',
    'openai-chat',
    `${VERTEX}/endpoints/openapi/chat/completions`,
    BEARER,
    'vertex@aiplatform.googleapis.com',
  ],
  [
    'vertex',
    'gemini',
    `${VERTEX}/publishers/google/models/m-1:streamGenerateContent`,
    BEARER,
    'vertex@aiplatform.googleapis.com',
  ],
  [
    'bedrock',
    'anthropic',
    'https://bedrock-mantle.eu-west-1.api.aws/anthropic/v1/messages',
    'x-api-key: KEY',
    'bedrock@bedrock-mantle.eu-west-1.api.aws',
  ],
  ...(['responses', 'chat/completions'] as const).map(
    (path): [string, Protocol, string, string, string] => [
      'bedrock',
      path === 'responses' ? 'openai-responses' : 'openai-chat',
      `https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1/${path}`,
      BEARER,
      'bedrock@bedrock-runtime.eu-west-1.amazonaws.com',
    ],
  ),
  ...localDoors('ollama', '127.0.0.1:11434', BEARER),
  ...localDoors('vllm', 'gpu7.lan:8000', BEARER),
  ...localDoors('lmstudio', '127.0.0.1:1234', 'x-api-key: KEY'),
  ...localDoors('litellm', '127.0.0.1:4000', 'x-api-key: KEY'),
]

function localDoors(
  name: string,
  host: string,
  anthropicKey: string,
): [string, Protocol, string, string, string][] {
  return (['anthropic', 'openai-responses', 'openai-chat'] as const).map((protocol) => [
    name,
    protocol,
    `http://${host}${ASKED[protocol]}`,
    protocol === 'anthropic' ? anthropicKey : BEARER,
    `${name}@${host}`,
  ])
}

describe('the providers that are shipped', () => {
  it('speak where and as their documentation says, each protocol of each', () => {
    const built = [...shippedProviders().values()].flatMap(({ name, protocols }) =>
      PROTOCOLS.filter((protocol) => protocols[protocol]).map((one) => requestOf(name, one)),
    )
    const expected = EXPECTED.map(([name, protocol, url, header, identity = name]) => [
      ...[name, protocol, url, header, identity],
    ])
    const known = new Set(EXPECTED.map(([name]) => name))
    expect(built.filter(([name]) => known.has(`${name}`))).toEqual(expected)
    // A key is sent encrypted, or does not leave this machine.
    for (const [name, , url] of built.filter(([name]) => name !== 'vllm'))
      expect(url, `${name}`).toMatch(/^(https:|http:\/\/127\.0\.0\.1:)/)
  })

  it('have a price in the table where they say so', () => {
    const tables = [...shippedProviders().values()].filter(
      ({ rates }) => rates !== null && rates !== 'free',
    )
    expect(tables.length).toBeGreaterThan(10)
    for (const { name, rates, example } of tables) {
      const tokens = { input: 1e6, output: 1e6, cacheRead: null, cacheWrite: null, reasoning: null }
      const at = '2026-11-01T00:00:00.000Z'
      const { costMicroUsd } = priceByRates(
        rates,
        priceUsage,
      )({ provider: name, model: example, tokens, at })
      expect(costMicroUsd, `${name} ${example}`).toBeGreaterThan(0)
    }
  })
})

describe("a provider file of one's own", () => {
  it('adds a provider, with what only that one has', () => {
    const file = fileOf(`  acme:
    title: Acme
    keys: [ACME_TOKEN]
    headers: { X-Team: bench }
    price: { input: 0.5, output: 2, cacheRead: 0.1 }
    protocols:
      openai-chat: { baseUrl: "https://\${ACME_HOST:-llm.acme.example}:8443/v2", auth: { header: X-Acme-Key } }
`)
    const acme = knownProviders(file).get('acme')
    if (!acme) throw new Error('no acme')
    const resolved = resolveEndpoint(acme, 'openai-chat', {})
    expect(resolved.identity).toBe('acme@llm.acme.example:8443')
    expect(toUpstream(resolved, 'k')).toEqual({
      provider: 'acme@llm.acme.example:8443',
      baseUrl: 'https://llm.acme.example:8443/v2',
      version: '',
      headers: { 'x-team': 'bench', 'x-acme-key': 'k' },
    })
    expect(toUpstream(resolved, null).headers).toEqual({ 'x-team': 'bench' })
    const priced = priceByRates(
      acme.rates,
      priceUsage,
    )({
      provider: 'acme',
      model: 'gpt-5',
      tokens: { input: 1000, output: 100, cacheRead: 400, cacheWrite: null, reasoning: null },
      at: '2026-11-01T10:00:00.000Z',
    })
    expect(priced).toEqual({
      costMicroUsd: 540,
      source: 'given',
      priceTable: {
        id: 'provider file: USD per million 0.5 in, 2 out, 0.1 cache read',
        date: '2026-11-01',
      },
    })
  })

  it('changes a known one; at another address it is no longer called by the name alone', () => {
    const file = fileOf(`  openai:
    protocols:
      openai-chat: { baseUrl: https://llm.example.com/openai/v1 }
  anthropic:
    keys: [CLAUDE_TOKEN]
`)
    const known = knownProviders(file)
    const openai = known.get('openai')
    expect(openai).toMatchObject({ title: 'OpenAI', keys: ['OPENAI_API_KEY'], needsKey: true })
    // All protocols are replaced together: none stays at the vendor's address.
    expect(Object.keys(openai?.protocols ?? {})).toEqual(['openai-chat'])
    expect(openai && resolveEndpoint(openai, 'openai-chat', {}).identity).toBe(
      'openai@llm.example.com',
    )
    const anthropic = known.get('anthropic')
    expect(anthropic?.keys).toEqual(['CLAUDE_TOKEN'])
    expect(anthropic && resolveEndpoint(anthropic, 'anthropic', {}).identity).toBe('anthropic')
    expect(knownProviders(null, { PROOFBOARD_PROVIDERS: file }).get('anthropic')?.keys).toEqual([
      'CLAUDE_TOKEN',
    ])
  })

  it.each([
    ['ftp://a.example', 'does not begin with https:// or http://'],
    ['llm.example', 'is not a URL'],
    ['https://me:hunter2@a.example/v1', 'contains a user name or password'],
    ['https://a.example/v1?key=hunter2', 'has a query or fragment'],
    ['https://$' + '{lower}.example', 'has a placeholder that is not written as'],
  ])('refuses the base URL %s with its line, and does not repeat it', (baseUrl, why) => {
    const file = fileOf(`  acme:\n    protocols:\n      openai-chat: { baseUrl: "${baseUrl}" }\n`)
    const read = () => knownProviders(file)
    expect(read).toThrow(
      new RegExp(`line 5: providers.acme.protocols.openai-chat.baseUrl: ${why.slice(0, 20)}`),
    )
    expect(read).not.toThrow(/hunter2/)
  })

  it.each([
    ['  acme: {}\n', /acme.protocols: needs at least one protocol/],
    ['  scripted: { protocols: { openai-chat: { baseUrl: https://a } } }\n', /scripted model/],
    ['  acme: { keys: [PATH] }\n', /expected the name of an environment variable/],
    ['  acme: { keys: [NODE_OPTIONS] }\n', /is not a valid variable name for a key/],
    ['  acme: { baseUrl: https://a }\n', /line 3: .*acme: Unrecognized key: "baseUrl"/],
    ['  acme: { price: cheap }\n', /acme.price: expected free, /],
    ['  acme: { price: { input: -1, output: 1 } }\n', /acme.price.input: Too small/],
    ['  acme: { price: { input: .nan, output: 1 } }\n', /acme.price: expected free, /],
    ['  acme: { price: { input: 1e308, output: 1 } }\n', /acme.price.input: Too big/],
    ['  acme: { headers: { Authorization: "Bearer k" } }\n', /carries a key: name its variable/],
    ['  acme: { headers: { transfer-encoding: chunked } }\n', /is set by the gateway/],
    ['  acme: { headers: { x-a: "a\\r\\nx-b: c" } }\n', /expected one line of plain text/],
    ['  Acme: { keys: [A_KEY] }\n', /expected at most 40 lower-case letters, digits and dashes/],
    ['  constructor: { keys: [A_KEY] }\n', /constructor.protocols: needs at least one protocol/],
    [ALIAS_BOMB, /cannot be read: Excessive alias count/],
    ['  acme: { models: "(" }\n', /expected a regular expression/],
    ['  - acme\n', /providers/],
  ])('refuses %s', (text, why) => {
    expect(() => knownProviders(fileOf(text))).toThrow(why)
  })

  it('refuses a file that is not there, and an address that this environment breaks', () => {
    expect(() => knownProviders(join(root, 'none.yaml'))).toThrow(/cannot read the provider file/)
    const azure = shippedProviders().get('azure')
    const vllm = shippedProviders().get('vllm')
    if (!azure || !vllm) throw new Error('not shipped')
    expect(() => resolveEndpoint(azure, 'openai-chat', {})).toThrow(
      /^Azure OpenAI needs AZURE_OPENAI_RESOURCE in the environment/,
    )
    expect(() =>
      resolveEndpoint(vllm, 'openai-chat', { VLLM_URL: 'http://u:hunter2@gpu' }),
    ).toThrow(/contains a user name or password/)
    expect(() =>
      resolveEndpoint(vllm, 'openai-chat', { VLLM_URL: 'http://u:hunter2@gpu' }),
    ).not.toThrow(/hunter2/)
  })
})
