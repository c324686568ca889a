import { priceUsage } from '#lib/domain/board/price-usage.ts'
import { canonicalJson } from '#lib/domain/record/digest.ts'
import type { GatewayCall } from '#lib/domain/record/usage.ts'
import { systemClock } from '../engine/clock.ts'
import type { Spending } from '../engine/spending.ts'
import { AgentError } from '../subjects/agents/agent-definition.ts'
import type { ModelSource } from '../subjects/agents/providers.ts'
import type { AttemptOrder, OpenGateway } from './attempt-gateway.ts'
import type { FaultPlan } from './faults.ts'
import { parseFault } from './faults.ts'
import type { PriceCall, Upstream } from './gateway-order.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { openForAttempt } from './open-for-attempt.ts'
import type { Protocol } from './protocol.ts'
import { Recorder } from './recorder.ts'
import { Replayer } from './recording.ts'

/** A key for a model server of ours, which accepts any key. */
const SCRIPTED_KEY = 'scripted-needs-no-key'

/** What every gateway of a run has in common. */
export type GatewayOptions = {
  source: ModelSource
  record: boolean
  /** Gets the cost of each attempt while it is under way; absent = not needed. */
  spending?: Pick<Spending, 'watch'> | null
  /** What tokens cost; absent = by the price table. */
  price?: PriceCall
}

/** Opens one gateway an attempt, with everything it needs beside it, and closes all of it together. */
export function createGateway({
  source,
  record,
  spending = null,
  price = tablePrice,
}: GatewayOptions): OpenGateway {
  return async (order) => {
    const { turn, agent, key, signal } = order
    const { taskId } = turn.task.task
    const { workspace, home, temporary, settings } = turn
    const places = turn.isolation.inside({ workspace, home, temporary })
    const replayed =
      source.kind === 'replay' ? await source.recordingOf(taskId, turn.repetition) : null
    const model =
      source.kind === 'scripted'
        ? await startModelServer(source.scriptFor(turn.task), { key: null, port: 0 })
        : null
    // One signal for both: a gateway that is stopped must not leave the model server behind.
    signal.addEventListener('abort', () => void model?.close(), { once: true })
    const gateway = await openForAttempt(
      {
        listen: order.listen,
        deadline: AbortSignal.timeout(settings.timeoutMs),
        price,
        faults: faultsOf(settings.fault),
        recorder: record ? new Recorder({ places }) : null,
        replayer: replayed ? new Replayer(replayed, { places, pace: 0 }) : null,
        clock: systemClock,
        upstream: (provider, protocol) => placeOf({ ...order, provider, protocol }, source, model),
        onClosed: async () => {
          if (!signal.aborted) await model?.close()
          for (const problem of model?.problems ?? [])
            turn.log.write(`\nproofboard: the script does not fit: ${problem}\n`)
        },
        agent,
        secrets: key === null ? [] : [key],
      },
      order,
    ).catch(async (error: unknown) => {
      await model?.close()
      throw error
    })
    spending?.watch({ taskId, repetition: turn.repetition }, () => knownCost(gateway.calls()))
    if (!replayed) return gateway
    // The very recording, not one of its replay: however often it is replayed, it is one sample.
    return { ...gateway, recording: async () => canonicalJson(replayed) }
  }
}

/** Of the calls that have ended, in millionths of a US dollar. */
function knownCost(calls: readonly GatewayCall[]): number {
  return calls.reduce((sum, { costMicroUsd }) => sum + (costMicroUsd ?? 0), 0)
}

const tablePrice: PriceCall = ({ provider, model, tokens, at }) =>
  priceUsage({ provider, model, tokens, at })

function faultsOf(text: string | undefined): FaultPlan[] {
  if (text === undefined) return []
  const parsed = parseFault(text)
  if (parsed.ok) return [parsed.value]
  throw new AgentError(`the plan's fault cannot be read: ${parsed.problem}`)
}

function placeOf(
  { provider, protocol, key }: AttemptOrder & { protocol: Protocol },
  source: ModelSource,
  model: ModelServer | null,
): Upstream {
  const scripted = { authorization: `Bearer ${SCRIPTED_KEY}`, 'x-api-key': SCRIPTED_KEY }
  if (model) return { provider, baseUrl: model.url, headers: scripted }
  // No provider is called during a replay; an address that refuses connections proves it.
  if (source.kind === 'replay') return { provider, baseUrl: 'http://127.0.0.1:9', headers: {} }
  if (key === null) throw new AgentError(`"${provider}" needs a key, and none was found`)
  return upstreamOf(provider, protocol, key)
}

/** How a provider wants to be shown its key. */
type KeyHeader = 'bearer' | 'x-api-key' | 'x-goog-api-key'
type Place = { baseUrl: string; key: KeyHeader }

/** Where each provider speaks which protocol; the protocol's own path comes after. */
const PLACES: Readonly<Record<string, Partial<Record<Protocol, Place>>>> = {
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
  xai: { 'openai-chat': { baseUrl: 'https://api.x.ai', key: 'bearer' } },
  dashscope: {
    'openai-chat': {
      baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode',
      key: 'bearer',
    },
  },
}

/** Where the gateway sends a protocol, with the real key. Throws AgentError for a provider without an address. */
function upstreamOf(provider: string, protocol: Protocol, key: string): Upstream {
  const place = PLACES[provider]?.[protocol]
  if (!place)
    throw new AgentError(
      `no known endpoint of "${provider}" for ${protocol}: choose another --provider`,
    )
  return { provider, baseUrl: place.baseUrl, headers: keyHeader(place.key, key) }
}

function keyHeader(header: KeyHeader, key: string): Record<string, string> {
  return header === 'bearer' ? { authorization: `Bearer ${key}` } : { [header]: key }
}
