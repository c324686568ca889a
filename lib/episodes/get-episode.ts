import { database } from '#lib/db/database.ts'
import { type EpisodeRecord, findEpisode, listEpisodeCells } from '#lib/db/episode-store.ts'
import { findRun } from '#lib/db/run-store.ts'
import { findSuiteVersion } from '#lib/db/suite-store.ts'
import type { EvidenceFile } from '#lib/domain/episode.ts'
import { reproduceLines } from '#lib/domain/reproduce-lines.ts'
import type { EpisodeView } from '#lib/domain/views/episode-view.ts'
import { evidencePath } from '#lib/logs/evidence-path.ts'
import { MOST_BYTES } from '#lib/logs/read-log.ts'
import { readRange } from '#lib/logs/read-range.ts'

/** One episode with its diff and solution; null = no such episode. */
export async function getEpisode(episodeId: string): Promise<EpisodeView | null> {
  const db = database()
  const record = await findEpisode(db, episodeId)
  if (!record) return null
  const { episode, provenance } = record
  const { runId, taskId, repetition, suiteDigest } = episode
  const [run, suite, attempts, diff, solution] = await Promise.all([
    findRun(db, runId),
    findSuiteVersion(db, suiteDigest),
    listEpisodeCells(db, { runId, taskId, repetition }),
    readDiff(record),
    readSolution(record),
  ])
  const task = suite?.tasks.find((entry) => entry.taskId === taskId)
  const reproduce = run ? reproduceLines(run.plan, suite, [taskId]) : []
  return {
    episode,
    provenance,
    taskTitle: task?.title ?? taskId,
    attempts,
    diff,
    solution,
    reproduce,
  }
}

async function readDiff(record: EpisodeRecord): Promise<string | null> {
  const file = record.episode.evidence.find(({ role }) => role === 'workspace-diff')
  return file ? readText(record, file) : null
}

async function readSolution(record: EpisodeRecord): Promise<EpisodeView['solution']> {
  const files = record.episode.evidence.filter(({ role }) => role === 'solution')
  const texts = await Promise.all(files.map((file) => readText(record, file)))
  return files.flatMap(({ path }, index) => {
    const text = texts[index]
    return typeof text === 'string' ? [{ path: path.replace(/^solution\//, ''), text }] : []
  })
}

async function readText(record: EpisodeRecord, file: EvidenceFile): Promise<string | null> {
  const path = evidencePath(record, file)
  return path ? ((await readRange(path, 0, MOST_BYTES))?.text ?? null) : null
}
