import type { Activation, Arm, GatewayCall, Subject, ToolCall } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import type { RunSpending } from '../engine/spending.ts'
import type { KnownProviders } from '../providers/known-providers.ts'
import type { Rates } from '../providers/provider-file.ts'
import type { GatewaySocket, Isolation, Places } from '../sandbox/isolation/isolation.ts'
import type { CappedLog } from '../sandbox/process/capped-log.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import type { TranscriptFile } from '../transcript/transcript-file.ts'
import type { PriceCall } from './call-record.ts'
import type { GatewayReport } from './gateway-report.ts'
import type { Upstream } from './headers.ts'
import type { ModelScript } from './model-script.ts'
import type { Recording } from './recording.ts'

/** Source of an agent's model responses in a run. */
export type ModelSource =
  | { kind: 'provider' }
  | { kind: 'scripted'; scriptFor: (task: LoadedTask) => ModelScript }
  /** Throws a one-sentence error if there is no recording of this slot by this exact agent and provider. */
  | { kind: 'replay'; recordingOf: (taskId: string, repetition: number) => Promise<Recording> }

/** Source of the model's responses in a run, and what is recorded of them. */
export type ModelAccess = {
  source: ModelSource
  record: boolean
  openGateway: OpenGateway
  /** Watches the cost of each running attempt; absent = no spend cap. */
  spending?: Pick<RunSpending, 'watch'> | null
  /** Prices tokens; absent = as the provider states. */
  price?: PriceCall
  /** Providers defined by the command's files; absent = those of this environment. */
  providers?: KnownProviders
}

/**
 * Opens the gateway of one attempt with the pins and budgets of its plan. Injected by the running command, so that
 * planning, drivers and verifiers depend on a gateway and not on the proxy.
 */
type OpenGateway = (client: GatewayClient, attempt: MeteredAttempt) => Promise<AttemptGateway>

/** The client of a gateway, its provider and its key. */
export type GatewayClient = ModelAccess & {
  subject: Pick<Subject, 'name' | 'version' | 'modelRequested' | 'aliases'>
  /** Content to detect in requests to the model; absent = none. */
  arm?: Arm | undefined
  provider: { name: string; protocol: Protocol }
  /** The provider's real key; null if it needs none, the model is scripted or replayed, or the agent is logged in. */
  key: string | null
  /** A login to the provider instead of a key; `upstream` returns the address of its requests. */
  login?: { upstream: () => Upstream; secrets: readonly string[] } | null
  /** The provider's endpoint; absent if the model is scripted or replayed, or the agent is logged in. */
  upstream?: Upstream | null
  /** Price of the provider's tokens; absent = unknown. */
  rates?: Rates | null
}

/** Facts of an attempt that its gateway needs. */
export type MeteredAttempt = Places & {
  task: LoadedTask
  repetition: number
  folder: string
  settings: Settings
  isolation: Isolation
  /** The task requires this machine's network; absent = only the gateway, if a sandbox is available. */
  network?: boolean
  /** Values that no evidence may contain besides keys; absent = none. */
  secrets?: readonly string[]
  log: CappedLog
  signal: AbortSignal
}

/** An open gateway for one attempt: `url` is the root of base URLs, without a trailing slash. */
export type AttemptGateway = {
  url: string
  dummyKey: string
  /** Needed by a sandbox to reach it; null = the subject uses the loopback interface. */
  socket: GatewaySocket | null
  /** Complete once the gateway is closed. Errors of the gateway itself make the attempt void. */
  report: () => GatewayReport
  /** Calls the listener after every model turn. */
  onStep: (listener: () => void) => void
  /** The tool calls of every step, in the order `onStep` reported them. */
  toolSteps: () => ToolCall[][]
  /** Every finished call, in order of arrival. */
  calls: () => GatewayCall[]
  /** The redacted recording as canonical JSON; null = nothing was recorded. Call only after `close`. */
  recording: () => Promise<string | null>
  /** True if the content of the client's arm reached the model; undefined = it has no such content. */
  activation: () => Activation | undefined
  /** The transcript, not yet sealed; null = not recorded. Read only after `close`. */
  transcript: TranscriptFile | null
  close: () => Promise<void>
}
