import { subjectError } from '../runner-error.ts'
import type { Upstream } from './gateway-options.ts'
import type { Protocol } from './protocol.ts'

/** How a provider wants to be shown its key. */
type KeyHeader = 'bearer' | 'x-api-key' | 'x-goog-api-key'
type Endpoint = { baseUrl: string; key: KeyHeader }

/** Where each provider speaks which protocol; the protocol's own path comes after. */
const ENDPOINTS: Readonly<Record<string, Partial<Record<Protocol, Endpoint>>>> = {
  anthropic: { anthropic: { baseUrl: 'https://api.anthropic.com', key: 'x-api-key' } },
  openai: {
    'openai-responses': { baseUrl: 'https://api.openai.com', key: 'bearer' },
    'openai-chat': { baseUrl: 'https://api.openai.com', key: 'bearer' },
  },
  google: {
    gemini: { baseUrl: 'https://generativelanguage.googleapis.com', key: 'x-goog-api-key' },
  },
  openrouter: {
    'openai-chat': { baseUrl: 'https://openrouter.ai/api', key: 'bearer' },
    'openai-responses': { baseUrl: 'https://openrouter.ai/api', key: 'bearer' },
    anthropic: { baseUrl: 'https://openrouter.ai/api', key: 'bearer' },
  },
  moonshot: {
    'openai-chat': { baseUrl: 'https://api.moonshot.ai', key: 'bearer' },
    anthropic: { baseUrl: 'https://api.moonshot.ai/anthropic', key: 'x-api-key' },
  },
  xai: {
    'openai-responses': { baseUrl: 'https://api.x.ai', key: 'bearer' },
    'openai-chat': { baseUrl: 'https://api.x.ai', key: 'bearer' },
  },
  dashscope: {
    'openai-chat': {
      baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode',
      key: 'bearer',
    },
  },
}

/** Where the gateway sends a protocol, with the real key. Throws a RunnerError for a provider without a known endpoint. */
export function providerUpstream(provider: string, protocol: Protocol, key: string): Upstream {
  const endpoint = ENDPOINTS[provider]?.[protocol]
  if (!endpoint)
    throw subjectError(
      `no known endpoint of "${provider}" for ${protocol}: choose another --provider`,
    )
  return { provider, baseUrl: endpoint.baseUrl, headers: keyHeader(endpoint.key, key) }
}

function keyHeader(header: KeyHeader, key: string): Record<string, string> {
  return header === 'bearer' ? { authorization: `Bearer ${key}` } : { [header]: key }
}
