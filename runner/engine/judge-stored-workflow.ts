import { z } from 'zod'
import {
  type Episode,
  outcomeWithVerdict,
  type Regrade,
  TRACE_FILE,
  tracedActionSchema,
  type Verdict,
} from '#lib/domain/record/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import type { LoadedWorkflow } from '../suites/task-folder.ts'
import { evaluateWorkflow } from '../verify/browser/evaluate-workflow.ts'
import type { PageReader } from '../verify/browser/page-reader.ts'
import { FINAL_STATE_FILE, findTampering, isOfUser } from '../workflow/judge-workflow.ts'
import { readPlainFile } from './read-plain-file.ts'

const MAX_BYTES = 16 << 20

/** The second judgement of a workflow's stored final state, or why there is none. */
export type JudgedWorkflow =
  | { missing: string }
  /** The app or the browser had ended, so nothing was stored. */
  | { lost: string }
  | {
      after: Regrade['after']
      /** The difference from the uploaded contract; null = none. */
      difference: string | null
      /** Number of criteria that only the page could show, and of judged ones. */
      undecided: number
      decided: number
    }

const requestSchema = z.object({
  at: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.number().nullable(),
  client: z.enum(['browser', 'other', 'gone', 'another-browser']).nullable().default(null),
})
const storedStateSchema = z.object({
  url: z.string().nullable(),
  state: z.unknown(),
  requests: z.array(requestSchema),
})

/**
 * Judges a workflow by its stored final state and requests, with the criteria of this server's task. The page is gone,
 * so criteria about it stay undecided.
 */
export async function judgeStoredWorkflow(
  folder: string,
  episode: Episode,
  { task }: LoadedWorkflow,
): Promise<JudgedWorkflow> {
  const { contract, evidence, outcome, integrity } = episode
  if (contract === null) return { missing: 'its contract was never evaluated' }
  const isLost = contract.assertions.every(({ kind }) => kind === 'browser')
  const has = (path: string) => evidence.some((file) => file.path === path)
  if (isLost && !has(FINAL_STATE_FILE)) return { lost: 'the browser or the app had ended' }
  if (!(await hasSteps(folder, has(TRACE_FILE)))) return { missing: `its ${TRACE_FILE} is missing` }
  const stored = await readState(folder)
  if (stored === null) return { missing: `its ${FINAL_STATE_FILE} is missing or incomplete` }

  const { requests } = stored
  if (requests.some(({ at }) => !isWithin(at, episode)))
    return { missing: `its ${FINAL_STATE_FILE} is of another time` }
  const ours = await evaluateWorkflow(task.contract, {
    origin: originOf(stored.url),
    state: stored.state,
    requests: requests.filter(isOfUser),
    page: gonePage(stored.url),
  })
  const findings = findTampering(requests)
  const before = { status: outcome.status, verdict: contract.verdict }
  const verdict: Verdict = ours.verdict === 'inconclusive' ? contract.verdict : ours.verdict
  const undecided = ours.assertions.filter(({ verdict: one }) => one === 'inconclusive').length
  return {
    after: outcomeWithVerdict(before, { verdict, findings: findings.length }),
    difference: findDifference(contract, ours, {
      sent: integrity.findings.length,
      here: findings.length,
    }),
    undecided,
    decided: ours.assertions.length - undecided,
  }
}

type Contract = NonNullable<Episode['contract']>

function findDifference(
  sent: Contract,
  ours: Contract,
  findings: { sent: number; here: number },
): string | null {
  if (sent.assertions.length !== ours.assertions.length)
    return `its contract has ${sent.assertions.length} criteria, the task has ${ours.assertions.length}`
  if (findings.sent === 0 && findings.here > 0) return 'its requests show tampering'
  const other = ours.assertions.find(({ verdict, label }, index) => {
    const sentAssertion = sent.assertions[index]
    return (
      sentAssertion?.label !== label ||
      (verdict !== 'inconclusive' && verdict !== sentAssertion.verdict)
    )
  })
  return other ? `“${other.label}” is ${other.verdict} here` : null
}

async function hasSteps(folder: string, isNamed: boolean): Promise<boolean> {
  if (!isNamed) return false
  const read = await readPlainFile(folder, TRACE_FILE, MAX_BYTES)
  if (read.kind !== 'read') return false
  const lines = read.bytes.toString('utf8').split('\n').filter(Boolean)
  return (
    lines.length > 0 && lines.every((line) => tracedActionSchema.safeParse(parseJson(line)).success)
  )
}

async function readState(folder: string) {
  const read = await readPlainFile(folder, FINAL_STATE_FILE, MAX_BYTES)
  if (read.kind !== 'read') return null
  return storedStateSchema.safeParse(parseJson(read.bytes.toString('utf8'))).data ?? null
}

function originOf(url: string | null): string {
  return url !== null && URL.canParse(url) ? new URL(url).origin : 'http://localhost'
}

/** Tolerance for a clock that is set during an episode. */
const CLOCK_MS = 30_000

function isWithin(at: string, { startedAt, endedAt }: Episode): boolean {
  const time = Date.parse(at)
  return time >= Date.parse(startedAt) - CLOCK_MS && time <= Date.parse(endedAt) + CLOCK_MS
}

/** A page of which only the URL is left. */
function gonePage(url: string | null): PageReader {
  const unknown = async () => null
  return {
    url: async () => url,
    texts: unknown,
    attributes: unknown,
    storage: unknown,
    hasDialog: unknown,
    downloads: unknown,
    screenshot: unknown,
  }
}
