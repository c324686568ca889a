import { createWriteStream, existsSync, openSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import {
  formatTier,
  type JudgedRow,
  type Result,
  summaryMarkdown,
} from '#lib/domain/board/index.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import {
  EXPORT_FORMATS,
  type Exported,
  type ExportFormat,
  exportBundle,
  refuseTsBench,
  writeExport,
} from '#lib/domain/formats/index.ts'
import { type AnyEpisode, type Provenance, subjectLabel } from '#lib/domain/record/index.ts'
import { countOf, type Problem, problemLines } from '#lib/domain/text/index.ts'
import { parseTranscript, TRANSCRIPT_FILE, type Transcript } from '#lib/domain/transcript/index.ts'
import { RunFolder } from '../engine/run-folder.ts'
import { usageError } from '../runner-error.ts'
import { isFolder } from '../user-files.ts'
import { decideLocalEligibility } from './open-suite.ts'
import { provenanceOption } from './options.ts'
import { printJsonResult, printResult, writeError } from './output.ts'
import { type ReadResult, readAnyBundle, readResult } from './read-files.ts'

type CheckOptions = { json?: boolean; as: Provenance; claim?: boolean }

/** `proofboard check`: verifies results, and whether their entries would be ranked. Exit 1 if they are invalid. */
export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description('check results (schema, seals, digests) and the evidence rules')
    .argument('<paths...>', 'run folders, result.json or episode.json files')
    .addOption(provenanceOption())
    .option('--claim', 'exit 1 if an entry is not ranked')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(check)
}

async function check(paths: string[], options: CheckOptions): Promise<void> {
  const files = paths.map((path) => ({ path, ...readResult(path) }))
  const refused = files.filter((file) => !file.result.ok)
  if (refused.length > 0) {
    refuse(refused, options)
    return
  }
  const results = files.flatMap(({ result }) => (result.ok ? [result.value] : []))
  refuseTwice(results)
  const rows = await decideLocalEligibility(results, options.as)
  if (options.claim && rows.some((row) => !row.eligible)) process.exitCode = 1
  if (options.json) printJsonResult(describe(files, results, rows))
  else printResult([...files.map(fileLine), ...rows.flatMap((row) => rowLines(row))].join('\n'))
}

function refuse(files: readonly (ReadResult & { path: string })[], { json }: CheckOptions): void {
  process.exitCode = 1
  const problems: (Problem & { file: string })[] = files.flatMap(({ path, result }) =>
    result.ok ? [] : result.problems.map((problem) => ({ file: path, ...problem })),
  )
  if (json) {
    printJsonResult({ ok: false, kind: files[0]?.kind, problems, rows: [] })
    return
  }
  for (const { path, result } of files) {
    if (result.ok) continue
    const lines = problemLines(result.problems).map((line) => `  ${line}`)
    writeError(
      [`${path}: refused, ${countOf(result.problems.length, 'problem')}`, ...lines].join('\n'),
    )
  }
}

/** The same run twice, unless as shards, would look like more episodes than are counted. */
function refuseTwice(results: readonly Result[]): void {
  const seen = new Set<string>()
  for (const { runId, shard, plan } of results) {
    if (plan === null) continue
    const key = `${runId} ${shard.index}/${shard.count}`
    if (seen.has(key)) throw usageError(`${runId} is listed twice: list each result once`)
    seen.add(key)
  }
}

function describe(files: readonly ReadResult[], results: readonly Result[], rows: JudgedRow[]) {
  const [first] = results
  return {
    ok: true,
    kind: files[0]?.kind,
    runId: first?.runId,
    planDigest: first?.plan?.planDigest,
    episodes: results.reduce((sum, { episodes }) => sum + episodes.length, 0),
    rows,
  }
}

function fileLine({ path, kind }: ReadResult & { path: string }): string {
  return `${path}: complete ${kind}, every seal intact`
}

