import { viewEvaluation } from '#lib/domain/eligibility/index.ts'
import type { ExportedEpisode } from '#lib/domain/formats/index.ts'
import {
  type AnyEpisode,
  anyEpisodeSchema,
  type EvidenceFile,
  evaluationSchema,
  type OutcomeStatus,
} from '#lib/domain/record/index.ts'
import { AppError } from '#lib/errors.ts'
import type { DbOrTx } from './db.ts'
import { Prisma } from './generated/sqlite/client.ts'
import { toProvenance } from './run-store.ts'
import { readStoredFact, unpackEnvelope } from './stored-episode.ts'

const AT_ONCE = 200

/** Yields the envelopes of some runs, by run, task, repetition and attempt, a page at a time. */
export async function* streamEpisodes(
  db: DbOrTx,
  runIds: readonly string[],
): AsyncGenerator<ExportedEpisode> {
  for (const runId of runIds) {
    let after: Place | null = null
    for (;;) {
      const page: Row[] = await db.episode.findMany({
        where: { runId, ...(after && { OR: beyond(after) }) },
        orderBy: [{ taskId: 'asc' }, { repetition: 'asc' }, { attempt: 'asc' }],
        select: COLUMNS,
        take: AT_ONCE,
      })
      for (const row of page) yield toExported(row)
      after = page.at(-1) ?? null
      if (page.length < AT_ONCE) break
    }
  }
}

type Place = { taskId: string; repetition: number; attempt: number }
type Row = Place & {
  envelope: string
  provenance: string
  fact: string
  evaluations: { record: string }[]
}
const COLUMNS = {
  taskId: true,
  repetition: true,
  attempt: true,
  envelope: true,
  provenance: true,
  fact: true,
  evaluations: { select: { record: true } },
} as const

function toExported({ envelope, provenance, fact, evaluations }: Row): ExportedEpisode {
  const text = unpackEnvelope(envelope)
  const episode = { text, read: () => readEnvelope(text) }
  const known = { ...readStoredFact(fact), provenance: toProvenance(provenance) }
  const all = evaluations.map(({ record }) => evaluationSchema.parse(JSON.parse(record)))
  const view = viewEvaluation(known, all)
  return view ? { ...episode, evaluatedHere: view.state } : episode
}

function beyond({ taskId, repetition, attempt }: Place) {
  return [
    { taskId: { gt: taskId } },
    { taskId, repetition: { gt: repetition } },
    { taskId, repetition, attempt: { gt: attempt } },
  ]
}

function readEnvelope(text: string): AnyEpisode {
  const parsed = anyEpisodeSchema.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  throw new AppError(
    'database-unusable',
    'a stored envelope is damaged: see proofboard server ledger verify',
  )
}

/** The last outcome of each slot, the time span of all attempts, and counts that grow with the runs. */
export type RunTotals = {
  slots: { episodeId: string; taskId: string; status: OutcomeStatus }[]
  startedAt: string | null
  endedAt: string | null
  /** Number of all attempts. */
  episodes: number
  /** Evaluations of the attempts; they are never removed. */
  evaluations: number
  /** Recorded locations of the attempts' transcripts. */
  transcripts: { directory: string | null; file: EvidenceFile }[]
}

export async function readRunTotals(db: DbOrTx, runIds: readonly string[]): Promise<RunTotals> {
  if (runIds.length === 0)
    return {
      slots: [],
      startedAt: null,
      endedAt: null,
      episodes: 0,
      evaluations: 0,
      transcripts: [],
    }
  const ids = Prisma.join([...runIds])
  const slots = await db.$queryRaw<RunTotals['slots']>`
    SELECT "episodeId", "taskId", "status" FROM "Episode" AS e
    WHERE "runId" IN (${ids}) AND NOT EXISTS (
      SELECT 1 FROM "Episode" AS later
      WHERE later."runId" = e."runId" AND later."taskId" = e."taskId"
        AND later."repetition" = e."repetition" AND later."attempt" > e."attempt")
    ORDER BY e."runId", e."taskId", e."repetition"`
  const evaluations = await db.evaluation.count({
    where: { episode: { runId: { in: [...runIds] } } },
  })
  return { slots, evaluations, ...(await readEnvelopes(db, runIds)) }
}

/** Reads envelopes: only they contain an episode's end and its files. */
async function readEnvelopes(db: DbOrTx, runIds: readonly string[]) {
  const times: Pick<Times, 'startedAt' | 'endedAt'>[] = []
  const transcripts: RunTotals['transcripts'] = []
  for (let after = ''; ; ) {
    const rows = await db.episode.findMany({
      where: { runId: { in: [...runIds] }, episodeId: { gt: after } },
      orderBy: { episodeId: 'asc' },
      select: { episodeId: true, envelope: true, directory: true },
      take: AT_ONCE,
    })
    for (const { envelope, directory } of rows) {
      const { startedAt, endedAt, evidence } = JSON.parse(unpackEnvelope(envelope)) as Times
      times.push({ startedAt, endedAt })
      const file = evidence?.find(({ role }) => role === 'transcript')
      if (file) transcripts.push({ directory, file })
    }
    after = rows.at(-1)?.episodeId ?? after
    if (rows.length < AT_ONCE) break
  }
  const starts = times.map(({ startedAt }) => startedAt).sort()
  const ends = times.map(({ endedAt }) => endedAt).sort()
  const [startedAt = null] = starts
  return { startedAt, endedAt: ends.at(-1) ?? null, episodes: times.length, transcripts }
}

type Times = Pick<AnyEpisode, 'startedAt' | 'endedAt' | 'evidence'>
