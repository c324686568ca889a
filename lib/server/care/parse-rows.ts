import { evaluatorOf } from '../../db/evaluation-store.ts'
import { planColumns } from '../../db/plan-store.ts'
import {
  type DatabaseRow,
  readInstant,
  type StoredTables,
  storedInstant,
} from '../../db/read-stored.ts'
import { parseShard } from '../../db/run-store.ts'
import { isStoredFact, rederiveEpisode, unpackEnvelope } from '../../db/stored-episode.ts'
import { toSuite } from '../../db/suite-store.ts'
import { type Archive, type Flaw, findChainFlaws } from '../../domain/archive/index.ts'
import { canonicalJson, type Digest } from '../../domain/digest/index.ts'
import { type LedgerEntry, ledgerEntrySchema } from '../../domain/ledger/index.ts'
import {
  type AnyEpisode,
  type AnyPlan,
  anyPlanSchema,
  type Evaluation,
  evaluationSchema,
  groupBy,
  parseAnyEpisode,
  type Shard,
  sealedText,
} from '../../domain/record/index.ts'
import type { Suite } from '../../domain/tasks/index.ts'
import { parseJson } from '../../domain/text/index.ts'

type ParsedSuites = Flaws & { suites: Suite[]; current: Map<string, Digest> }

/** Parses every version of every suite from its rows. */
export function parseSuiteRows({
  suites,
  tasks,
}: Pick<StoredTables, 'suites' | 'tasks'>): ParsedSuites {
  const parsed: ParsedSuites = { suites: [], current: new Map(), flaws: [], columnFlaws: [] }
  const tasksOf = groupBy(tasks, ({ suiteDigest }) => String(suiteDigest))
  for (const row of suites) {
    const place = `suite ${row.suiteId}`
    const own = tasksOf.get(String(row.digest)) ?? []
    const suite = readSuite(row, own)
    if (!suite) {
      parsed.flaws.push({ place, problem: `its version ${row.digest} cannot be read` })
      continue
    }
    parsed.suites.push(suite)
    if (row.isCurrent === 1) parsed.current.set(suite.suiteId, suite.digest)
    parsed.columnFlaws.push(...own.flatMap((task, index) => checkTask(place, task, suite, index)))
  }
  return parsed
}

function readSuite(row: DatabaseRow, tasks: readonly DatabaseRow[]): Suite | null {
  try {
    // Rows of the suite store's shape; the schema validates them.
    return toSuite({ ...row, tasks } as unknown as Parameters<typeof toSuite>[0])
  } catch {
    return null
  }
}

function checkTask(place: string, row: DatabaseRow, suite: Suite, index: number): Flaw[] {
  const task = suite.tasks[index]
  if (!task) return []
  const { taskId, digest, title, category, difficulty } = task
  const definition = canonicalJson(task)
  const expected = { taskId, digest, title, category, difficulty, definition, position: index }
  return compareColumns(`${place}, task ${taskId}`, row, expected)
}

export type ParsedRun = { runId: string; plan: AnyPlan; shard: Shard | null; provenance: string }

/** Parses every run with its plan from their rows. */
export function parseRunRows({ runs, plans }: Pick<StoredTables, 'runs' | 'plans'>): Flaws & {
  runs: ParsedRun[]
} {
  const flaws: Flaw[] = []
  const columnFlaws: Flaw[] = []
  const planOf = new Map<unknown, AnyPlan>()
  for (const row of plans) {
    const place = `plan ${row.planDigest}`
    const plan = anyPlanSchema.safeParse(parseJson(String(row.document)))
    if (!plan.success) flaws.push({ place, problem: 'cannot be read' })
    else {
      planOf.set(row.planDigest, plan.data)
      columnFlaws.push(...compareColumns(place, row, planColumns(plan.data)))
    }
  }
  const parsed = runs.flatMap((row): ParsedRun | [] => {
    const place = `run ${row.runId}`
    const plan = planOf.get(row.planDigest)
    const shard = readShard(row)
    if (!plan || shard === undefined) {
      flaws.push({ place, problem: plan ? 'its column shard was changed' : 'its plan is not here' })
      return []
    }
    columnFlaws.push(...compareColumns(place, row, { suiteId: plan.suiteId }))
    return { runId: String(row.runId), plan, shard, provenance: String(row.provenance) }
  })
  return { runs: parsed, flaws, columnFlaws }
}

function readShard({ shard }: DatabaseRow): Shard | null | undefined {
  try {
    return parseShard(shard === null ? null : String(shard))
  } catch {
    return undefined
  }
}

