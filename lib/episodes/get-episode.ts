import type { z } from 'zod'
import { database } from '#lib/db/database.ts'
import { type EpisodeRecord, findEpisode, listEpisodeCells } from '#lib/db/episode-store.ts'
import { listEvaluationsOf } from '#lib/db/evaluation-store.ts'
import { listPrunedOf } from '#lib/db/pruned-store.ts'
import { findRun } from '#lib/db/run-store.ts'
import { findSuiteVersion } from '#lib/db/suite-store.ts'
import { episodeFact } from '#lib/domain/board/episode-fact.ts'
import { gradingFact } from '#lib/domain/board/grading-fact.ts'
import { TRACE_FILE, tracedActionSchema } from '#lib/domain/browser/traced-action.ts'
import { CALLS_FILE, type EvidenceFile } from '#lib/domain/episode.ts'
import { viewEvaluation } from '#lib/domain/evaluation/view-evaluation.ts'
import { gatewayCallSchema } from '#lib/domain/gateway-call.ts'
import { isFrozen } from '#lib/domain/plan.ts'
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
  const [run, suite, attempts, diff, solution, calls, trace, finalState, pruned, evaluations] =
    await Promise.all([
      findRun(db, runId),
      findSuiteVersion(db, suiteDigest),
      listEpisodeCells(db, { runId, taskId, repetition }),
      readRole(record, 'workspace-diff'),
      readSolution(record),
      readLines(record, CALLS_FILE, gatewayCallSchema),
      readLines(record, TRACE_FILE, tracedActionSchema),
      readRole(record, 'contract-evidence'),
      listPrunedOf(db, episodeId),
      listEvaluationsOf(db, episodeId),
    ])
  const task = suite?.tasks.find((entry) => entry.taskId === taskId)
  const plan = run?.plan
  const reproduce = plan && isFrozen(plan) ? reproduceLines(plan, suite, [taskId]) : []
  return {
    episode,
    provenance,
    grading: gradingFact(episode) ?? null,
    evaluatedHere: viewEvaluation(episodeFact(episode, provenance), evaluations),
    taskTitle: task?.title ?? taskId,
    attempts,
    diff,
    solution,
    calls,
    trace,
    finalState,
    received: record.directory !== null,
    pruned: pruned.map((note) => {
      return { ...note, path: note.path.slice(`${record.directory}/`.length) }
    }),
    reproduce,
  }
}

async function readRole(record: EpisodeRecord, role: EvidenceFile['role']): Promise<string | null> {
  const file = record.episode.evidence.find((entry) => entry.role === role)
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

/** A line that cannot be read is left out: evidence is shown, never trusted. */
async function readLines<S extends z.ZodType>(
  record: EpisodeRecord,
  name: string,
  schema: S,
): Promise<z.infer<S>[] | null> {
  const file = record.episode.evidence.find(({ path }) => path === name)
  const text = file && (await readText(record, file))
  if (typeof text !== 'string') return null
  return text.split('\n').flatMap((line) => {
    const parsed = schema.safeParse(parseLine(line))
    return parsed.success ? [parsed.data] : []
  })
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

async function readText(record: EpisodeRecord, file: EvidenceFile): Promise<string | null> {
  const path = evidencePath(record, file)
  return path ? ((await readRange(path, 0, MOST_BYTES))?.text ?? null) : null
}
