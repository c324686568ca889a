import { z } from 'zod'
import { canonicalJson } from '../../../domain/digest/index.ts'
import {
  AGENT_ERROR_FILE,
  formatMismatch,
  fromTsBench,
  TEST_ERROR_FILE,
  tsBenchRunSchema,
} from '../../../domain/formats/index.ts'
import type { EvidenceFile } from '../../../domain/record/index.ts'
import { countOf } from '../../../domain/text/index.ts'
import { AppError } from '../../../errors.ts'
import {
  asEvidence,
  type Format,
  type IncomingRun,
  type LeftOut,
  onlyDocument,
  reportedToRun,
  type StagingFolder,
} from '../format.ts'
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
      (document) =>
        document.has('metadata') &&
        document.has('results') &&
        // Other programs have both too, but with results as an object, and a log of Inspect may have none.
        document.outline.members.get('results')?.kind !== 'object' &&
        !document.has('kind') &&
        !document.has('eval'),
    ),
  async *toRuns(content, staging) {
    if (content.kind !== 'json') return
    const isAlone = content.documents.length === 1
    for (const [index, document] of content.documents.entries()) {
      const path = isAlone ? '' : `line ${index + 1}`
      yield await readRun(document.read(), { title: RUN, path, staging, under: [] })
    }
  },
}

const boardSchema = z.object({
  results: z.record(z.string(), z.unknown()).refine((runs) => Object.keys(runs).length > 0, {
    message: 'it contains no runs',
  }),
})

/** The file that ts-bench publishes, with all its runs. */
export const tsBenchBoardFormat: Format = {
  id: 'ts-bench-leaderboard',
  title: BOARD,
  detect: (content) => {
    const document = onlyDocument(content)
    return document?.has('lastUpdated') === true && document.has('results')
  },
  async *toRuns(content, staging) {
    const board = boardSchema.safeParse(onlyDocument(content)?.read())
    if (!board.success) throw schemaMismatch(BOARD, board.error)
    for (const [key, run] of Object.entries(board.data.results))
      yield await readRun(run, { title: BOARD, path: key, staging, under: ['results', key] })
  },
}

type Place = {
  title: string
  /** Name of the run in the file; empty = the file is the run. */
  path: string
  staging: StagingFolder
  under: PropertyKey[]
  isCopy?: boolean
  notes?: readonly string[]
}

/** Reads a run whose record is `input` in canonical form; an invalid one is left out, with its first flaw. */
async function readRun(
  input: unknown,
  { title, path, staging, under, isCopy = false, notes = [] }: Place,
): Promise<IncomingRun | LeftOut> {
  const run = z.object({}).loose().pipe(tsBenchRunSchema).safeParse(input)
  if (!run.success) {
    const issues = run.error.issues.map((issue) => ({ ...issue, path: [...under, ...issue.path] }))
    return { path, reason: formatMismatch(title, issues) }
  }
  const files = new Map<EvidenceFile, StoredFile>()
  const keep = async (text: string, role: EvidenceFile['role'], name: string) => {
    const stored = await staging.keepText(text)
    const named = asEvidence(stored, role, name)
    files.set(named, stored)
    return named
  }
  const evidence: EvidenceFile[][] = []
  for (const { agentError, testError } of run.data.results) {
    const own: EvidenceFile[] = []
    if (agentError) own.push(await keep(agentError, 'subject-log', AGENT_ERROR_FILE))
    if (testError) own.push(await keep(testError, 'gate-log', TEST_ERROR_FILE))
    evidence.push(own)
  }
  evidence[0]?.unshift(await keep(canonicalJson(input), 'source-record', 'ts-bench.json'))
  const evidenceOf = (index: number) => evidence[index] ?? []
  const reported = fromTsBench(run.data, input, { evidenceOf, isCopy })
  const place = path === '' ? '' : `${path}: `
  return { ...reportedToRun(place, reported, files, notes), isRepeatable: true }
}

