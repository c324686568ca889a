import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { priceGiven } from '#lib/domain/board/index.ts'
import { priceUsage } from '#lib/domain/prices/index.ts'
import {
  type Activation,
  type Arm,
  canonicalJson,
  type GatewayCall,
  readGivenPrice,
  type Settings,
  type Subject,
  type ToolCall,
} from '#lib/domain/record/index.ts'
import { TRANSCRIPT_FILE } from '#lib/domain/transcript/index.ts'
import { systemClock } from '../engine/clock.ts'
import type { RunSpending } from '../engine/spending.ts'
import type { KnownProviders } from '../providers/known-providers.ts'
import { priceByRates } from '../providers/price-by-rates.ts'
import type { Rates } from '../providers/provider-file.ts'
import { secretFinder } from '../redact/find-secrets.ts'
import { subjectError } from '../runner-error.ts'
import type { GatewaySocket, Isolation, Places } from '../sandbox/isolation/isolation.ts'
import type { CappedLog } from '../sandbox/process/capped-log.ts'
import type { ModelSource } from '../subjects/agents/providers.ts'
import { isAgentTask, type LoadedTask } from '../suites/task-folder.ts'
import { Transcriber } from '../transcript/transcriber.ts'
import { TranscriptFile } from '../transcript/transcript-file.ts'
import { WorkspaceWatch } from '../transcript/workspace-watch.ts'
import { type ActivationWatch, listenBoth, openActivation } from './activation-watch.ts'
import { describeCall } from './call-record.ts'
import { type FaultPlan, parseFault } from './faults.ts'
import type { GatewayOptions, PriceCall, Upstream } from './gateway-options.ts'
import type { GatewayReport } from './gateway-report.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import type { Protocol } from './protocol.ts'
import { Recorder } from './recorder.ts'
import { type Recording, Replayer } from './recording.ts'
import { type Gateway, startGateway } from './start-gateway.ts'

/** Where the model's answers come from in a run, and what is recorded of them. */
export type ModelAccess = {
  source: ModelSource
  record: boolean
  /** Watches the cost of each attempt while it is under way; absent = no spend cap. */
  spending?: Pick<RunSpending, 'watch'> | null
  /** What tokens cost; absent = as the provider says. */
  price?: PriceCall
  /** The providers that the command's files tell; absent = those of this environment. */
  providers?: KnownProviders
}

