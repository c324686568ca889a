import type { Result } from '#lib/domain/board/judge-results.ts'
import { parseBundle } from '#lib/domain/bundle.ts'
import { parseEpisode } from '#lib/domain/parse-episode.ts'
import type { ParseResult } from '#lib/domain/problem.ts'
import { readJsonFile } from './read-plan.ts'

export type ReadResult = { kind: 'episode' | 'result bundle'; result: ParseResult<Result> }

/** A result.json or a lone episode.json, checked whole: schema, seals, digests, contradictions. */
export function readResult(path: string): ReadResult {
  const input = readJsonFile(path)
  if (typeof input !== 'object' || input === null || !('episodeId' in input))
    return { kind: 'result bundle', result: parseBundle(input) }
  const parsed = parseEpisode(input)
  if (!parsed.ok) return { kind: 'episode', result: parsed }
  const episode = parsed.value
  const value = { runId: episode.runId, plan: null, shard: WHOLE, episodes: [episode] }
  return { kind: 'episode', result: { ok: true, value } }
}

const WHOLE = { index: 1, count: 1 }
