import { z } from 'zod'
import { formatMismatch, fromTsBench, tsBenchRunSchema } from '../../../domain/formats/index.ts'
import { canonicalJson, type EvidenceFile } from '../../../domain/record/index.ts'
import { AppError } from '../../../errors.ts'
import type { Content, Format, IncomingRun } from '../format.ts'
import { asEvidence, reportedToRun, type StagingFolder } from '../format.ts'
import type { StoredFile } from '../unpack-archive.ts'

const RUN = 'a ts-bench result'
const BOARD = 'the leaderboard.json of ts-bench'

/** One saved run of ts-bench, or several as JSON Lines. */
export const tsBenchFormat: Format = {
  id: 'ts-bench',
  title: RUN,
  detect: (content) =>
    content.kind === 'json' &&
    content.documents.every(
      (document) => document.has('metadata') && document.has('results') && !document.has('kind'),
    ),
  async *toRuns(content, desk) {
    if (content.kind !== 'json') return
    const isAlone = content.documents.length === 1
    for (const [index, document] of content.documents.entries()) {
      const place = isAlone ? '' : `line ${index + 1}: `
      yield await readRun(document.readWhole(), { title: RUN, place, desk, under: [] })
    }
  },
}

const boardSchema = z.object({
  results: z.record(z.string(), z.unknown()).refine((runs) => Object.keys(runs).length > 0, {
    message: 'it holds no runs',
  }),
})

/** What ts-bench publishes: every run that it has, each whole. */
export const tsBenchBoardFormat: Format = {
  id: 'ts-bench-leaderboard',
  title: BOARD,
  detect: (content) => {
    const document = onlyDocument(content)
    return document?.has('lastUpdated') === true && document.has('results')
  },
  async *toRuns(content, desk) {
    const board = boardSchema.safeParse(onlyDocument(content)?.readWhole())
    if (!board.success) throw misfit(BOARD, board.error)
    for (const [key, run] of Object.entries(board.data.results))
      yield await readRun(run, { title: BOARD, place: `${key}: `, desk, under: ['results', key] })
  },
}

export function onlyDocument(content: Content) {
  if (content.kind !== 'json' || content.documents.length !== 1) return null
  const [document] = content.documents
  return document?.kind === 'object' ? document : null
}

type Place = { title: string; place: string; desk: StagingFolder; under: PropertyKey[] }

/** A run whose record is `input` in canonical form: equal records are one run, whatever file they come in. */
async function readRun(
  input: unknown,
  { title, place, desk, under }: Place,
  notes: readonly string[] = [],
): Promise<IncomingRun> {
  const run = z.object({}).loose().pipe(tsBenchRunSchema).safeParse(input)
  if (!run.success) {
    const issues = run.error.issues.map((issue) => ({ ...issue, path: [...under, ...issue.path] }))
    throw new AppError('invalid-episode', formatMismatch(title, issues))
  }
  const files = new Map<EvidenceFile, StoredFile>()
  const keep = async (text: string, role: EvidenceFile['role'], path: string) => {
    const stored = await desk.keepText(text)
    const named = asEvidence(stored, role, path)
    files.set(named, stored)
    return named
  }
  const evidence: EvidenceFile[][] = []
  for (const { agentError, testError } of run.data.results) {
    const own: EvidenceFile[] = []
    if (agentError) own.push(await keep(agentError, 'subject-log', 'agent-error.txt'))
    if (testError) own.push(await keep(testError, 'gate-log', 'test-error.txt'))
    evidence.push(own)
  }
  evidence[0]?.unshift(await keep(canonicalJson(input), 'source-record', 'ts-bench.json'))
  const reported = fromTsBench(run.data, input, (index) => evidence[index] ?? [])
  return reportedToRun(place, reported, files, notes)
}

function misfit(title: string, { issues }: z.ZodError): AppError {
  return new AppError('invalid-episode', formatMismatch(title, issues))
}

const TITLE = 'the latest-results.json of ts-bench'

const named = z.string().max(200).nullish()
const latestSchema = z.object({
  metadata: z.object({ benchmarkVersion: named }).loose().nullish(),
  leaderboard: z.array(z.object({ agent: named, model: named, version: named })).nullish(),
  detailedResults: z.record(
    z.string(),
    z
      .object({
        metadata: z.object({ agentName: z.string(), model: named, provider: named }).loose(),
        exerciseResults: z.array(z.unknown()),
      })
      .loose(),
  ),
})
type Latest = z.infer<typeof latestSchema>
type Detail = Latest['detailedResults'][string]

/**
 * The data of ts-bench's page: totals of every run, and the results behind some. Only a run with results is
 * stored, since a total is not an episode. The version of its agent is in the totals alone.
 */
export const tsBenchLatestFormat: Format = {
  id: 'ts-bench-latest',
  title: TITLE,
  detect: (content) => onlyDocument(content)?.has('detailedResults') ?? false,
  async *toRuns(content, desk) {
    const parsed = latestSchema.safeParse(onlyDocument(content)?.readWhole())
    if (!parsed.success)
      throw new AppError('invalid-request', formatMismatch(TITLE, parsed.error.issues))
    const details = Object.entries(parsed.data.detailedResults)
    if (details.length === 0) throw onlyTotals()
    const totals = (parsed.data.leaderboard ?? []).length - details.length
    const notes = totals > 0 ? [sayTotals(totals)] : []
    for (const [key, detail] of details) {
      const under = ['detailedResults', key]
      const run = toSavedRun(detail, parsed.data)
      yield await readRun(run, { title: TITLE, place: `${key}: `, desk, under }, notes)
    }
  },
}

/** A detail as ts-bench saves a run; its own names stay beside it. */
function toSavedRun(detail: Detail, { leaderboard, metadata }: Latest): object {
  const { agentName, model } = detail.metadata
  const own = (leaderboard ?? []).filter(
    (entry) => entry.agent?.toLowerCase() === agentName.toLowerCase() && entry.model === model,
  )
  // Two entries of one name may have two versions: then the version is unknown.
  const version = own.length === 1 ? own[0]?.version : null
  const benchmarkVersion = metadata?.benchmarkVersion
  return {
    metadata: { ...detail.metadata, agent: agentName, version, benchmarkVersion },
    results: detail.exerciseResults,
  }
}

function sayTotals(count: number): string {
  return `The file also has ${count === 1 ? 'a total' : `${count} totals`} without any result behind: nothing of that is kept, since a total is no episode.`
}

function onlyTotals(): AppError {
  const message = `this is ${TITLE} with totals alone: there is no result of any exercise in detailedResults; hand in the saved runs (data/results/*.json) instead`
  return new AppError('invalid-request', message)
}
