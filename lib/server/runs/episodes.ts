import { database } from '../../db/database.ts'
import {
  type EpisodeFilter,
  listEpisodeSummaries,
  listWithEvidence,
} from '../../db/episode-list.ts'
import { type EpisodeRecord, findEpisode, listEpisodeCells } from '../../db/episode-store.ts'
import { listEvaluationsOf } from '../../db/evaluation-store.ts'
import { listPrunedOf } from '../../db/pruned-store.ts'
import { findRun } from '../../db/run-store.ts'
import { findSuiteVersion } from '../../db/suite-store.ts'
import {
  describeEpisode,
  type EpisodeSummary,
  type EpisodeView,
  endPage,
  isDescribed,
  type PrunedNote,
} from '../../domain/api/index.ts'
import { viewEvaluation } from '../../domain/eligibility/index.ts'
import { type EvidenceFile, episodeFact } from '../../domain/record/index.ts'
import { AppError } from '../../errors.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import { evidenceRef } from '../evidence/evidence-store.ts'
import { findOwnFiles, whyElsewhere } from '../evidence/own-files.ts'
import { MAX_BYTES, readRange, unlessEvidence } from './read-log.ts'

/** Returns one episode with its diff and solution; null = no such episode. */
export async function getEpisode(episodeId: string): Promise<EpisodeView | null> {
  const db = database()
  const record = await findEpisode(db, episodeId)
  if (!record) return null
  const { episode, provenance } = record
  const { runId, taskId, repetition, suiteDigest } = episode
  const [run, suite, attempts, texts, pruned, evaluations] = await Promise.all([
    findRun(db, runId),
    findSuiteVersion(db, suiteDigest),
    listEpisodeCells(db, { runId, taskId, repetition }),
    readTexts(record),
    listPrunedOf(db, episodeId),
    listEvaluationsOf(db, episodeId),
  ])
  return {
    ...describeEpisode(episode, {
      provenance,
      plan: run?.plan ?? null,
      suite,
      attempts,
      textOf: (file) => texts.get(file) ?? null,
    }),
    evaluatedHere: viewEvaluation(episodeFact(episode, provenance), evaluations),
    received: record.directory !== null,
    ...(await findAbsent(record, pruned)),
    pruned: pruned.map((note) => {
      return { ...note, path: note.path.slice(`${record.directory}/`.length) }
    }),
  }
}

async function readTexts(record: EpisodeRecord): Promise<ReadonlyMap<EvidenceFile, string | null>> {
  const files = record.episode.evidence.filter(isDescribed)
  const texts = await Promise.all(files.map((file) => readText(record, file)))
  return new Map(files.map((file, index) => [file, texts[index] ?? null]))
}

type Absent = Pick<EpisodeView, 'elsewhere' | 'evidenceProblems'>

/** Lists problems of the evidence; one for all files that are absent and not expected in this data folder. */
async function findAbsent(record: EpisodeRecord, pruned: readonly PrunedNote[]): Promise<Absent> {
  const evidenceProblems = await findProblems(record, pruned)
  const { directory } = record
  const isHere = findOwnFiles()
  if (evidenceProblems.length === 0 || directory === null || !isHere || isHere(directory))
    return { elsewhere: null, evidenceProblems }
  const elsewhere = `is not in this data folder: ${whyElsewhere(directory)}`
  return { elsewhere, evidenceProblems: [{ path: directory, problem: elsewhere }] }
}

/** Lists files that the store lacks; if it cannot be reached, one problem for all files. */
async function findProblems(
  { directory, episode }: EpisodeRecord,
  pruned: readonly PrunedNote[],
): Promise<EpisodeView['evidenceProblems']> {
  const gone = new Set(pruned.map(({ path }) => path))
  const store = evidenceStore()
  const problems: EpisodeView['evidenceProblems'] = []
  for (const file of episode.evidence) {
    const ref = evidenceRef(directory, file)
    if (!ref || gone.has(ref.place)) continue
    try {
      if (await store.has(ref)) continue
      problems.push({ path: file.path, problem: 'is missing from the evidence store' })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return [{ path: file.path, problem: `cannot be read now: ${error.message}` }]
    }
  }
  return problems
}

async function readText(record: EpisodeRecord, file: EvidenceFile): Promise<string | null> {
  const ref = evidenceRef(record.directory, file)
  const reading = async () => ref && readRange(await evidenceStore().open(ref), 0, MAX_BYTES)
  return (await reading().catch(unlessEvidence))?.text ?? null
}

type Place = readonly [at: string, id: string]

/** Returns the latest episode with evidence files; null = none is among the latest attempts. */
export async function findLatestWithEvidence(): Promise<{
  episodeId: string
  runId: string
} | null> {
  const [episode] = await listWithEvidence(database(), undefined, 1)
  return episode ?? null
}

/** Lists a page of stored attempts, latest first; `last` = where the next page starts. */
export async function listEpisodes(
  filter: EpisodeFilter,
  { after, limit }: { after: Place | null; limit: number },
): Promise<{ items: EpisodeSummary[]; last: Place | null }> {
  const read = await listEpisodeSummaries(database(), filter, { after, limit: limit + 1 })
  return endPage(read, ({ startedAt, episodeId }) => [startedAt, episodeId], limit)
}
