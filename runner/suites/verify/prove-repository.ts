import { join } from 'node:path'
import type { ReportedTest } from '#lib/domain/formats/index.ts'
import type { RepositoryTask } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { firstFailure } from '../../engine/describe-attempt.ts'
import { writeAtomic } from '../../engine/files.ts'
import { passedBefore } from '../../repository/draw-canaries.ts'
import { judgeRun, judgeWork, type RepositoryEvaluation } from '../../repository/judge-work.ts'
import type { Change } from '../../repository/overlay.ts'
import { permissionsOf } from '../../repository/permissions.ts'
import { type BaseSettings, type PreparedBase, prepareBase } from '../../repository/prepare-base.ts'
import { resolveSolution } from '../../repository/resolve-solution.ts'
import { tellingLine } from '../../repository/telling-line.ts'
import { runVerify, type VerifyRun } from '../../repository/verify-run.ts'
import { isRunnerError } from '../../runner-error.ts'
import { workThrough } from '../../work-through.ts'
import type { ProofFile } from '../read-repository-task.ts'
import { type LoadedRepository, PROOF_FILE, type StoredSolution } from '../repository-folder.ts'
import { countProof, type SuiteProof } from './verify-suite.ts'
import type { CandidateResult, SolutionCandidate } from './verify-task.ts'

type Options = BaseSettings & {
  concurrency: number
  /** Number of consecutive runs in which the reference has to be solved. */
  runs: number
  onTask: (taskId: string, results: readonly CandidateResult[]) => void
  /** Results from before the proof: the base, and runs of the tests with the solution or a wrong variant. */
  earlier?: { base: PreparedBase; runTests: RunTests }
}

/** Runs a task's unaltered tests over changes of its base. */
export type RunTests = (changes: readonly Change[]) => Promise<VerifyRun>

/** Proves every task and stores the results; a task that cannot be proven keeps its previous ones. */
export async function proveRepositories(
  tasks: readonly LoadedRepository[],
  options: Options,
): Promise<SuiteProof> {
  const results: CandidateResult[] = []
  let tests = 0
  await workThrough(tasks, options.concurrency, async (task) => {
    const { candidates, proof } = await proveRepository(task, options)
    if (proof !== null) await storeProof(task, proof)
    tests += proof?.expectedTests.length ?? 0
    results.push(...candidates)
    options.onTask(task.task.taskId, candidates)
  })
  return countProof({ tasks: tasks.length, tests, heldOutTasks: 0, unalterable: [] }, results)
}

/** `proof` null = not proven: at least one candidate deviates and has a reason. */
type Proven = { candidates: CandidateResult[]; proof: ProofFile | null }

/**
 * Proves one task: the reference is solved in this many consecutive runs, which fixes the expected names; added failing
 * tests are reported as failed; doing nothing, emptied files and every wrong variant are not solved.
 */
export async function proveRepository(task: LoadedRepository, given: Options): Promise<Proven> {
  const options = { ...given, sharesPackages: true }
  const fail = (candidate: SolutionCandidate, why: string): Proven => ({
    candidates: [resultOf(task, candidate, { solved: false, observed: why, deviates: why })],
    proof: null,
  })
  if (task.reference === null) return fail('reference', 'there is no solution/ to prove it with')
  try {
    const base = options.earlier?.base ?? (await prepareBase(task, options))
    const changes = resolveSolution(task.reference, base.folder)
    const outside = findOutside(task, changes)
    if (outside !== null)
      return fail('reference', `the solution changes ${outside}, which it may not`)
    const fixed = await fixNames(task, base, changes, options)
    if ('reason' in fixed) return fail('reference', fixed.reason)
    const { referenceMs, ...names } = fixed
    const draft = { ...task, task: { ...task.task, ...names }, passedBefore: null, referenceMs }
    return await judgeCandidates(draft, base, changes, options)
  } catch (error) {
    if (options.signal.aborted || (!isRunnerError(error) && !isPlain(error))) throw error
    return fail('reference', (error as Error).message)
  }
}

/** An error whose message explains what is wrong with the task, in contrast to a bug with a stack trace. */
const isPlain = (error: unknown) => error instanceof Error && error.name === 'Error'