/** An episode with a valid envelope, and its provenance. */
export type ParsedEpisode = {
  episode: AnyEpisode
  provenance: string
  directory: string | null
  receivedAt: string
}

/** Parses every episode from its row; reports and leaves out those with a damaged envelope. */
export function parseEpisodeRows(rows: readonly DatabaseRow[]): Flaws & {
  episodes: ParsedEpisode[]
} {
  const flaws: Flaw[] = []
  const columnFlaws: Flaw[] = []
  const episodes = rows.flatMap((row): ParsedEpisode | [] => {
    const place = `episode ${row.episodeId}`
    const envelope = unpackOr(String(row.envelope))
    const parsed = parseAnyEpisode(parseJson(envelope))
    if (!parsed.ok) {
      const { path, message } = parsed.problems[0] ?? { path: 'envelope', message: 'is broken' }
      flaws.push({ place, problem: `its envelope is not whole (${path}: ${message})` })
      return []
    }
    const episode = parsed.value
    const { fact, ...columns } = rederiveEpisode(episode)
    const stored = String(row.fact)
    const derived = {
      ...columns,
      fact: isStoredFact(stored, fact) ? stored : fact,
      envelope: sealedText(episode),
    }
    columnFlaws.push(...compareColumns(place, { ...row, envelope }, derived))
    const directory = row.directory === null ? null : String(row.directory)
    const receivedAt = readInstant(row.receivedAt) ?? ''
    return { episode, provenance: String(row.provenance), directory, receivedAt }
  })
  return { episodes, flaws, columnFlaws }
}

/** Decompresses an envelope. Returns a damaged one unchanged, since it is reported as invalid JSON. */
function unpackOr(stored: string): string {
  try {
    return unpackEnvelope(stored)
  } catch {
    return ''
  }
}

/** Parses every evaluation from its row; reports and leaves out those that cannot be read. */
export function parseEvaluationRows(
  rows: readonly DatabaseRow[],
): Flaws & { evaluations: Evaluation[] } {
  const flaws: Flaw[] = []
  const columnFlaws: Flaw[] = []
  const evaluations = rows.flatMap((row): Evaluation | [] => {
    const place = `evaluation ${row.number} of ${row.episodeId}`
    const parsed = evaluationSchema.safeParse(parseJson(String(row.record)))
    if (!parsed.success) {
      flaws.push({ place, problem: 'cannot be read' })
      return []
    }
    const { episodeId, number, at, result } = parsed.data
    const columns = { episodeId, number: row.number, at: new Date(at), result }
    const record = canonicalJson(parsed.data)
    const expected = { ...columns, verifier: evaluatorOf(parsed.data), record }
    columnFlaws.push(...compareColumns(place, row, expected))
    if (Number(row.number) !== number)
      columnFlaws.push({ place, problem: 'its column number was changed' })
    return parsed.data
  })
  return { evaluations, flaws, columnFlaws }
}

/** Parses the ledger from its rows, up to the first that cannot be read; checks every column and the chain. */
export function parseLedgerRows(rows: readonly DatabaseRow[]): Flaws & { entries: LedgerEntry[] } {
  const entries: LedgerEntry[] = []
  const columnFlaws: Flaw[] = []
  for (const row of rows) {
    const place = `entry ${row.sequence}`
    const at = readInstant(row.at)
    const parsed = ledgerEntrySchema.safeParse({
      ...row,
      at,
      action: parseJson(String(row.action)),
    })
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      const problem = `cannot be read (${issue?.path.join('.')}: ${issue?.message})`
      return { entries, flaws: [{ place, problem }], columnFlaws }
    }
    const { kind, target } = parsed.data.action
    const action = canonicalJson(parsed.data.action)
    const columns = { ...parsed.data, at: new Date(parsed.data.at), action, kind, target }
    entries.push(parsed.data)
    columnFlaws.push(...compareColumns(place, row, columns))
  }
  return { entries, flaws: findChainFlaws(entries), columnFlaws }
}

/** Problems of rows: of documents, and of columns derived from them. */
export type Flaws = { flaws: Flaw[]; columnFlaws: Flaw[] }

/** Lists the columns of `row` that differ from their expected bytes. */
function compareColumns(
  place: string,
  row: DatabaseRow,
  expected: Readonly<Record<string, unknown>>,
): Flaw[] {
  return Object.entries(expected).flatMap(([column, value]) => {
    const stored = value instanceof Date ? storedInstant(value) : value
    return row[column] === stored ? [] : [{ place, problem: `its column ${column} was changed` }]
  })
}

export type Server = ParsedTables & { dataDir: string; tables: StoredTables }

export type ParsedTables = Flaws & { archive: Archive; episodes: ParsedEpisode[] }
