import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../digest/index.ts'
import { type AnyEpisode, BUNDLE_KIND, isMeasured, outcomeReason } from '../record/index.ts'
import { type TableCell, toCsv } from '../text/index.ts'
import {
  type Exported,
  type ExportedEpisode,
  exportedHarnessVersion,
  gradingTexts,
  type Pieces,
} from './exported.ts'
import { writeTsBench } from './ts-bench.ts'
import { toAtif } from './write-atif.ts'
import { type EeeInstances, type EeeSource, toEee } from './write-eee.ts'
import { writeEeeInstances } from './write-eee-instances.ts'
import { writeInspect } from './write-inspect.ts'
import { writeCtrf, writeJunit } from './write-test-reports.ts'

/** Writes a run or row in one of the formats, in pieces. */
export async function* writeExport(exported: Exported, format: ExportFormat): Pieces {
  if (format !== 'eee') {
    yield* WRITERS[format](exported)
    return
  }
  const source = await eeeSource(exported)
  if (!source) throw new Error('an evaluation without an episode')
  yield `${JSON.stringify(toEee(source, await digestInstances(exported)), null, 2)}\n`
}

async function eeeSource(exported: Exported): Promise<EeeSource | null> {
  const { startedAt, endedAt, runs } = exported
  const [first] = runs
  if (!first || startedAt === null || endedAt === null) return null
  const { suiteId, suiteDigest, subject, rate } = exported
  return {
    suiteId,
    suiteDigest,
    subject,
    rate,
    startedAt,
    endedAt,
    settings: first.plan.settings,
    harness: await findHarness(exported),
    details: {
      runs: runs.map(({ runId }) => runId).join(' '),
      plans: [...new Set(runs.map(({ plan }) => plan.planDigest))].join(' '),
    },
  }
}

/** The program that measured: for a reported run, not this one. */
async function findHarness(exported: Exported): Promise<EeeSource['harness']> {
  for await (const { read } of exported.episodes()) {
    const episode = read()
    if (!isMeasured(episode)) return episode.source.harness
    break
  }
  return { name: 'proofboard', version: exportedHarnessVersion(exported) }
}

/** Instances are generated twice, once for their digest, so that they are never held in memory. */
async function digestInstances(exported: Exported): Promise<EeeInstances> {
  const hash = sha256.create()
  let rows = 0
  for await (const line of writeEeeInstances(exported)) {
    hash.update(utf8ToBytes(line))
    rows++
  }
  const checksum = bytesToHex(hash.digest())
  return { fileName: exportFileName(exported, 'eee-instances'), checksum, rows }
}

/** `eee` is separate: it contains the digest of its instances. */
export const EXPORT_FORMATS = [
  'bundle',
  'csv',
  'jsonl',
  'junit',
  'ctrf',
  'eee',
  'eee-instances',
  'ts-bench',
  'atif',
  'inspect',
] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Formats of a whole board: one line per row. */
export const BOARD_FORMATS = ['csv', 'jsonl', 'eee'] as const
export type BoardFormat = (typeof BOARD_FORMATS)[number]

/** Formats that include the available transcripts. */
export const TRANSCRIPT_FORMATS: ReadonlySet<ExportFormat> = new Set([
  'eee',
  'eee-instances',
  'atif',
  'inspect',
])

type FileKind = { ending: string; type: string; title: string }

/** File name suffix of each format, and its label in menus. */
export const FILE_KINDS: Readonly<Record<ExportFormat, FileKind>> = {
  bundle: { ending: 'result.json', type: 'application/json', title: 'Result bundle' },
  csv: { ending: 'csv', type: 'text/csv', title: 'CSV' },
  jsonl: { ending: 'jsonl', type: 'application/x-ndjson', title: 'JSON Lines' },
  junit: { ending: 'junit.xml', type: 'application/xml', title: 'JUnit' },
  ctrf: { ending: 'ctrf.json', type: 'application/json', title: 'CTRF' },
  eee: { ending: 'eee.json', type: 'application/json', title: 'Every Eval Ever' },
  'eee-instances': {
    ending: 'instances.jsonl',
    type: 'application/x-ndjson',
    title: 'Every Eval Ever, instances',
  },
  'ts-bench': { ending: 'ts-bench.json', type: 'application/json', title: 'ts-bench result' },
  atif: { ending: 'atif.jsonl', type: 'application/x-ndjson', title: 'Transcripts (ATIF)' },
  inspect: {
    ending: 'inspect.json',
    type: 'application/json',
    title: 'Inspect log, with transcripts',
  },
}

