import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Clock } from '../engine/clock.ts'
import type { Budgets } from './budgets.ts'
import type { CallRecord, PriceCall } from './call-record.ts'
import type { FaultPlan } from './faults.ts'
import type { Upstream } from './headers.ts'
import type { TemperaturePin } from './pins.ts'
import type { Recorder } from './recorder.ts'
import type { Replayer } from './recording.ts'
import type { AskedTurn } from './route-request.ts'

/** Hears requests as they arrive, plain bytes of answers as they come, and every call that has ended. */
export type Listener = {
  ask: (call: number, asked: Pick<AskedTurn, 'protocol' | 'json'>) => void
  hear: (call: number, chunk: Uint8Array) => void
  settle: (record: CallRecord) => void
}

/** Everything one episode's gateway needs; null = none, without limit, or the agent's own choice. */
export type GatewayOptions = {
  /** A socket is for sandboxes; `seenAs` is the origin under which a bridge shows it to the agent. */
  listen: { kind: 'loopback' } | { kind: 'socket'; path: string; seenAs: string }
  upstreams: Readonly<Partial<Record<Protocol, Upstream>>>
  pins: { temperature: TemperaturePin }
  budgets: Budgets
  /** When it ends, later requests get the final turn; running calls continue. */
  deadline: AbortSignal | null
  price: PriceCall
  /** The agent has no network, so its provider's tools must not reach the internet either. Absent = no matter. */
  isOffline?: boolean
  /** Its calls cost money: not so with a script or a recording. Absent = yes. */
  paysProvider?: boolean
  faults: readonly FaultPlan[]
  recorder: Recorder | null
  /** Records the transcript; absent = none is recorded. */
  transcriber?: Listener | null
  /** With one, no provider is ever asked. */
  replayer: Replayer | null
  clock: Clock
  /** Ends the gateway itself, like `close`. */
  signal: AbortSignal
}
