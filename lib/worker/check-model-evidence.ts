import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CALLS_FILE,
  type Episode,
  type EvidenceFile,
  episodeFact,
  findCallContradiction,
  gatewayCallSchema,
  isLlmDriven,
  type ModelEvidence,
} from '../domain/record/index.ts'
import { parseJson } from '../domain/text/index.ts'

/** Limit for a log of calls, which contains numbers and names but no conversation. */
const MAX_BYTES = 32 * 1024 * 1024

/**
 * Checks the evidence of an episode with a model: the gateway's log of calls for live, the recording for recorded-real.
 * Also checks that the log of calls has the figures of the envelope. `folder` is absolute; null = only the envelope was
 * uploaded. Digests were compared with the envelope when the files arrived.
 */
export async function checkModelEvidence(
  episode: Episode,
  folder: string | null,
): Promise<ModelEvidence> {
  const { mode, evidence } = episode
  const isDriven = isLlmDriven(episodeFact(episode, 'token'))
  if (!isDriven || (mode !== 'live' && mode !== 'recorded-real')) return 'not-needed'
  const calls = evidence.find(({ path }) => path === CALLS_FILE)
  const recording = evidence.find(({ role }) => role === 'gateway-recording')
  const file = mode === 'live' ? calls : recording
  if (!file || folder === null || !(await isThere(folder, file))) return 'missing'
  // A replay has a log of calls too, beside the recording.
  if (!calls) return 'whole'
  return checkCalls(join(folder, calls.path), episode)
}

async function isThere(folder: string, { path, sizeBytes }: EvidenceFile): Promise<boolean> {
  const found = await stat(join(folder, path)).catch(() => null)
  return found?.isFile() === true && found.size === sizeBytes
}

/** Checks that every line is a call, that a model's response has at least one, and that they add up to the envelope. */
async function checkCalls(file: string, episode: Episode): Promise<ModelEvidence> {
  const { subject, usage } = episode
  if (!existsSync(file) || (await stat(file)).size > MAX_BYTES) return 'missing'
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim())
  const hasAnswered = subject.modelObserved.length > 0 || (usage?.tokens.output ?? 0) > 0
  if (hasAnswered && lines.length === 0) return 'missing'
  const calls = lines.flatMap((line) => gatewayCallSchema.safeParse(parseJson(line)).data ?? [])
  if (calls.length < lines.length) return 'missing'
  return findCallContradiction(episode, calls) === null ? 'whole' : 'contradicted'
}