const COLUMNS: readonly Column[] = [
  ['run_id', (e) => e.runId],
  ['episode_id', (e) => e.episodeId],
  ['suite', (e) => e.suiteId],
  ['suite_digest', (e) => e.suiteDigest],
  ['task', (e) => e.taskId],
  ['category', (e) => e.category],
  ['repetition', (e) => e.repetition],
  ['attempt', (e) => e.attempt],
  ['subject', (e) => e.subject.name],
  ['version', (e) => e.subject.version],
  ['provider', (e) => e.subject.provider],
  ['model_requested', (e) => e.subject.modelRequested],
  ['model_observed', (e) => e.subject.modelObserved.join(' ') || null],
  ['mode', (e) => e.mode],
  ['outcome', (e) => e.outcome.status],
  ['failure_category', (e) => e.failureCategory],
  ['reason', (e) => (e.outcome.status === 'solved' ? null : outcomeReason(e.outcome))],
  ['verdict', (e) => e.contract?.verdict ?? null],
  ['visible_tests', (e) => gradingTexts(e)?.visibleTests ?? null],
  ['held_out', (e) => gradingTexts(e)?.heldOut ?? null],
  ['verifier_sandbox', (e) => gradingTexts(e)?.verifier?.sandbox ?? null],
  ['verifier_network', (e) => gradingTexts(e)?.verifier?.network ?? null],
  ['verifier_digest', (e) => gradingTexts(e)?.verifier?.digest ?? null],
  ['evaluated_here', (_, evaluatedHere) => evaluatedHere ?? null],
  ['agent_success', (e) => flag(e.agentSuccess)],
  ['test_success', (e) => flag(e.testSuccess)],
  ['overall_success', (e) => flag(e.overallSuccess)],
  ['started_at', (e) => e.startedAt],
  ['ended_at', (e) => e.endedAt],
  ['subject_ms', (e) => e.effort.wall.subjectMs],
  ['verify_ms', (e) => e.effort.wall.verifyMs],
  ['total_ms', (e) => e.effort.wall.totalMs],
  ['steps', (e) => e.effort.steps],
  ['tokens_input', (e) => e.usage?.tokens.input ?? null],
  ['tokens_output', (e) => e.usage?.tokens.output ?? null],
  ['tokens_cache_read', (e) => e.usage?.tokens.cacheRead ?? null],
  ['tokens_cache_write', (e) => e.usage?.tokens.cacheWrite ?? null],
  ['tokens_reasoning', (e) => e.usage?.tokens.reasoning ?? null],
  ['cost_micro_usd', (e) => e.usage?.costMicroUsd ?? null],
  ['fault', (e) => e.fault?.plan ?? null],
  ['source', (e) => (e.schemaVersion === 2 ? e.source.format : null)],
  ['seal', (e) => e.seal],
]

const WRITERS: Readonly<Record<Exclude<ExportFormat, 'eee'>, (exported: Exported) => Pieces>> = {
  bundle: writeBundle,
  csv: writeCsv,
  jsonl: writeLines,
  junit: writeJunit,
  ctrf: writeCtrf,
  'eee-instances': writeEeeInstances,
  'ts-bench': writeTsBench,
  atif: writeTrajectories,
  inspect: writeInspect,
}

/** `claude-run_1a2b.csv`: only characters that every file system allows. */
export function exportFileName({ name }: Pick<Exported, 'name'>, format: ExportFormat): string {
  return `${name.replace(/[^\w.-]+/g, '_').slice(0, 100)}.${FILE_KINDS[format].ending}`
}

type Column = readonly [
  string,
  (episode: AnyEpisode, evaluatedHere: ExportedEpisode['evaluatedHere']) => TableCell,
]

/** Writes one line per attempt, in the order of the run; unknown values are empty cells. */
async function* writeCsv({ episodes }: Exported): Pieces {
  yield toCsv([COLUMNS.map(([name]) => name)])
  for await (const { read, evaluatedHere } of episodes()) {
    const episode = read()
    yield toCsv([COLUMNS.map(([, value]) => value(episode, evaluatedHere))])
  }
}

function flag(value: boolean | null): TableCell {
  return value === null ? null : String(value)
}

/** Writes a run as a bundle that can be uploaded again, byte for byte as sealed. */
async function* writeBundle({ runs, episodes }: Exported): Pieces {
  const [run] = runs
  if (!run || runs.length > 1) throw new Error('a bundle is of one run')
  const { runId, plan, shard, lock } = run
  const shell = { kind: BUNDLE_KIND, schemaVersion: plan.schemaVersion, runId, plan, lock, shard }
  yield `${canonicalJson(shell).slice(0, -1)},"episodes":[`
  let separator = ''
  for await (const { text } of episodes()) {
    yield `${separator}${text}`
    separator = ','
  }
  yield ']}\n'
}

/** Writes one trajectory per line, for each attempt with a transcript. */
async function* writeTrajectories({ episodes }: Exported): Pieces {
  for await (const { read, transcript } of episodes()) {
    const source = await transcript?.()
    // The format does not allow a trajectory without steps.
    if (source && source.steps.length > 0) yield `${JSON.stringify(toAtif(read(), source))}\n`
  }
}

/** Writes every envelope on its own line, as sealed. */
async function* writeLines({ episodes }: Exported): Pieces {
  for await (const { text } of episodes()) yield `${text}\n`
}
