import type { Row } from '#lib/db/read-kept.ts'
import { isFactAsKept, rederiveEpisode } from '#lib/db/rederive-episode.ts'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import { canonicalJson } from '#lib/domain/canonical-json.ts'
import type { Episode } from '#lib/domain/episode.ts'
import { parseEpisode } from '#lib/domain/parse-episode.ts'
import { compareColumns, type Flaws, readInstant, readJsonColumn } from './compare-columns.ts'

/** An episode whose envelope is whole, and who vouches for it. */
export type ParsedEpisode = {
  episode: Episode
  provenance: string
  directory: string | null
  receivedAt: string
}

/** Every episode as its row holds it; one with a damaged envelope is left out and named. */
export function parseEpisodeRows(rows: readonly Row[]): Flaws & {
  episodes: ParsedEpisode[]
} {
  const flaws: Flaw[] = []
  const columnFlaws: Flaw[] = []
  const episodes = rows.flatMap((row): ParsedEpisode | [] => {
    const place = `episode ${row.episodeId}`
    const parsed = parseEpisode(readJsonColumn(row.envelope))
    if (!parsed.ok) {
      const { path, message } = parsed.problems[0] ?? { path: 'envelope', message: 'is broken' }
      flaws.push({ place, problem: `its envelope is not whole (${path}: ${message})` })
      return []
    }
    const episode = parsed.value
    const { fact, ...columns } = rederiveEpisode(episode)
    const kept = String(row.fact)
    const derived = {
      ...columns,
      fact: isFactAsKept(kept, fact) ? kept : fact,
      envelope: canonicalJson(episode),
    }
    columnFlaws.push(...compareColumns(place, row, derived))
    const directory = row.directory === null ? null : String(row.directory)
    const receivedAt = readInstant(row.receivedAt) ?? ''
    return { episode, provenance: String(row.provenance), directory, receivedAt }
  })
  return { episodes, flaws, columnFlaws }
}
