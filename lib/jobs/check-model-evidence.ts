import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { episodeFact } from '#lib/domain/board/episode-fact.ts'
import { isLlmDriven } from '#lib/domain/eligibility/is-llm-driven.ts'
import { CALLS_FILE, type EvidenceFile, type MeasuredEpisode } from '#lib/domain/episode.ts'
import type { ModelEvidence } from '#lib/domain/evaluation/evaluation.ts'
import { gatewayCallSchema } from '#lib/domain/gateway-call.ts'

/** A log of calls holds numbers and names, no conversation. */
const MOST_BYTES = 32 * 1024 * 1024

/**
 * Whether what an episode's mode stands for came along, where a model drove it: the gateway's log of calls for live, the
 * recording for recorded-real. `folder` is absolute; null = the envelope came alone. Digests were held against the
 * envelope when the files came in.
 */
export async function checkModelEvidence(
  episode: MeasuredEpisode,
  folder: string | null,
): Promise<ModelEvidence> {
  const { mode, evidence } = episode
  const isDriven = isLlmDriven(episodeFact(episode, 'token'))
  if (!isDriven || (mode !== 'live' && mode !== 'recorded-real')) return 'not-needed'
  const file =
    mode === 'live'
      ? evidence.find(({ path }) => path === CALLS_FILE)
      : evidence.find(({ role }) => role === 'gateway-recording')
  if (!file || folder === null || !(await isThere(folder, file))) return 'missing'
  return mode === 'live' && !(await holdsCalls(join(folder, file.path), episode))
    ? 'missing'
    : 'whole'
}

async function isThere(folder: string, { path, sizeBytes }: EvidenceFile): Promise<boolean> {
  const found = await stat(join(folder, path)).catch(() => null)
  return found?.isFile() === true && found.size === sizeBytes
}

/** Every line is a call, and there is one wherever a model is said to have answered. */
async function holdsCalls(file: string, { subject, usage }: MeasuredEpisode): Promise<boolean> {
  if (!existsSync(file) || (await stat(file)).size > MOST_BYTES) return false
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim())
  const hasAnswered = subject.modelObserved.length > 0 || (usage?.tokens.output ?? 0) > 0
  if (hasAnswered && lines.length === 0) return false
  return lines.every((line) => gatewayCallSchema.safeParse(parseQuietly(line)).success)
}

function parseQuietly(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
