import type { Kept } from '#lib/db/read-kept.ts'
import type { Archive, ArchivedRun, Flaw } from '#lib/domain/archive/archive.ts'
import { listIncluded } from '#lib/domain/ledger/board-input.ts'
import type { LedgerEntry } from '#lib/domain/ledger/ledger-entry.ts'
import { checkReceipts, checkSubjects } from './check-receipts.ts'
import type { Flaws } from './compare-columns.ts'
import { type ParsedEpisode, parseEpisodeRows } from './parse-episode-rows.ts'
import { parseEvaluationRows } from './parse-evaluation-rows.ts'
import { parseLedgerRows } from './parse-ledger-rows.ts'
import { type ParsedRun, parseRunRows } from './parse-run-rows.ts'
import { parseSuiteRows } from './parse-suite-rows.ts'

export type ParsedKept = Flaws & { archive: Archive; episodes: ParsedEpisode[] }

/** A server's rows as an archive, with everything in them that is not what was once written. */
export function parseKept(kept: Kept): ParsedKept {
  const ledger = parseLedgerRows(kept.ledger)
  const suites = parseSuiteRows(kept)
  const runs = parseRunRows(kept)
  const episodes = parseEpisodeRows(kept.episodes)
  const evaluations = parseEvaluationRows(kept.evaluations)
  const parts = [ledger, suites, runs, episodes, evaluations]
  const damage = kept.damage.map((problem) => ({ place: 'database', problem }))
  const origins = checkOrigins(runs.runs, episodes.episodes, ledger.entries)
  return {
    archive: {
      suites: suites.suites,
      current: suites.current,
      runs: runs.runs.map((run) => archiveRun(run, episodes.episodes)),
      evaluations: evaluations.evaluations,
      entries: ledger.entries,
    },
    episodes: episodes.episodes,
    flaws: [...damage, ...parts.flatMap((part) => part.flaws)],
    columnFlaws: [
      ...parts.flatMap((part) => part.columnFlaws),
      ...origins,
      ...checkReceipts(kept, episodes.episodes, ledger.entries),
      ...checkSubjects(kept.subjects),
    ],
  }
}

function archiveRun({ runId, plan, shard }: ParsedRun, all: readonly ParsedEpisode[]): ArchivedRun {
  const own = all.filter(({ episode }) => episode.runId === runId)
  return { runId, plan, shard, episodes: own.map(({ episode }) => episode) }
}

/** Who vouches for a run and which part of its plan it is stands in the ledger; rows must say the same. */
function checkOrigins(
  runs: readonly ParsedRun[],
  episodes: readonly ParsedEpisode[],
  entries: readonly LedgerEntry[],
): Flaw[] {
  const included = listIncluded(entries)
  const flaws: Flaw[] = []
  const problem = 'its provenance is not the one that the ledger includes it with'
  for (const { runId, provenance, shard } of runs) {
    const include = included.get(runId)
    if (!include) continue
    const place = `run ${runId}`
    if (include.provenance !== provenance) flaws.push({ place, problem })
    if (JSON.stringify(include.shard) !== JSON.stringify(shard))
      flaws.push({ place, problem: 'is another part of its plan than the ledger includes' })
  }
  for (const { episode, provenance } of episodes) {
    const include = included.get(episode.runId)
    if (include && include.provenance !== provenance)
      flaws.push({ place: `episode ${episode.episodeId}`, problem })
  }
  return flaws
}
