import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolCall } from '#lib/domain/record/no-progress.ts'
import type { Settings } from '#lib/domain/record/plan.ts'
import type { Subject } from '#lib/domain/record/subject.ts'
import type { GatewayCall } from '#lib/domain/record/usage.ts'
import type { GatewayDoor, Isolation, Places } from '../sandbox/isolation/isolation.ts'
import type { CappedLog } from '../sandbox/process/capped-log.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import type { Protocol } from './protocol.ts'

/** What of an attempt its gateway has to know. */
export type GatewayTurn = Places & {
  task: LoadedTask
  repetition: number
  settings: Settings
  isolation: Isolation
  log: CappedLog
}

/** What one attempt of an agent needs of the metering gateway. */
export type AttemptOrder = {
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
export type AttemptReport = {
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
  /** A provider failure that was never overcome. */
  providerTrouble: { kind: string; count: number } | null
  /** A request that the recording does not hold, when answers are replayed. */
  replayMiss: string | null
  faults: { plan: string; point: string; firedAt: string | null; recovered: boolean | null }[]
}

/** An open gateway for one attempt: `url` is the root that a base URL is made from, without a slash at its end. */
export type AttemptGateway = {
  url: string
  dummyKey: string
  /** Whole once the gateway is closed. */
  report: () => AttemptReport
  /** Reports every model turn just after it was made. */
  onStep: (listener: () => void) => void
  /** The tool calls of every step, in the order in which `onStep` reported them. */
  toolSteps: () => ToolCall[][]
  /** Every finished call, in order of arrival. */
  calls: () => GatewayCall[]
  /** The redacted recording as canonical JSON; null = nothing was recorded. Only after `close`. */
  recording: () => Promise<string | null>
  close: () => Promise<void>
}

/** Opens a gateway for one attempt; the real key stays on its side. */
export type OpenGateway = (order: AttemptOrder) => Promise<AttemptGateway>

/** An open gateway and the socket by which a sandbox reaches it. */
export type ReachableGateway = AttemptGateway & { door: GatewayDoor | null }

/** Who speaks through it, to whom, with whose key. */
export type GatewayParts = {
  subject: Pick<Subject, 'name' | 'version' | 'modelRequested'>
  provider: { name: string; protocol: Protocol }
  openGateway: OpenGateway
  /** The provider's real key; null for the scripted model. */
  key: string | null
}

/** Opens the gateway of one attempt, with the pins and budgets of its plan, where the subject's isolation can reach it. */
export async function openAttemptGateway(
  { subject, provider, openGateway, key }: GatewayParts,
  turn: GatewayTurn & { folder: string; signal: AbortSignal },
): Promise<ReachableGateway> {
  const { temperature, maxSteps, maxTokens, maxCostMicroUsd } = turn.settings
  const door = await makeDoor(turn)
  const seenAs = `http://127.0.0.1:${door ? turn.isolation.gatewayPort(door) : 0}`
  const gateway = await openGateway({
    protocol: provider.protocol,
    provider: provider.name,
    model: subject.modelRequested ?? '',
    pins: { temperature },
    budgets: { maxSteps, maxTokens, maxCostMicroUsd },
    signal: turn.signal,
    turn,
    agent: { name: subject.name, version: subject.version },
    listen: door ? { kind: 'socket', path: door.socketPath, seenAs } : { kind: 'loopback' },
    key,
  })
  return { ...gateway, door }
}

/** A socket in a folder that only the runner may enter; without walls the agent reaches the loopback by itself. */
async function makeDoor({
  isolation,
  folder,
}: GatewayTurn & { folder: string }): Promise<GatewayDoor | null> {
  if (isolation.level === 'local') return null
  const place = join(folder, 'door')
  await mkdir(place, { mode: 0o700 })
  return { socketPath: join(place, 'gw.sock'), port: 0 }
}
