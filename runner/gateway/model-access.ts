import type {
  Activation,
  Arm,
  GatewayCall,
  Settings,
  Subject,
  ToolCall,
} from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
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

/** Where an agent's model answers come from in a run. */
export type ModelSource =
  | { kind: 'provider' }
  | { kind: 'scripted'; scriptFor: (task: LoadedTask) => ModelScript }
  /** Throws, in one sentence, when there is no recording of this slot by this exact agent and provider. */
  | { kind: 'replay'; recordingOf: (taskId: string, repetition: number) => Promise<Recording> }

/** Where the model's answers come from in a run, and what is recorded of them. */
export type ModelAccess = {
  source: ModelSource
  record: boolean
  openGateway: OpenGateway
  /** Watches the cost of each attempt while it is under way; absent = no spend cap. */
  spending?: Pick<RunSpending, 'watch'> | null
  /** What tokens cost; absent = as the provider says. */
  price?: PriceCall
  /** The providers that the command's files tell; absent = those of this environment. */
  providers?: KnownProviders
}

/**
 * Opens the gateway of one attempt, with the pins and budgets of its plan. Passed in by the command that runs, so that what
 * plans, drives and judges knows a gateway and not the proxy.
 */
type OpenGateway = (client: GatewayClient, attempt: MeteredAttempt) => Promise<AttemptGateway>

/** The client of a gateway, its provider and its key. */
export type GatewayClient = ModelAccess & {
  subject: Pick<Subject, 'name' | 'version' | 'modelRequested' | 'aliases'>
  /** Content to detect in requests to the model; absent = none. */
  arm?: Arm | undefined
  provider: { name: string; protocol: Protocol }
  /** The provider's real key; null when it needs none, when the model is scripted or replayed, or the agent is logged in. */
  key: string | null
  /** A login to the provider instead of a key: where to send its requests. */
  login?: { upstream: () => Upstream; secrets: readonly string[] } | null
  /** The provider's endpoint; absent when the model is scripted or replayed, or the agent is logged in. */
  upstream?: Upstream | null
  /** What the provider's tokens cost; absent = unknown. */
  rates?: Rates | null
}

/** What of an attempt its gateway has to know. */
export type MeteredAttempt = Places & {
  task: LoadedTask
  repetition: number
  folder: string
  settings: Settings
  isolation: Isolation
  /** The task asks for this machine's network; absent = only the gateway, where a sandbox is available. */
  network?: boolean
  log: CappedLog
  signal: AbortSignal
}

/** An open gateway for one attempt: `url` is the root that a base URL is made from, without a slash at its end. */
export type AttemptGateway = {
  url: string
  dummyKey: string
  /** What a sandbox needs to reach it; null = the subject reaches the loopback by itself. */
  socket: GatewaySocket | null
  /** Complete once the gateway is closed. Errors of the gateway itself are in it, and make the attempt void. */
  report: () => GatewayReport
  /** Calls the listener after every model turn. */
  onStep: (listener: () => void) => void
  /** The tool calls of every step, in the order in which `onStep` reported them. */
  toolSteps: () => ToolCall[][]
  /** Every finished call, in order of arrival. */
  calls: () => GatewayCall[]
  /** The redacted recording as canonical JSON; null = nothing was recorded. Only after `close`. */
  recording: () => Promise<string | null>
  /** Whether the content of the client's arm reached the model; undefined = it has none that could. */
  activation: () => Activation | undefined
  /** The transcript, not yet sealed; null = not recorded. Only after `close`. */
  transcript: TranscriptFile | null
  close: () => Promise<void>
}