function findOutside({ task, tests }: LoadedRepository, changes: readonly Change[]): string | null {
  const permissionOf = permissionsOf(task, new Set(tests.map(({ path }) => path)))
  return changes.find(({ path }) => permissionOf(path) !== 'allowed')?.path ?? null
}

type Names = Pick<RepositoryTask, 'expectedTests' | 'flakyTests'>

/** Every call runs the tests in a fresh place. */
export function testRunner(
  task: LoadedRepository,
  base: PreparedBase,
  settings: BaseSettings,
): RunTests {
  return (changes) => runVerify(task, base, { changes, tests: task.tests }, settings)
}

async function fixNames(
  task: LoadedRepository,
  base: PreparedBase,
  changes: readonly Change[],
  options: Options,
): Promise<(Names & { referenceMs: number }) | { reason: string }> {
  const runs: (readonly ReportedTest[])[] = []
  let referenceMs = 1
  const runAgain = testRunner(task, base, options)
  const { runTests: first } = options.earlier ?? { runTests: runAgain }
  for (let at = 1; at <= options.runs; at++) {
    sayStep(task, options, at, 'the solution')
    const run = at === 1 ? await first(changes) : await runAgain(changes)
    if (!run.report.ok) {
      const message = run.report.problems[0]?.message ?? 'no report'
      return {
        reason: `run ${at} of the reference: ${describeEnd(run)}; ${message}${tellingLine(run.log)}`,
      }
    }
    runs.push(run.report.value)
    referenceMs = Math.max(referenceMs, Math.round(run.tookMs))
    const hasFailed = run.report.value.some(({ status }) => !HARMLESS.has(status))
    if (run.ending.exitCode !== 0 && !hasFailed)
      return { reason: `run ${at} of the reference passes its tests, and ${describeEnd(run)}` }
  }
  const names = splitNames(runs)
  return names.expectedTests.length > 0
    ? { ...names, referenceMs }
    : { reason: 'the reference passes no test every time' }
}

const HARMLESS = new Set<ReportedTest['status']>(['passed', 'skipped'])

function describeEnd({ ending: { cause, exitCode, signal } }: VerifyRun): string {
  if (cause === 'timeout') return 'the verify command did not end in time and was stopped'
  if (cause !== 'exited') return `the verify command was stopped (${cause})`
  return `the verify command exits with ${exitCode ?? signal}`
}

/**
 * Splits names: expected ones are reported as passed, equally often, in every run. Skipped ones are ignored; the others
 * are flaky.
 */
export function splitNames(runs: readonly (readonly ReportedTest[])[]): Names {
  const all = [...new Set(runs.flatMap((run) => run.map(({ name }) => name)))].sort()
  const names: Names = { expectedTests: [], flakyTests: [] }
  for (const name of all) {
    const own = runs.map((run) => run.filter((test) => test.name === name))
    const [first = []] = own
    const counts = own.map((tests) => tests.filter(({ status }) => status === 'passed').length)
    const isEven = own.every(({ length }) => length === first.length)
    if (own.flat().every(({ status }) => status === 'skipped')) continue
    if (isEven && counts.every((count) => count === first.length))
      names.expectedTests.push(...first.map(() => name))
    else {
      const passed = counts.filter((count, at) => count > 0 && count === own[at]?.length).length
      const reason = `passed in ${passed} of ${countOf(runs.length, 'run')} of the reference`
      names.flakyTests.push({ name, reason })
    }
  }
  return names
}

