import { priceGiven } from '#lib/domain/board/index.ts'
import { priceUsage, statesCost } from '#lib/domain/prices/index.ts'
import {
  CALLS_FILE,
  type EvidenceFile,
  type GatewayCall,
  gatewayCallSchema,
  isBilledCall,
  type ModelEvidence,
  type StoredWork,
} from '#lib/domain/record/index.ts'
import { readGivenPrice } from '#lib/domain/settings/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { type ReadCall, readRecordedCalls } from '../gateway/read-recorded-calls.ts'
import { parseRecording, type Recording } from '../gateway/recording.ts'
import { readPlainFile } from './read-plain-file.ts'

const MAX_RECORDING_BYTES = 64 << 20
const MAX_CALLS_BYTES = 32 << 20
/** Tolerated difference between two versions of the price table; only a cost below the table's is suspicious. */
const MIN_PRICE_SHARE = 0.9

/** `problem`: how the files contradict the envelope; null = they do not. */
type ModelRecord = {
  problem: Extract<ModelEvidence, 'missing' | 'contradicted'> | null
  /** The recording has every response in the log of calls. */
  isRecorded: boolean
}

/**
 * Checks the stored files of a model-driven episode against each other: parses and meters the recording again, matches
 * the log of calls to its responses, and derives the cost of each call from its tokens.
 */
export async function checkModelRecord(folder: string, episode: StoredWork): Promise<ModelRecord> {
  const { evidence, mode } = episode
  const callsFile = evidence.find(({ path }) => path === CALLS_FILE)
  const recordingFile = evidence.find(({ role }) => role === 'gateway-recording')
  const log = await readText(folder, callsFile, MAX_CALLS_BYTES)
  const recording = await readText(folder, recordingFile, MAX_RECORDING_BYTES)
  // Retention may have removed files that were checked before.
  if (log === null || recording === null) return { problem: 'missing', isRecorded: false }
  const calls = readCalls(log ?? '').filter(isBilledCall)
  const isRecorded = mode === 'recorded-real'
  if ((isRecorded && !callsFile) || calls.some((call) => isUnderpriced(call, episode)))
    return CONTRADICTED
  if (recording !== undefined) return checkRecording(recording, calls, episode)
  return { problem: isRecorded ? 'missing' : null, isRecorded: false }
}

async function checkRecording(
  text: string,
  calls: readonly GatewayCall[],
  { subject }: StoredWork,
): Promise<ModelRecord> {
  const parsed = parseRecording(text)
  if (!parsed.ok || !isRecordingOf(parsed.value, subject)) return CONTRADICTED
  if (!hasEvery(await readRecordedCalls(parsed.value), calls)) return CONTRADICTED
  return { problem: null, isRecorded: true }
}

const CONTRADICTED: ModelRecord = { problem: 'contradicted', isRecorded: false }

function readCalls(log: string): GatewayCall[] {
  const lines = log.split('\n').filter(Boolean)
  return lines.flatMap((line) => gatewayCallSchema.safeParse(parseJson(line)).data ?? [])
}

/** Returns the text of a file; null = the file is missing, undefined = the envelope names none. */
async function readText(
  folder: string,
  file: EvidenceFile | undefined,
  maxBytes: number,
): Promise<string | null | undefined> {
  if (file === undefined) return undefined
  const read = await readPlainFile(folder, file.path, maxBytes)
  return read.kind === 'read' ? read.bytes.toString('utf8') : null
}

function isRecordingOf(
  { manifest }: Recording,
  { name, version, provider }: StoredWork['subject'],
): boolean {
  const { agent } = manifest
  return manifest.provider === provider && agent.name === name && agent.version === version
}

/** Returns true if each call is one of the recorded responses, and no response serves two calls. */
function hasEvery(recorded: readonly ReadCall[], calls: readonly GatewayCall[]): boolean {
  const left = recorded.map(keyOf)
  return calls.every((call) => {
    const at = left.indexOf(keyOf(call))
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  })
}

const keyOf = ({ model, tokens: { input, output } }: ReadCall): string =>
  JSON.stringify([model, input, output])

/** Returns true for a call that costs less than its tokens do by the price table or the given price. */
function isUnderpriced(call: GatewayCall, { subject }: StoredWork): boolean {
  const { costMicroUsd, costSource = 'price-table', model, tokens, startedAt: at } = call
  // A call covered by a subscription has no cost.
  if (costMicroUsd === null) return false
  if (costSource === 'provider' && statesCost(subject.provider ?? '')) return false
  const usage = { provider: subject.provider, model: model ?? '', at, tokens }
  const text = subject.settings.price
  const given = text === undefined ? null : readGivenPrice(text)
  const expected = given ? priceGiven(given, usage) : priceUsage(usage)
  return costMicroUsd < Math.floor((expected.costMicroUsd ?? 0) * MIN_PRICE_SHARE)
}
