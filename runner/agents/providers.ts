import type { AgentDefinition } from './agent-definition.ts'
import type { Protocol } from './protocols.ts'

/** Who answers for a model: the variables of the server that hold a key, and what its model names look like. */
export type Provider = {
  name: string
  title: string
  /** Any one of them is enough; empty = needs none. */
  keys: readonly string[]
  keysFrom: string | null
  /** Tells a model of somebody else; loose, because new names come every month. */
  models: RegExp
  example: string
}

const ANY_MODEL = /./

/** Ours: answers from a script instead of a model, so what it gives is mode `mock`. */
export const SCRIPTED = 'scripted'

const KNOWN: readonly Provider[] = [
  {
    name: 'anthropic',
    title: 'Anthropic',
    keys: ['ANTHROPIC_API_KEY'],
    keysFrom: 'https://console.anthropic.com/settings/keys',
    models: /^claude-/,
    example: 'claude-sonnet-4-6',
  },
  {
    name: 'openai',
    title: 'OpenAI',
    keys: ['OPENAI_API_KEY'],
    keysFrom: 'https://platform.openai.com/api-keys',
    models: /^(?!claude|gemini|grok|kimi|qwen)[^/]+$/,
    example: 'gpt-5.4',
  },
  {
    name: 'google',
    title: 'Google AI Studio',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    keysFrom: 'https://aistudio.google.com/apikey',
    models: /^(gemini|gemma)-/,
    example: 'gemini-3.1-pro-preview',
  },
  {
    name: 'openrouter',
    title: 'OpenRouter',
    keys: ['OPENROUTER_API_KEY'],
    keysFrom: 'https://openrouter.ai/keys',
    models: /^[^/]+\/.+$/,
    example: 'anthropic/claude-sonnet-4.5',
  },
  {
    name: 'moonshot',
    title: 'Moonshot AI',
    keys: ['MOONSHOT_API_KEY'],
    keysFrom: 'https://platform.moonshot.ai/console/api-keys',
    models: /^(kimi|moonshot)-/,
    example: 'kimi-k2-turbo-preview',
  },
  {
    name: 'xai',
    title: 'xAI',
    keys: ['XAI_API_KEY'],
    keysFrom: 'https://console.x.ai',
    models: /^grok-/,
    example: 'grok-4',
  },
  {
    name: 'dashscope',
    title: 'Alibaba Cloud Model Studio',
    keys: ['DASHSCOPE_API_KEY'],
    keysFrom: 'https://bailian.console.alibabacloud.com/?apiKey=1',
    models: /^qwen/,
    example: 'qwen3-coder-plus',
  },
]

/** Key variables that open a model provider for anybody who has them: they stay with the server. */
export function isSharedKey(variable: string): boolean {
  return KNOWN.some(({ keys }) => keys.includes(variable))
}

/** What of a definition says who may answer for its model. */
export type Served = Pick<AgentDefinition, 'name' | 'metering' | 'preferred' | 'providers'>

/** A provider of the definition with what is known of it; null when the definition does not list it. */
export function findProvider(
  definition: Served,
  name: string,
): (Provider & { protocol: Protocol | null; aliases: Record<string, string> }) | null {
  if (name === SCRIPTED && definition.metering === 'gateway') return scripted(definition.preferred)
  const own = Object.hasOwn(definition.providers, name) ? definition.providers[name] : undefined
  if (!own) return null
  const known = KNOWN.find((provider) => provider.name === name)
  return {
    name,
    title: known?.title ?? name,
    keys: own.keys ?? known?.keys ?? [],
    keysFrom: own.keysFrom ?? known?.keysFrom ?? null,
    models: known?.models ?? ANY_MODEL,
    example: known?.example ?? 'model-name',
    protocol: own.protocol,
    aliases: own.models,
  }
}

function scripted(protocol: Protocol | null) {
  return {
    name: SCRIPTED,
    title: 'the scripted model',
    keys: [],
    keysFrom: null,
    models: ANY_MODEL,
    example: 'scripted-1',
    protocol,
    aliases: {},
  }
}

/** The providers one may ask this agent for, in the order in which they are tried. */
export function listProviders(definition: Served): string[] {
  const own = Object.keys(definition.providers)
  return definition.metering === 'gateway' ? [...own, SCRIPTED] : own
}