async function judgeCandidates(
  task: LoadedRepository,
  base: PreparedBase,
  reference: readonly Change[],
  options: Options,
): Promise<Proven> {
  let step = options.runs
  const say = (candidate: string) => {
    step += 1
    sayStep(task, options, step, STEPS[candidate] ?? candidate)
  }
  const runAgain = testRunner(task, base, options)
  const { runTests } = options.earlier ?? { runTests: runAgain }
  /**
   * Work that fails the unaltered tests is not solved, whatever the altered ones would show: unlike an attempt's, these
   * changes are trusted, so the altered ones are run only for what passes.
   */
  const judgeWrong = async (of: LoadedRepository, changes: readonly Change[], run = runAgain) => {
    const plain = judgeRun(of, changes, await run(changes))
    return plain.contract.verdict === 'fail' ? plain : judgeWork(of, base, workOf(changes), options)
  }
  // First, because it determines the deciding tests, by which the reference is judged.
  say('nop')
  const nothing = await judgeWrong(task, [])
  const before = passedBefore(task.task.expectedTests, nothing.reported)
  say('reference')
  const counted = { ...task, passedBefore: before }
  const solved = await judgeWork(counted, base, workOf(reference), options)
  say('empty')
  const emptied = reference.map((change) => ({ ...change, bytes: Buffer.alloc(0) }))
  const empty = await judgeWrong(counted, emptied)
  const candidates = [
    describeCandidate(task, 'reference', solved),
    describeCandidate(task, 'nop', nothing),
    describeCandidate(task, 'empty', empty),
  ]
  for (const variant of task.wrong) {
    const name = `wrong/${variant.name}` as const
    say(name)
    const evaluation = await judgeWrong(counted, resolveVariant(variant, base), runTests)
    candidates.push(describeCandidate(task, name, evaluation))
  }
  const { expectedTests, flakyTests } = task.task
  const proof: ProofFile = {
    schemaVersion: 1,
    inputs: task.inputs,
    referenceRuns: options.runs,
    ...(task.referenceMs === null ? {} : { referenceMs: task.referenceMs }),
    expectedTests,
    flakyTests,
    passedBefore: before,
  }
  const isProven = candidates.every(({ deviates }) => deviates === null)
  return { candidates, proof: isProven ? proof : null }
}

/** Says which of all runs of a proof comes now: the solution's, then one each for no work and every other candidate. */
function sayStep(
  task: LoadedRepository,
  { runs, onStep }: Options,
  at: number,
  what: string,
): void {
  onStep?.(`proof ${at} of ${runs + 3 + task.wrong.length}: tests with ${what}`)
}

const workOf = (changes: readonly Change[]) => {
  return { changes: [...changes], findings: [], problem: null }
}

const STEPS: Readonly<Record<string, string>> = {
  nop: 'no work',
  reference: 'the solution and altered values',
  empty: 'emptied files',
}

function resolveVariant(variant: StoredSolution, base: PreparedBase): readonly Change[] {
  try {
    return resolveSolution(variant, base.folder)
  } catch (error) {
    throw new Error(`wrong/${variant.name}: ${(error as Error).message}`)
  }
}

function describeCandidate(
  task: LoadedRepository,
  candidate: SolutionCandidate,
  { contract, findings }: RepositoryEvaluation,
): CandidateResult {
  const solved = contract.verdict === 'pass' && findings.length === 0
  const observed =
    findings.map(({ code, detail }) => `${code}: ${detail}`).join('; ') ||
    (solved ? `${countOf(contract.passedTests ?? 0, 'test')} passed` : firstFailure(contract))
  const isReference = candidate === 'reference'
  const hasCanary = contract.assertions.some(({ kind }) => kind === 'canary')
  if (isReference && solved && !hasCanary)
    return resultOf(task, candidate, { solved, observed, deviates: NO_CANARY })
  const wanted = isReference ? 'should be solved' : 'should not be solved'
  const deviates = solved === isReference ? null : `${candidate} ${wanted}`
  const named = !isReference && findings.length > 0
  return resultOf(task, candidate, {
    solved,
    observed,
    deviates: named ? `${candidate} should be plainly wrong, not tampering` : deviates,
  })
}

const NO_CANARY =
  'no failing test can be added to its tests: put one in canary/, with {{canary}} in its name'

function resultOf(
  { task }: LoadedRepository,
  candidate: SolutionCandidate,
  about: Pick<CandidateResult, 'solved' | 'observed' | 'deviates'>,
): CandidateResult {
  return { taskId: task.taskId, candidate, ...about, observed: about.observed.slice(0, 500) }
}

/** Writes atomically, and only if something changed. */
async function storeProof(
  { folder, unproven, task, passedBefore: before }: LoadedRepository,
  proof: ProofFile,
) {
  const isSame =
    unproven === null &&
    JSON.stringify(before) === JSON.stringify(proof.passedBefore) &&
    JSON.stringify(task.expectedTests) === JSON.stringify(proof.expectedTests)
  if (!isSame) await writeAtomic(join(folder, PROOF_FILE), `${JSON.stringify(proof, null, 1)}\n`)
}
