import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { priceGiven } from '#lib/domain/board/index.ts'
import { canonicalJson } from '#lib/domain/digest/index.ts'
import { priceUsage } from '#lib/domain/prices/index.ts'
import { type GatewayCall, roleOfModel } from '#lib/domain/record/index.ts'
import { readGivenPrice, type Settings } from '#lib/domain/settings/index.ts'
import { TRANSCRIPT_FILE } from '#lib/domain/transcript/index.ts'
import { systemClock } from '../engine/clock.ts'
import { priceByRates } from '../providers/price-by-rates.ts'
import type { Rates } from '../providers/provider-file.ts'
import { secretFinder } from '../redact/find-secrets.ts'
import { subjectError } from '../runner-error.ts'
import type { GatewaySocket } from '../sandbox/isolation/isolation.ts'
import { isAgentTask } from '../suites/task-folder.ts'
import { Transcriber } from '../transcript/transcriber.ts'
import { TranscriptFile } from '../transcript/transcript-file.ts'
import { WorkspaceWatch } from '../transcript/workspace-watch.ts'
import { type ActivationWatch, listenBoth, openActivation } from './activation-watch.ts'
import { describeCall, type PriceCall } from './call-record.ts'
import { type FaultPlan, parseFault } from './faults.ts'
import type { GatewayOptions } from './gateway-options.ts'
import type { Upstream } from './headers.ts'
import type { AttemptGateway, GatewayClient, MeteredAttempt } from './model-access.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { Recorder } from './recorder.ts'
import { type Recording, Replayer } from './recording.ts'
import { type Gateway, startGateway } from './start-gateway.ts'

/** Opens the gateway of one attempt with the pins and budgets of its plan, reachable from the subject's sandbox. */
export async function openAttemptGateway(
  client: GatewayClient,
  attempt: MeteredAttempt,
): Promise<AttemptGateway> {
  const { source, spending = null } = client
  const { task, repetition, log } = attempt
  const { taskId } = task.task
  const socket = await createSocket(attempt)
  const recorded = source.kind === 'replay' ? await source.recordingOf(taskId, repetition) : null
  const model =
    source.kind === 'scripted'
      ? await startModelServer(source.scriptFor(task), { key: null, port: 0 })
      : null
  try {
    const transcript = openTranscript(client, attempt)
    const watch = isAgentTask(task) ? new WorkspaceWatch(attempt.workspace) : null
    const transcriber = new Transcriber(transcript, watch, systemClock.monotonicMs)
    const activation = openActivation(client.arm, task)
    const backing = { socket, recorded, model, transcriber, activation }
    const options = gatewayOptions(client, attempt, backing)
    const gateway = describeGateway(client, await startGateway(options), options, attempt.secrets)
    spending?.watch({ taskId, repetition }, () => knownCost(gateway.calls()))
    return {
      ...gateway,
      socket,
      transcript,
      activation: () => activation?.report(),
      // The original recording, not a recording of its replay: all its replays are one sample.
      recording: recorded ? async () => canonicalJson(recorded) : gateway.recording,
      close: async () => {
        await gateway.close()
        await transcriber.end()
        await model?.close()
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

/**
 * Creates a socket in a folder that only the runner may enter; without a sandbox the agent uses the loopback interface.
 */
async function createSocket({ isolation, folder }: MeteredAttempt): Promise<GatewaySocket | null> {
  if (isolation.level === 'local') return null
  const socketFolder = join(folder, 'sock')
  await mkdir(socketFolder, { mode: 0o700 })
  return { socketPath: join(socketFolder, 'gw.sock'), port: 0 }
}

/** Creates the transcript next to the attempt's log, where no sandbox exposes it. */
function openTranscript(
  { subject, provider, key, login }: GatewayClient,
  { log, secrets: own = [] }: MeteredAttempt,
): TranscriptFile {
  const secrets = [...(key === null ? [] : [key]), ...(login?.secrets ?? []), ...own]
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
  { workspace, home, temporary, settings, isolation, network, signal }: MeteredAttempt,
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
    price: priceByAnyName(
      client.price ?? priceFor(settings.price, client.rates ?? null),
      client.subject,
    ),
    isOffline: isolation.level !== 'local' && network !== true,
    paysProvider: client.source.kind === 'provider',
    faults: faultsOf(fault),
    recorder: client.record ? new Recorder({ places }) : null,
    transcriber: activation === null ? transcriber : listenBoth(transcriber, activation),
    replayer: recorded ? new Replayer(recorded, { places, pace: 0 }) : null,
    clock: systemClock,
    signal,
  }
}

/** The scripted model server accepts any key. */
const SCRIPTED_KEY = 'scripted-needs-no-key'

function upstreamOf(
  { provider, source, login, upstream }: GatewayClient,
  model: ModelServer | null,
): Upstream {
  const { name } = provider
  const scripted = { authorization: `Bearer ${SCRIPTED_KEY}`, 'x-api-key': SCRIPTED_KEY }
  if (model) return { provider: name, baseUrl: model.url, headers: scripted }
  // A replay calls no provider; an address that refuses connections proves it.
  if (source.kind === 'replay')
    return { provider: name, baseUrl: 'http://127.0.0.1:9', headers: {} }
  if (login) return login.upstream()
  if (!upstream) throw new Error(`no upstream was given for "${name}"`)
  return upstream
}

/** Returns the price given with the plan, else that of the provider's entry: its own rates, or the table's. */
function priceFor(text: Settings['price'], rates: Rates | null): PriceCall {
  const given = text === undefined ? null : readGivenPrice(text)
  if (given === null) return priceByRates(rates, priceUsage)
  return (usage) => priceGiven(given, usage)
}

/** Prices a deployment like the model that the plan declares for it. */
function priceByAnyName(price: PriceCall, subject: GatewayClient['subject']): PriceCall {
  const { aliases = [] } = subject
  if (aliases.length === 0) return price
  return (usage) => {
    const names =
      roleOfModel(subject, usage.model) === 'pinned' ? [usage.model, ...aliases] : [usage.model]
    const prices = names.map((model) => price({ ...usage, model }))
    return prices.find(({ costMicroUsd }) => costMicroUsd !== null) ?? price(usage)
  }
}

function faultsOf(text: string | undefined): FaultPlan[] {
  if (text === undefined) return []
  const parsed = parseFault(text)
  if (parsed.ok) return [parsed.value]
  throw subjectError(`the plan's fault cannot be read: ${parsed.problem}`)
}

/** Describes a started gateway to its client. */
function describeGateway(
  { subject, provider, key, login }: GatewayClient,
  gateway: Gateway,
  { recorder, clock }: GatewayOptions,
  own: readonly string[] = [],
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
        secrets: [...(key === null ? [] : [key]), ...(login?.secrets ?? []), ...own],
      })
      return recording?.text ?? null
    },
    close: gateway.close,
  }
}

/** Known cost of the calls that have ended, in millionths of a US dollar. */
function knownCost(calls: readonly GatewayCall[]): number {
  return calls.reduce((sum, { costMicroUsd }) => sum + (costMicroUsd ?? 0), 0)
}
