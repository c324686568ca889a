import { POLICY } from '#lib/domain/eligibility/index.ts'
import { firstFailure } from '../engine/describe-attempt.ts'
import { isRunnerError } from '../runner-error.ts'
import { countProof, type SuiteProof } from '../suites/verify/verify-suite.ts'
import type { CandidateResult } from '../suites/verify/verify-task.ts'
import { workThrough } from '../work-through.ts'
import { findAltered } from './altered-tests.ts'
import { runReference } from './check-reference.ts'
import { drawHarborVersions, passedIn } from './draw-versions.ts'
import { type LoadedHarbor, stepsOf } from './harbor-folder.ts'
import { type HarborEvaluation, judgeHarbor } from './judge-harbor.ts'
import { moveOn, workThroughSteps } from './judge-steps.ts'
import { openPlace, type PlaceSettings } from './open-place.ts'
import type { HarborPlace } from './place.ts'
import { type AlteredTest, storeHarborProof } from './proof-store.ts'
import { findMissing } from './variables.ts'

type Options = PlaceSettings & {
  concurrency: number
  /** Number of consecutive runs in which the solution has to be rewarded. */
  runs: number
  /** The data folder, where proofs are stored. */
  data: string
  onTask: (taskId: string, results: readonly CandidateResult[]) => void
}

/** Proves every task: doing nothing is not rewarded, `solve.sh` is, in this many consecutive runs. */
export async function proveHarbor(
  tasks: readonly LoadedHarbor[],
  options: Options,
): Promise<SuiteProof> {
  const results: CandidateResult[] = []
  await workThrough(tasks, options.concurrency, async (task) => {
    const candidates = await proveOne(task, options)
    results.push(...candidates)
    options.onTask(task.task.taskId, candidates)
  })
  return countProof(
    { tasks: tasks.length, tests: tasks.length, heldOutTasks: 0, unalterable: [] },
    results,
  )
}

async function proveOne(task: LoadedHarbor, options: Options): Promise<CandidateResult[]> {
  const { taskId } = task.task
  const fail = (why: string): CandidateResult[] => [
    { taskId, candidate: 'reference', solved: false, observed: why, deviates: why },
  ]
  if (task.refusal !== null) return fail(`it ${task.refusal}`)
  const missing = findMissing(task.task, options.variables ?? {})
  if (missing !== null) return fail(`it ${missing}`)
  if (task.solution === null) return fail('there is no solution/solve.sh to prove it with')
  try {
    return await judgeCandidates(task, options)
  } catch (error) {
    const isPlain = error instanceof Error && error.name === 'Error'
    if (options.signal.aborted || !(isRunnerError(error) || isPlain)) throw error
    return fail((error as Error).message)
  }
}

async function judgeCandidates(task: LoadedHarbor, options: Options): Promise<CandidateResult[]> {
  const { taskId } = task.task
  const [nop, level] = await attempt(task, options, async () => null)
  const results = [resultOf(taskId, 'nop', nop)]
  // A task that rewards doing nothing proves nothing, however well it is solved.
  for (let run = 1; run <= options.runs && results[0]?.deviates === null; run++) {
    const [evaluation] = await attempt(task, options, runReference)
    const result = resultOf(taskId, 'reference', evaluation)
    if (result.deviates === null && run < options.runs) continue
    const inRow = { ...result, observed: `run ${run}: ${result.observed}` }
    results.push(inRow)
    if (result.deviates !== null) break
  }
  if (results.some(({ deviates }) => deviates !== null)) return results
  const altered = await alterTests(task, passedNames(nop), options)
  const { inputs } = task
  await storeHarborProof(options.data, { inputs, referenceRuns: options.runs, level, altered })
  const steps = stepsOf({ ...task, altered })
  const guess = Math.max(...steps.map((step) => drawHarborVersions(step).guess))
  return guess <= POLICY.mostGuess ? results : [...results, describeGuess(taskId, altered, guess)]
}

function describeGuess(
  taskId: string,
  altered: readonly AlteredTest[],
  guess: number,
): CandidateResult {
  const why =
    altered.length === 0
      ? 'no test of its verifier can be changed so that the reference fails: work that ends the verifier’s process with 0 is rewarded'
      : `its verifier has too few tests that can be changed and reports them as CTRF: work that does nothing is rewarded by guessing, once in ${Math.round(1 / guess)}`
  return {
    taskId,
    candidate: 'attack/changed-tests',
    solved: false,
    observed: 'not played',
    deviates: null,
    notApplicable: `${why}. No entry with it is ranked`,
  }
}

const passedNames = ({ contract }: HarborEvaluation) =>
  contract.assertions
    .flatMap(({ children }) => children)
    .filter(({ kind, observed }) => kind === 'reported-test' && observed === 'passed')
    .map(({ label }) => label)

/** Finds the tests of each step that can be altered, in the state that the reference leaves. */
async function alterTests(
  task: LoadedHarbor,
  idle: readonly string[],
  options: Options,
): Promise<AlteredTest[]> {
  const { steps } = task.task
  const place = await openPlace(task, options, { requested: null, name: null })
  const altered: AlteredTest[] = []
  try {
    for (;;) {
      const name = steps?.[place.at]?.name
      const before = name === undefined ? idle : passedIn(await place.verify(await place.take([])))
      await runReference(place)
      const reference = await place.take([])
      const found = await findAltered(place.step, place, { reference, before })
      altered.push(...found.map((one) => (name === undefined ? one : { ...one, step: name })))
      if (steps?.[place.at + 1] === undefined) return altered
      const end = await moveOn(task.task, place, await judgeHarbor(place, reference))
      if (end !== null) return altered
    }
  } finally {
    await place.leave()
  }
}

/** Runs one attempt in its own place: a non-null result of `act` is why it failed. */
async function attempt(
  task: LoadedHarbor,
  options: Options,
  act: (place: HarborPlace) => Promise<string | null>,
): Promise<[HarborEvaluation, 'bubblewrap' | 'docker']> {
  const place = await openPlace(task, options, { requested: null, name: null })
  try {
    const judged = await workThroughSteps(task.task, place, act)
    if (typeof judged === 'string') throw new Error(judged)
    const { level } = place.isolation
    return [judged, level === 'docker' ? level : 'bubblewrap']
  } finally {
    await place.leave()
  }
}

function resultOf(
  taskId: string,
  candidate: 'nop' | 'reference',
  { contract, findings }: HarborEvaluation,
): CandidateResult {
  const solved = contract.verdict === 'pass' && findings.length === 0
  const observed = solved ? 'rewarded with 1 or more' : firstFailure(contract)
  const wanted = candidate === 'reference' ? 'should be solved' : 'should not be solved'
  const deviates = solved === (candidate === 'reference') ? null : `${candidate} ${wanted}`
  return { taskId, candidate, solved, observed: observed.slice(0, 500), deviates }
}
