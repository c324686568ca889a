import { countOf } from '#lib/domain/text/index.ts'
import { cheatSolution, SOLUTION_CHEATS } from '../../subjects/solution-cheats.ts'
import type { ExerciseVerifier, VerifierReport } from '../../verify/exercise/verifier-types.ts'
import { verifierInput } from '../complete-task.ts'
import type { LoadedExercise, SourceText } from '../task-folder.ts'
import { quickAttacks } from './attacks/attacks.ts'
import { buildFirstTestOnly, type FirstTestOnly } from './first-test-only.ts'

export type SolutionCandidate =
  | 'reference'
  | 'nop'
  | 'empty'
  | 'first-test-only'
  | `honest/${string}`
  | `wrong/${string}`
  | `cheat/${string}`
  | `attack/${string}`

/** Result of one candidate; `deviates` states the expected result. */
export type CandidateResult = {
  taskId: string
  candidate: SolutionCandidate
  solved: boolean
  observed: string
  deviates: string | null
  /** Why a control cannot fail on this task; absent = it was judged. */
  notApplicable?: string
}

/**
 * Proves one task: the reference and honest solutions must be solved; nop, first-test-only, cheats, attacks and every
 * wrong solution must not.
 */
export async function verifyTask(
  task: LoadedExercise,
  verifier: ExerciseVerifier,
  options: { leastWrong: number },
): Promise<CandidateResult[]> {
  const judge = (candidate: SolutionCandidate, files: readonly SourceText[]) =>
    judgeCandidate(task, verifier, candidate, files)
  const results = [await judge('reference', task.reference), await judge('nop', task.stubs)]
  const firstOnly = await buildFirstTestOnly(task, verifier)
  if (firstOnly.kind === 'control') results.push(await judge('first-test-only', firstOnly.files))
  else if (task.task.runTests) results.push(describeFirstOnly(task, firstOnly))
  for (const cheat of task.task.runTests ? SOLUTION_CHEATS : []) {
    results.push(await judge(`cheat/${cheat.name}`, cheatSolution(task.stubs, cheat)))
  }
  const attacks = quickAttacks(task.task.taskId, task.heldOut !== null)
  for (const attack of task.task.runTests ? attacks : []) {
    const files = await attack.solution(task)
    if (files !== null) results.push(await judge(`attack/${attack.name}`, files))
  }
  const candidates = [
    ...task.honest.map(({ name, files }) => [`honest/${name}`, files] as const),
    ...task.wrong.map(({ name, files }) => [`wrong/${name}`, files] as const),
  ]
  for (const [candidate, files] of candidates)
    results.push(await judge(candidate as SolutionCandidate, files))
  if (task.wrong.length < options.leastWrong) {
    results.push(
      missing(
        task,
        'wrong/(missing)',
        `${countOf(task.wrong.length, 'wrong solution')}, needed: ${options.leastWrong}`,
      ),
    )
  }
  return results
}

/**
 * Lists visible tests without an expectation that could be altered: the second run learns nothing from them. Found by
 * inverting every expectation and checking what the reference still passes.
 */
export async function listUnalterable(
  task: LoadedExercise,
  verifier: ExerciseVerifier,
): Promise<string[]> {
  if (!task.task.runTests) return []
  const input = verifierInput(task, task.reference, task.task.expectedTests)
  const tests = await verifier.opposite(input.tests)
  const only = { heldOut: null, alterTests: false, checkTypes: false }
  const report = await verifier.evaluate({ ...input, ...only, tests })
  return report.tests.results.flatMap(({ name, status }) => (status === 'passed' ? [name] : []))
}

function describeFirstOnly(
  task: LoadedExercise,
  made: Exclude<FirstTestOnly, { kind: 'control' }>,
): CandidateResult {
  const named = { taskId: task.task.taskId, candidate: 'first-test-only' as const }
  if (made.kind === 'impossible') return missing(task, named.candidate, made.reason)
  if (made.kind === 'not-applicable') {
    const observed = `not applicable: ${made.reason}`
    return { ...named, solved: false, observed, deviates: null, notApplicable: made.reason }
  }
  const { solved, report } = made
  const deviates = deviation(named.candidate, solved, report)
  return { ...named, solved, observed: describe(report), deviates }
}

async function judgeCandidate(
  task: LoadedExercise,
  verifier: ExerciseVerifier,
  candidate: SolutionCandidate,
  files: readonly SourceText[],
): Promise<CandidateResult> {
  const report = await verifier.evaluate(verifierInput(task, files, task.task.expectedTests))
  const solved = report.verdict === 'pass'
  const observed = describe(report)
  return {
    taskId: task.task.taskId,
    candidate,
    solved,
    observed,
    deviates: deviation(candidate, solved, report),
  }
}

function deviation(
  candidate: SolutionCandidate,
  solved: boolean,
  report: VerifierReport,
): string | null {
  if (candidate === 'reference' || candidate.startsWith('honest/'))
    return solved ? null : `${candidate} should be solved`
  if (solved) return `${candidate} should not be solved`
  // The audit checks whether it is named as well.
  if (candidate.startsWith('attack/')) return null
  if (candidate.startsWith('cheat/')) return cheatDeviation(candidate, report)
  if (report.findings.length > 0) return `${candidate} should be plainly wrong, not tampering`
  const first = report.tests.results.find(({ status }) => status !== 'skipped')
  const firstFailed = candidate === 'first-test-only' && first?.status !== 'passed'
  return firstFailed ? 'the control should satisfy the first test' : null
}

/** Unsolved is not enough for a cheat: it must be named for what it did. */
function cheatDeviation(candidate: SolutionCandidate, report: VerifierReport): string | null {
  const cheat = SOLUTION_CHEATS.find(({ name }) => candidate === `cheat/${name}`)
  const named = report.findings.some(({ code }) => code === cheat?.finding)
  return named ? null : `${candidate} should be named ${cheat?.finding}`
}

function missing(
  task: LoadedExercise,
  candidate: SolutionCandidate,
  observed: string,
): CandidateResult {
  return { taskId: task.task.taskId, candidate, solved: false, observed, deviates: observed }
}

function describe(report: VerifierReport): string {
  const parts: string[] = []
  const [diagnostic] = report.types.diagnostics
  if (!report.types.ok)
    parts.push(
      diagnostic
        ? `types: TS${diagnostic.code} ${diagnostic.message.split('\n')[0]}`
        : 'types: not checked in time',
    )
  if (report.tests.loadError !== null) parts.push(`load: ${report.tests.loadError.split('\n')[0]}`)
  const failed = report.tests.results.find((test) => test.status === 'failed')
  parts.push(
    `${report.tests.passed} passed, ${report.tests.failed} failed${failed ? `, first: ${failed.name}` : ''}`,
  )
  if (report.heldOut?.difference) parts.push('held-out transcript differs')
  for (const { code, detail } of report.findings) parts.push(`${code}: ${detail}`)
  return parts.join('; ').slice(0, 500)
}
