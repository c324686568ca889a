import type { GatewayCall } from '#lib/domain/gateway-call.ts'
import type { ToolCall } from '#lib/domain/no-progress.ts'
import type { Settings } from '#lib/domain/plan.ts'
import type { Isolation, Places } from '../isolation/isolation.ts'
import type { CappedLog } from '../process/capped-log.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import type { Protocol } from './protocols.ts'

/** What of an attempt its gateway has to know. */
export type GatewayTurn = Places & {
  task: LoadedTask
  repetition: number
  settings: Settings
  isolation: Isolation
  log: CappedLog
}

/** What one attempt of an agent needs of the metering gateway. */
export type GatewayOrder = {
  protocol: Protocol
  provider: string
  /** The model as the provider calls it. */
  model: string
  pins: Pick<Settings, 'temperature'>
  budgets: Pick<Settings, 'maxSteps' | 'maxTokens' | 'maxCostMicroUsd'>
  signal: AbortSignal
  /** The attempt it is for: which task, where, for how long. */
  turn: GatewayTurn
  agent: { name: string; version: string | null }
  /** Where it listens; a socket is shown to a sandbox under `seenAs`. */
  listen: { kind: 'loopback' } | { kind: 'socket'; path: string; seenAs: string }
  /** The provider's real key; null when the model is scripted or replayed. */
  key: string | null
}

/** What the gateway saw of one attempt. Null = not known, never 0. */
export type GatewayReport = {
  requests: number
  steps: number
  toolCalls: Record<string, number>
  firstTool: string | null
  tokens: {
    input: number | null
    output: number | null
    cacheRead: number | null
    cacheWrite: number | null
    reasoning: number | null
  }
  costMicroUsd: number | null
  priceTable: { id: string; date: string } | null
  modelObserved: string[]
  /** Requests that were asked again with the same body. */
  retries: number
  /** The budget at which the gateway ended the conversation. */
  exhausted: { budget: 'steps' | 'tokens' | 'cost' | 'time'; reason: string } | null
  /** Trouble of the provider that was never overcome. */
  providerTrouble: { kind: string; count: number } | null
  /** A request that the recording does not hold, when answers are replayed. */
  replayMiss: string | null
  faults: { plan: string; point: string; firedAt: string | null; recovered: boolean | null }[]
}

/** An open gateway for one attempt: `url` is the root that a base URL is made from, without a slash at its end. */
export type Gateway = {
  url: string
  dummyKey: string
  /** Whole once the gateway is closed. */
  report: () => GatewayReport
  /** Tells of every model turn just after it was made. */
  onStep: (listener: () => void) => void
  /** The tool calls of every step, in the order in which `onStep` told of them. */
  toolSteps: () => ToolCall[][]
  /** Every finished call, in order of arrival. */
  calls: () => GatewayCall[]
  /** The redacted recording as canonical JSON; null = nothing was recorded. Only after `close`. */
  recording: () => Promise<string | null>
  close: () => Promise<void>
}

/** Opens a gateway for one attempt; the real key stays on its side. */
export type OpenGateway = (order: GatewayOrder) => Promise<Gateway>
