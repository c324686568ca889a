import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Clock } from '../engine/clock.ts'
import type { Budgets } from './budgets.ts'
import type { CallRecord, PriceCall } from './call-record.ts'
import type { FaultPlan } from './faults.ts'
import type { Upstream } from './headers.ts'
import type { TemperaturePin } from './pins.ts'
import type { Recorder } from './recorder.ts'
import type { Replayer } from './recording.ts'
import type { ModelRequest } from './route-request.ts'

/** Receives requests as they arrive, decoded bytes of responses as they come, and every call that has ended. */
export type Listener = {
  ask: (call: number, request: Pick<ModelRequest, 'protocol' | 'json'>) => void
  receive: (call: number, chunk: Uint8Array) => void
  settle: (record: CallRecord) => void
}

/** Options of one episode's gateway; null = none, no limit, or the agent's own choice. */
export type GatewayOptions = {
  /** Sandboxes need a socket; `seenAs` is the origin under which a bridge shows it to the agent. */
  listen: { kind: 'loopback' } | { kind: 'socket'; path: string; seenAs: string }
  upstreams: Readonly<Partial<Record<Protocol, Upstream>>>
  pins: { temperature: TemperaturePin }
  budgets: Budgets
  /** After it aborts, later requests get the final turn; running calls continue. */
  deadline: AbortSignal | null
  price: PriceCall
  /** The agent has no network, so its provider's tools must not reach the internet either. Absent = false. */
  isOffline?: boolean
  /** Calls cost money, unless a script or recording responds. Absent = true. */
  paysProvider?: boolean
  faults: readonly FaultPlan[]
  recorder: Recorder | null
  /** Records the transcript; absent = no transcript. */
  transcriber?: Listener | null
  /** If set, no provider is called. */
  replayer: Replayer | null
  clock: Clock
  /** Ends the gateway itself, like `close`. */
  signal: AbortSignal
}
