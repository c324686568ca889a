import type {
  ContractResult,
  FailureCategory,
  Outcome,
  TamperFinding,
} from '#lib/domain/record/index.ts'
import type { AssertionSpec } from '#lib/domain/tasks/index.ts'
import type { Firing, SeenRequest, Tenant } from '../apps/app-pool.ts'
import type { BrowserLease } from '../browser/browser-pool.ts'
import { firstFailure } from '../engine/describe-attempt.ts'
import type { AttemptEvaluation } from '../engine/environment-adapter.ts'
import { evaluateWorkflow } from '../verify/browser/evaluate-workflow.ts'
import type { HarnessClock } from './harness-clock.ts'
import { endingError, type PlayedWorkflow } from './workflow-player.ts'

const NO_GATE = { code: null, signal: null }

/** Returns the outcome that the final state decides. The library's own report explains it and never decides it. */
export function judgeWorkflow(
  played: PlayedWorkflow,
  { contract, requests }: FinalView,
): AttemptEvaluation {
  const findings = findTampering(requests)
  return {
    contract,
    findings,
    exit: NO_GATE,
    outcome: decideOutcome(played, contract, findings),
    unsolvedAs: browserCategory(played),
  }
}

/**
 * Judges the end of a browser, or of a server within the library's reach, while the library worked: counted against the
 * library, because a subject that could end a bad attempt would get another one.
 */
export function judgeLost(played: PlayedWorkflow, what: string): AttemptEvaluation {
  const expected = `${what} is there when the library is done`
  const observed = 'it has ended'
  const assertion = { kind: 'browser', label: expected, expected, observed, children: [] }
  const contract: FinalView['contract'] = {
    verdict: 'fail',
    assertions: [{ ...assertion, verdict: 'fail' }],
    expectedTests: null,
    executedTests: null,
    passedTests: null,
  }
  const reason = `${what} had ended when the library was done`
  return {
    contract,
    findings: [],
    exit: NO_GATE,
    outcome: { status: 'unsolved', reason },
    unsolvedAs: browserCategory(played),
  }
}

function decideOutcome(
  { report }: PlayedWorkflow,
  contract: FinalView['contract'],
  findings: TamperFinding[],
): Outcome {
  if (findings.length > 0) return { status: 'tampered', findings }
  if (contract.verdict === 'pass') return { status: 'solved' }
  if (contract.verdict === 'inconclusive')
    return {
      status: 'void',
      fault: 'infrastructure',
      reason: `the final state could not be read: ${firstUnknown(contract)}`,
    }
  if (report?.ending === 'out-of-actions')
    return {
      status: 'out-of-budget',
      budget: 'steps',
      reason: 'took more actions than the task allows',
    }
  const libraryError = endingError(report)
  if (!libraryError) return { status: 'unsolved', reason: firstFailure(contract) }
  const where = [libraryError.step, libraryError.action].filter(Boolean).join(', ')
  const words = libraryError.message.split('\n')[0]?.slice(0, 300) ?? ''
  return { status: 'unsolved', reason: where ? `${where}: ${words}` : words }
}

function firstUnknown({ assertions }: FinalView['contract']): string {
  return assertions.find(({ verdict }) => verdict === 'inconclusive')?.label ?? 'no assertion'
}

const BY_ACTION: Readonly<Record<string, FailureCategory>> = {
  open: 'navigation',
  newPage: 'navigation',
  url: 'navigation',
  click: 'grounding',
  drag: 'grounding',
  press: 'grounding',
  sees: 'grounding',
  fill: 'form-entry',
  select: 'form-entry',
  check: 'form-entry',
  upload: 'form-entry',
  readText: 'extraction',
  waitText: 'extraction',
  observe: 'extraction',
}

/** Returns the category of failure by the last failed action; without one the plan itself was wrong. */
function browserCategory({ report, ending }: PlayedWorkflow): FailureCategory {
  if (report === null) return ending.exitCode === 0 ? 'planning' : 'crash'
  const libraryError = endingError(report)
  if (libraryError === null) return 'planning'
  if (/sign.?in|log.?in/i.test(libraryError.step ?? '')) return 'auth-state'
  return BY_ACTION[libraryError.action ?? ''] ?? 'planning'
}

type Detector = { code: string; isOne: (request: SeenRequest) => boolean; what: string }

/** Methods that must not change anything. Other reading methods are irrelevant, since they are refused. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

const DETECTORS: readonly Detector[] = [
  {
    // The harness's own access to the app is never disclosed, so a client that searches for it is not doing the task.
    code: 'control-endpoint-probed',
    isOne: ({ path }) => path.startsWith('/.control'),
    what: 'such requests',
  },
  {
    code: 'changed-outside-browser',
    isOne: ({ client, method }) => client === 'other' && !SAFE.has(method),
    what: 'requests of other programs than the leased browser, all refused',
  },
  {
    code: 'reached-another-episode',
    isOne: ({ path }) => path.startsWith('//'),
    what: 'requests of this browser to other episodes, all refused',
  },
]

/** Finds tampering in the requests that the app's server saw: who did the work. */
export function findTampering(requests: readonly SeenRequest[]): TamperFinding[] {
  return DETECTORS.flatMap(({ code, isOne, what }) => {
    const found = requests.filter(isOne)
    const [first] = found
    if (!first) return []
    return [
      { code, detail: `${first.method} ${first.path.slice(0, 200)}, ${found.length} ${what}` },
    ]
  })
}

/** The file of an episode's evidence with the final state and the requests that led to it. */
export const FINAL_STATE_FILE = 'final-state.json'

/** The final state as it was judged, and its stored evidence. */
export type FinalView = {
  contract: ContractResult
  state: unknown
  requests: readonly SeenRequest[]
  firing: Firing | null
  url: string | null
  /** PNG; null = the page was no longer visible. */
  screenshot: Buffer | null
}

/** Reads app and page by our connections and evaluates the contract. Throws if app or browser are gone. */
export async function readFinalView(
  { tenant, lease, clock }: { tenant: Tenant; lease: BrowserLease; clock: HarnessClock },
  spec: readonly AssertionSpec[],
): Promise<FinalView> {
  const { origin } = tenant
  const page = await clock.part('find page', () => lease.read(origin))
  try {
    // A library ends after its click: the app is read once the download has arrived.
    if (asksForDownload(spec)) await clock.part('wait for downloads', page.downloads)
    const [{ state, requests, firing }, url, screenshot] = await Promise.all([
      clock.part('read app', tenant.read),
      page.url(),
      clock.part('screenshot', page.screenshot),
    ])
    // Requests of others were refused, and are not the user's actions.
    const own = requests.filter(isOfUser)
    const contract = await clock.part('judge', () =>
      evaluateWorkflow(spec, { origin, state, requests: own, page }),
    )
    return { contract, state, requests, firing, url, screenshot }
  } finally {
    await page.close()
  }
}

function asksForDownload(specs: readonly AssertionSpec[]): boolean {
  return specs.some((spec) =>
    'of' in spec ? asksForDownload([spec.of].flat()) : spec.kind === 'download',
  )
}

export function isOfUser({ client, path }: SeenRequest): boolean {
  return (client === 'browser' || client === null) && !path.startsWith('//')
}