/** The client of a gateway, its provider and its key. */
export type GatewayClient = ModelAccess & {
  subject: Pick<Subject, 'name' | 'version' | 'modelRequested'>
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

/** Opens the gateway of one attempt, with the pins and budgets of its plan, where the subject's isolation can reach it. */
export async function openAttemptGateway(
  client: GatewayClient,
  attempt: MeteredAttempt,
): Promise<AttemptGateway> {
  const { source, spending = null } = client
  const { task, repetition, signal, log } = attempt
  const { taskId } = task.task
  const socket = await createSocket(attempt)
  const recorded = source.kind === 'replay' ? await source.recordingOf(taskId, repetition) : null
  const model =
    source.kind === 'scripted'
      ? await startModelServer(source.scriptFor(task), { key: null, port: 0 })
      : null
  const transcript = openTranscript(client, attempt)
  const watch = isAgentTask(task) ? new WorkspaceWatch(attempt.workspace) : null
  const transcriber = new Transcriber(transcript, watch, systemClock.monotonicMs)
  const activation = openActivation(client.arm, task)
  // One signal for both: a cancelled gateway must not leave the model server behind.
  signal.addEventListener('abort', () => void model?.close(), { once: true })
  try {
    const backing = { socket, recorded, model, transcriber, activation }
    const options = gatewayOptions(client, attempt, backing)
    const gateway = describeGateway(client, await startGateway(options), options)
    spending?.watch({ taskId, repetition }, () => knownCost(gateway.calls()))
    return {
      ...gateway,
      socket,
      transcript,
      activation: () => activation?.report(),
      // The original recording, not one of its replay: however often it is replayed, it is one sample.
      recording: recorded ? async () => canonicalJson(recorded) : gateway.recording,
      close: async () => {
        await gateway.close()
        await transcriber.end()
        if (!signal.aborted) await model?.close()
        if (transcriber.problem !== null)
          log.write(`\nproofboard: the transcript ends early: ${transcriber.problem}\n`)
        for (const problem of model?.problems ?? [])
          log.write(`\nproofboard: the script does not fit: ${problem}\n`)
      },
    }
  } catch (error) {
    await model?.close()
    throw error
  }
}

/** A socket in a folder that only the runner may enter; without a sandbox the agent reaches the loopback by itself. */
async function createSocket({ isolation, folder }: MeteredAttempt): Promise<GatewaySocket | null> {
  if (isolation.level === 'local') return null
  const socketFolder = join(folder, 'sock')
  await mkdir(socketFolder, { mode: 0o700 })
  return { socketPath: join(socketFolder, 'gw.sock'), port: 0 }
}

/** Next to the attempt's log, where no sandbox exposes it. */
function openTranscript(
  { subject, provider, key, login }: GatewayClient,
  { log }: MeteredAttempt,
): TranscriptFile {
  const secrets = [...(key === null ? [] : [key]), ...(login?.secrets ?? [])]
  return new TranscriptFile(join(dirname(log.path), TRANSCRIPT_FILE), secretFinder(secrets), {
    agent: { name: subject.name, version: subject.version },
    provider: provider.name,
    model: subject.modelRequested,
    startedAt: systemClock.now(),
  })
}

type Backing = {
  socket: GatewaySocket | null
  recorded: Recording | null
  model: ModelServer | null
  transcriber: Transcriber
  activation: ActivationWatch | null
}

function gatewayOptions(
  client: GatewayClient,
  { workspace, home, temporary, settings, isolation, signal }: MeteredAttempt,
  { socket, recorded, model, transcriber, activation }: Backing,
): GatewayOptions {
  const { temperature, maxSteps, maxTokens, maxCostMicroUsd, timeoutMs, fault } = settings
  const places = isolation.inside({ workspace, home, temporary })
  return {
    listen: socket
      ? {
          kind: 'socket',
          path: socket.socketPath,
          seenAs: `http://127.0.0.1:${isolation.gatewayPort(socket)}`,
        }
      : { kind: 'loopback' },
    upstreams: { [client.provider.protocol]: upstreamOf(client, model) },
    pins: { temperature },
    budgets: { maxSteps, maxTokens, maxCostMicroUsd },
    deadline: AbortSignal.timeout(timeoutMs),
    price: client.price ?? priceFor(settings.price, client.rates ?? null),
    paysProvider: client.source.kind === 'provider',
    faults: faultsOf(fault),
    recorder: client.record ? new Recorder({ places }) : null,
    transcriber: activation === null ? transcriber : listenBoth(transcriber, activation),
    replayer: recorded ? new Replayer(recorded, { places, pace: 0 }) : null,
    clock: systemClock,
    signal,
  }
}

/** A key for a model server of our own, which accepts any key. */
const SCRIPTED_KEY = 'scripted-needs-no-key'

function upstreamOf(
  { provider, source, login, upstream }: GatewayClient,
  model: ModelServer | null,
): Upstream {
  const { name } = provider
  const scripted = { authorization: `Bearer ${SCRIPTED_KEY}`, 'x-api-key': SCRIPTED_KEY }
  if (model) return { provider: name, baseUrl: model.url, headers: scripted }
  // No provider is called during a replay; an address that refuses connections proves it.
  if (source.kind === 'replay')
    return { provider: name, baseUrl: 'http://127.0.0.1:9', headers: {} }
  if (login) return login.upstream()
  if (!upstream) throw new Error(`no upstream was given for "${name}"`)
  return upstream
}

/** The price that the plan was given, else that of the provider's entry: its own rates, or the table's. */
function priceFor(text: Settings['price'], rates: Rates | null): PriceCall {
  const given = text === undefined ? null : readGivenPrice(text)
  if (given === null) return priceByRates(rates, priceUsage)
  return (usage) => priceGiven(given, usage)
}

function faultsOf(text: string | undefined): FaultPlan[] {
  if (text === undefined) return []
  const parsed = parseFault(text)
  if (parsed.ok) return [parsed.value]
  throw subjectError(`the plan's fault cannot be read: ${parsed.problem}`)
}

/** A started gateway as its one client sees it. */
function describeGateway(
  { subject, provider, key, login }: GatewayClient,
  gateway: Gateway,
  { recorder, clock }: GatewayOptions,
): Omit<AttemptGateway, 'socket' | 'transcript' | 'activation'> {
  const calls: GatewayCall[] = []
  gateway.onCall((call) => calls.push(describeCall(call)))
  return {
    url: gateway.url(provider.protocol),
    dummyKey: gateway.dummyKey,
    report: gateway.report,
    onStep: (listener) => {
      gateway.onCall(({ isStep }) => isStep && listener())
    },
    toolSteps: gateway.toolSteps,
    calls: () => calls.toSorted((a, b) => a.number - b.number),
    recording: async () => {
      const recording = await recorder?.finish({
        provider: provider.name,
        models: gateway.report().models,
        agent: { name: subject.name, version: subject.version },
        recordedAt: clock.now(),
        secrets: [...(key === null ? [] : [key]), ...(login?.secrets ?? [])],
      })
      return recording?.text ?? null
    },
    close: gateway.close,
  }
}

/** Of the calls that have ended, in millionths of a US dollar. */
function knownCost(calls: readonly GatewayCall[]): number {
  return calls.reduce((sum, { costMicroUsd }) => sum + (costMicroUsd ?? 0), 0)
}
