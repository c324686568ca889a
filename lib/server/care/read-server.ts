import { type DatabaseRow, readStoredRows, type StoredTables } from '../../db/read-stored.ts'
import { subjectId } from '../../db/subject-store.ts'
import { checkArchive, type Flaw } from '../../domain/archive/index.ts'
import { listIncluded } from '../../domain/board/index.ts'
import { digestReceipts, type LedgerAction, type LedgerEntry } from '../../domain/ledger/index.ts'
import {
  groupBy,
  parseRegradeLines,
  type RegradeLine,
  type Subject,
  type SubmittedRun,
  targetingSchema,
} from '../../domain/record/index.ts'
import { env } from '../../env.ts'
import {
  type ParsedEpisode,
  type ParsedRun,
  type ParsedTables,
  parseEpisodeRows,
  parseEvaluationRows,
  parseLedgerRows,
  parseRunRows,
  parseSuiteRows,
  type Server,
} from './parse-rows.ts'
import { withStoredFile } from './with-stored-file.ts'

/** Reads a server's data directory without changing it. `flaws` = problems that prevent computing its numbers again. */
export async function readServer(dataDir: string): Promise<Server> {
  const tables = await withStoredFile(dataDir, (file) => readStoredRows(file, env().migrationsDir))
  const parsed = parseTables(tables)
  const flaws: Flaw[] = [...parsed.flaws, ...checkArchive(parsed.archive)]
  return { ...parsed, flaws, dataDir, tables }
}

/** Parses a server's rows as an archive, with every difference from the original documents. */
function parseTables(tables: StoredTables): ParsedTables {
  const ledger = parseLedgerRows(tables.ledger)
  const suites = parseSuiteRows(tables)
  const runs = parseRunRows(tables)
  const episodes = parseEpisodeRows(tables.episodes)
  const evaluations = parseEvaluationRows(tables.evaluations)
  const ofRun = groupBy(episodes.episodes, ({ episode }) => episode.runId)
  const parts = [ledger, suites, runs, episodes, evaluations]
  const damage = tables.damage.map((problem) => ({ place: 'database', problem }))
  const origins = checkOrigins(runs.runs, episodes.episodes, ledger.entries)
  return {
    archive: {
      suites: suites.suites,
      current: suites.current,
      runs: runs.runs.map((run) => archiveRun(run, ofRun)),
      evaluations: evaluations.evaluations,
      regrades: parseRegrades(tables.regrades),
      entries: ledger.entries,
    },
    episodes: episodes.episodes,
    flaws: [...damage, ...parts.flatMap((part) => part.flaws)],
    columnFlaws: [
      ...parts.flatMap((part) => part.columnFlaws),
      ...origins,
      ...checkReceipts(tables, ofRun, ledger.entries),
      ...checkSubjects(tables.subjects),
    ],
  }
}

function parseRegrades(rows: readonly DatabaseRow[]): Map<string, RegradeLine[]> {
  const ofRun = groupBy(rows, ({ runId }) => String(runId))
  const parse = ({ line }: DatabaseRow) => parseRegradeLines(String(line))
  return new Map([...ofRun].map(([runId, lines]) => [runId, lines.flatMap(parse)]))
}

/** Parsed episodes by run id, in the order of their rows. */
type EpisodesOfRuns = ReadonlyMap<string, readonly ParsedEpisode[]>

function archiveRun({ runId, plan, shard }: ParsedRun, ofRun: EpisodesOfRuns): SubmittedRun {
  const own = ofRun.get(runId) ?? []
  return { runId, plan, shard, episodes: own.map(({ episode }) => episode) }
}

/** Compares sender and part of the plan of each run with the ledger. */
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

type Include = LedgerAction & { kind: 'include' }

/** Compares senders and times of receipt in the rows with those in the ledger. */
function checkReceipts(
  { submissions, submittedRuns }: Pick<StoredTables, 'submissions' | 'submittedRuns'>,
  ofRun: EpisodesOfRuns,
  entries: readonly LedgerEntry[],
): Flaw[] {
  const byId = new Map(submissions.map((row) => [row.id, row]))
  const sent = groupBy(submittedRuns, ({ runId }) => String(runId))
  const sentOf = (runId: string) =>
    (sent.get(runId) ?? []).flatMap<DatabaseRow>(({ submissionId }) => byId.get(submissionId) ?? [])
  const flaws: Flaw[] = []
  const seals = new Map<string, LedgerEntry>()
  for (const entry of entries) {
    const { action } = entry
    if (action.kind === 'seal-run') seals.set(action.target, entry)
    if (action.kind === 'include') flaws.push(...checkSender(action, sentOf(action.target)))
  }
  for (const entry of seals.values()) flaws.push(...checkSeal(entry, ofRun))
  return flaws
}

/** Checks that results of a program have a submission with the same sender. */
function checkSender({ target, receipt }: Include, rows: readonly DatabaseRow[]): Flaw[] {
  if (!receipt || (receipt.provenance !== 'token' && receipt.provenance !== 'oidc')) return []
  if (receipt.bodyDigest === null) return []
  const { bodyDigest, name, provenance } = receipt
  const found = rows.some(
    (row) => row.bodyDigest === bodyDigest && row.actor === name && row.provenance === provenance,
  )
  if (found) return []
  const problem = 'its sender or the digest of what was sent is not what the ledger says'
  return [{ place: `run ${target}`, problem }]
}

function checkSeal({ sequence, at, action }: LedgerEntry, ofRun: EpisodesOfRuns): Flaw[] {
  if (action.kind !== 'seal-run' || action.receipts === undefined) return []
  const own = ofRun.get(action.target) ?? []
  const known = own.filter(({ receivedAt }) => receivedAt <= at)
  const receipts = known.map(({ episode, provenance, receivedAt }) => {
    return { episodeId: episode.episodeId, provenance, receivedAt }
  })
  if (digestReceipts(receipts) === action.receipts) return []
  const problem = `the times of receipt of its episodes are not those of ledger entry ${sequence}`
  return [{ place: `run ${action.target}`, problem }]
}

/** Checks that a subject's row id is the digest of its content. */
function checkSubjects(rows: readonly DatabaseRow[]): Flaw[] {
  return rows.flatMap((row) => {
    const { kind, name, version, adapterVersion, provider, modelRequested } = row
    const identity = { kind, name, version, adapterVersion, provider, modelRequested } as Subject
    // A targeting method is part of the digest, but not a column.
    const targetings = targetingSchema.options
    const ids = [
      subjectId(identity),
      ...targetings.map((targeting) => subjectId({ ...identity, targeting })),
    ]
    if (ids.includes(String(row.id))) return []
    return [
      { place: `subject ${row.id}`, problem: 'it was renamed or changed after it was stored' },
    ]
  })
}