function rowLines({ subject, label, reasons, provenance, suiteKnown }: JudgedRow): string[] {
  const note = suiteKnown ? '' : ', by its plan alone: the suite is not here in this version'
  return [
    `${subjectLabel(subject)}: ${formatTier(label)}, if uploaded as ${provenance}${note}`,
    ...reasons.flatMap(({ code, text, fix }) => [`  ${code}: ${text}`, `    ${fix}`]),
  ]
}

/** `proofboard summary`: prints a result in Markdown, for the summary of a workflow's job. */
export function addSummaryCommand(program: Command): void {
  program
    .command('summary')
    .description('summarise results in Markdown: eligibility and metrics')
    .argument('<paths...>', 'result.json files or run folders')
    .addOption(provenanceOption())
    .action(summarize)
}

async function summarize(paths: string[], options: { as: Provenance }): Promise<void> {
  const bundles = paths.map(readAnyBundle)
  for (const bundle of bundles)
    printResult(summaryMarkdown(bundle, await decideLocalEligibility([bundle], options.as)))
}

type ExportOptions = { format: ExportFormat; out?: string }

/** `proofboard export`: writes a result in the format of another tool, to stdout or a file. */
export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description(
      'export a result.json as CSV, JSON Lines, JUnit, CTRF, Every Eval Ever, ts-bench, ATIF or a log of Inspect',
    )
    .argument('<result>', 'a result.json, or the folder of its run')
    .addOption(
      new Option('--format <format>', 'output format')
        .choices(EXPORT_FORMATS)
        .makeOptionMandatory(),
    )
    .option('--out <file>', 'output file; must be new (default: stdout)')
    .action(exportRows)
}

async function exportRows(path: string, { format, out }: ExportOptions): Promise<void> {
  const bundle = readAnyBundle(path)
  if (bundle.episodes.length === 0)
    throw usageError(`${path} contains no episode: there is nothing to write out`)
  const refusal = format === 'ts-bench' ? bundle.episodes.map(refuseTsBench).find(Boolean) : null
  if (refusal) throw usageError(`${path} cannot be written as ${format}: ${refusal}`)
  const exported = withTranscripts(exportBundle(bundle), folderOf(path))
  const pieces = Readable.from(noteEmpty(writeExport(exported, format)))
  if (out === undefined) await print(pieces)
  else await pipeline(pieces, createWriteStream(out, { fd: openNew(out) }))
}

/** Warns about empty transcripts: controls have none, nor have results without their run folder. */
async function* noteEmpty(pieces: ReturnType<typeof writeExport>) {
  let isEmpty = true
  for await (const piece of pieces) {
    isEmpty = false
    yield piece
  }
  if (isEmpty) writeError('no episode has a transcript here: nothing was written')
}

/** Errors of stdout that the launcher ignores or reports are not reported again. */
async function print(pieces: Readable): Promise<void> {
  await pipeline(pieces, process.stdout, { end: false }).catch((error) => {
    if (error.syscall !== 'write') throw error
  })
}

/** Transcripts are next to the envelopes in a run's folder; a result.json alone has none. */
function withTranscripts(exported: Exported, folder: RunFolder): Exported {
  return {
    ...exported,
    async *episodes() {
      for await (const one of exported.episodes())
        yield { ...one, transcript: async () => readTranscript(folder, one.read()) }
    },
  }
}

function readTranscript(folder: RunFolder, episode: AnyEpisode): Transcript | null {
  const { taskId, repetition, attempt } = episode
  const file = episode.evidence.find(({ role }) => role === 'transcript')
  const path = join(folder.path, folder.attemptPath(taskId, repetition, attempt), TRANSCRIPT_FILE)
  if (!file || !existsSync(path)) return null
  const bytes = readFileSync(path)
  return digestBytes(bytes) === file.digest ? parseTranscript(bytes.toString('utf8')) : null
}

function folderOf(path: string): RunFolder {
  const full = resolve(path)
  return new RunFolder(isFolder(path) ? full : dirname(full))
}

/** Opens a new file; fails if it exists. */
function openNew(out: string): number {
  try {
    return openSync(out, 'wx')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw usageError(`${out} ${code === 'EEXIST' ? 'already exists: choose a new file' : message}`)
  }
}
