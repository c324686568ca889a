import { type Episode, episodeSchema } from './episode.ts'
import { findContradictions } from './find-contradictions.ts'
import { formatIssues, type ParseResult } from './problem.ts'
import { identifyEpisode, isSealIntact } from './seal-episode.ts'
import { upgradeEpisode } from './upgrade-episode.ts'

/** The door for every envelope from disk or wire: upgrade, schema, seal, identity, consistency. Never throws on bad input. */
export function parseEpisode(input: unknown): ParseResult<Episode> {
  const upgraded = upgradeEpisode(input)
  if (!upgraded.ok) return upgraded
  const parsed = episodeSchema.safeParse(upgraded.value)
  if (!parsed.success) return { ok: false, problems: formatIssues(parsed.error.issues) }
  const episode = parsed.data
  if (!isSealIntact(episode)) {
    return refuse(
      'seal',
      'the seal does not match the content: the file was changed after it was sealed',
    )
  }
  if (identifyEpisode(episode) !== episode.episodeId) {
    return refuse(
      'episodeId',
      'is not the digest of this run, plan, task, subject, repetition and attempt',
    )
  }
  const problems = findContradictions(episode)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: episode }
}

function refuse(path: string, message: string): ParseResult<never> {
  return { ok: false, problems: [{ path, message }] }
}