function schemaMismatch(title: string, { issues }: z.ZodError): AppError {
  return new AppError('invalid-episode', formatMismatch(title, issues))
}

const TITLE = 'the latest-results.json of ts-bench'

const named = z.string().max(200).nullish()
const latestSchema = z.object({
  metadata: z.object({ benchmarkVersion: named }).loose().nullish(),
  leaderboard: z.array(z.unknown()).nullish(),
  detailedResults: z.record(z.string(), z.unknown()),
})
type Latest = z.infer<typeof latestSchema>
const totalSchema = z.object({ agent: z.string(), model: named, version: named, provider: named })
const detailSchema = z
  .object({
    metadata: z.object({ agentName: z.string(), model: named, provider: named }).loose(),
    exerciseResults: z.array(z.unknown()),
  })
  .loose()
type Detail = z.infer<typeof detailSchema>

/**
 * The data of ts-bench's page: totals of every run, and the results of some. Only a run with results is stored, since a
 * total is not an episode. The version of its agent is in the totals only.
 */
export const tsBenchLatestFormat: Format = {
  id: 'ts-bench-latest',
  title: TITLE,
  detect: (content) => onlyDocument(content)?.has('detailedResults') ?? false,
  async *toRuns(content, staging) {
    const parsed = latestSchema.safeParse(onlyDocument(content)?.read())
    if (!parsed.success)
      throw new AppError('invalid-request', formatMismatch(TITLE, parsed.error.issues))
    const details = Object.entries(parsed.data.detailedResults)
    if (details.length === 0) throw onlyTotals()
    const totals = (parsed.data.leaderboard ?? []).length - details.length
    const notes = totals > 0 ? [describeTotals(totals)] : []
    for (const [key, record] of details) {
      const under = ['detailedResults', key]
      const detail = detailSchema.safeParse(record)
      if (!detail.success) {
        const issues = detail.error.issues.map((issue) => ({
          ...issue,
          path: [...under, ...issue.path],
        }))
        yield { path: key, reason: formatMismatch(TITLE, issues) }
        continue
      }
      const run = toSavedRun(detail.data, parsed.data)
      yield await readRun(run, { title: TITLE, path: key, staging, under, isCopy: true, notes })
    }
  },
}

/** Converts a detail to the form of a saved run; its own names stay beside it. */
function toSavedRun(detail: Detail, { leaderboard, metadata }: Latest): object {
  const { agentName } = detail.metadata
  const own = (leaderboard ?? []).flatMap((record) => {
    const { success, data } = totalSchema.safeParse(record)
    return success && isTotalOf(data, detail) ? [data] : []
  })
  // Two entries of one name may have two versions: then the version is unknown.
  const version = own.length === 1 ? own[0]?.version : null
  const benchmarkVersion = metadata?.benchmarkVersion
  return {
    metadata: { ...detail.metadata, agent: agentName, version, benchmarkVersion },
    results: detail.exerciseResults,
  }
}

/**
 * Returns whether a total belongs to a detail. Totals use display names: `codex` of `openai` is `Codex CLI` of `OpenAI`
 * there.
 */
function isTotalOf(total: z.infer<typeof totalSchema>, { metadata }: Detail): boolean {
  const words = total.agent.toLowerCase().split(' ')
  const isOwn = words.includes(metadata.agentName.toLowerCase())
  const [stated, own] = [total.provider, metadata.provider].map((name) => name?.toLowerCase())
  const isProvider = !(stated && own) || stated === own
  return isOwn && isProvider && (total.model ?? null) === (metadata.model ?? null)
}

function describeTotals(count: number): string {
  return `The file also has ${countOf(count, 'total')} without results; totals are not stored, because they are not episodes.`
}

function onlyTotals(): AppError {
  const message = `this is ${TITLE} with totals alone: there is no result of any exercise in detailedResults; upload the saved runs (data/results/*.json) instead`
  return new AppError('invalid-request', message)
}
