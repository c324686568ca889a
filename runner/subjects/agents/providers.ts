import {
  type MeasuredMode,
  type Plan,
  type Subject,
  unknownName,
} from '#lib/domain/record/index.ts'
import { type AgentDefinition, SCRIPTED } from '#lib/domain/runs/index.ts'
import type { ModelScript } from '../../gateway/model-script.ts'
import type { Protocol } from '../../gateway/protocol.ts'
import type { Recording } from '../../gateway/recording.ts'
import { subjectError } from '../../runner-error.ts'
import type { LoadedTask } from '../../suites/task-folder.ts'

/** Who answers for a model: the variables of the server that hold a key, and what its model names look like. */
export type Provider = {
  name: string
  title: string
  /** Any one of them is enough; empty = needs none. */
  keys: readonly string[]
  keysFrom: string | null
  /** Recognises a model of another vendor; loose, because new names come every month. */
  models: RegExp
  example: string
}

const ANY_MODEL = /./

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

/** Variables of keys that give access to a model provider: they stay with the server. */
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

type Own = Readonly<Record<string, string | undefined>>

// Starts with a letter or digit, so that no command line takes it for an option.
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,199}$/

/**
 * The provider, and the model as that provider calls it. Without a provider it is the first one that has a key here.
 * Throws a RunnerError, in one sentence.
 */
export function chooseModel(
  served: Served,
  asked: { model: string | null; provider: string | null },
  own: Own,
): Pick<Subject, 'provider' | 'modelRequested'> {
  const wanted = asked.provider ?? (isScriptedModel(asked.model) ? SCRIPTED : null)
  const provider = chooseProvider(served, wanted, own)
  return { provider: provider.name, modelRequested: nameModel(served, provider, asked.model) }
}

/** `--model scripted` says enough: no provider has a model of that name. */
function isScriptedModel(model: string | null): boolean {
  return model !== null && /^scripted(?:-|$)/.test(model)
}

function chooseProvider(definition: Served, asked: string | null, own: Own) {
  const names = listProviders(definition)
  const keyed = Object.keys(definition.providers).find((name) =>
    findProvider(definition, name)?.keys.some((key) => own[key]),
  )
  const wanted = asked ?? keyed ?? names[0] ?? ''
  const found = findProvider(definition, wanted)
  if (found) return found
  throw subjectError(unknownName(`provider of ${definition.name}`, wanted, names), '--provider')
}

function nameModel(
  { name }: Served,
  provider: Provider & { aliases: Record<string, string> },
  asked: string | null,
): string {
  if (asked === null)
    throw subjectError(
      `say which model ${name} is to use: --model ${provider.example} (${provider.title})`,
      '--model',
    )
  const model = Object.hasOwn(provider.aliases, asked) ? provider.aliases[asked] : asked
  if (model === undefined || !MODEL_NAME.test(model))
    throw subjectError(
      `--model takes letters, digits and . _ : @ + / - after a letter or digit, not ${JSON.stringify(asked.slice(0, 60))}`,
      '--model',
    )
  if (provider.models.test(model)) return model
  throw subjectError(
    `"${model}" does not look like a model of ${provider.title}, where they are called like ${provider.example}: choose another --model or --provider`,
    '--model',
  )
}

/** Where an agent's model answers come from in a run. */
export type ModelSource =
  | { kind: 'provider' }
  | { kind: 'scripted'; scriptFor: (task: LoadedTask) => ModelScript }
  /** Throws, in one sentence, when there is no recording of this slot by this exact agent and provider. */
  | { kind: 'replay'; recordingOf: (taskId: string, repetition: number) => Promise<Recording> }

/** How real a run with this source is. A recording of a scripted model stays a mock. */
export function modeOf({ kind }: ModelSource, { provider }: Plan['subject']): MeasuredMode {
  if (provider === SCRIPTED) return 'mock'
  return kind === 'replay' ? 'recorded-real' : 'live'
}
