import type { Mutation } from '#lib/domain/tasks/index.ts'
import { suiteError } from '../../runner-error.ts'
import type { ExerciseVerifier, VerifierReport } from '../../verify/exercise/verifier-types.ts'
import { workThrough } from '../../work-through.ts'
import { verifierInput } from '../complete-task.ts'
import { digestHeldOut, digestSources, type MutationFile } from '../mutation-file.ts'
import type { LoadedExercise, SourceText } from '../task-folder.ts'
import { listMutants } from './list-mutants.ts'

export type MutatedTask = { task: LoadedExercise; result: MutationFile }

type Options = { concurrency: number; onTask: (mutated: MutatedTask) => Promise<void> }

/** Mutates one task after the other; `onTask` is called after each. */
export async function mutateSuite(
  tasks: readonly LoadedExercise[],
  verifier: ExerciseVerifier,
  { concurrency, onTask }: Options,
): Promise<MutatedTask[]> {
  const done: MutatedTask[] = []
  for (const task of tasks) {
    const mutated = {
      task,
      result: await mutateTask(task, await createJudges(task, verifier), concurrency),
    }
    await onTask(mutated)
    done.push(mutated)
  }
  return done
}

/** Judges every mutant and every wrong solution of a task, `concurrency` at a time, and counts those caught. */
async function mutateTask(
  task: LoadedExercise,
  judges: Judges,
  concurrency: number,
): Promise<MutationFile> {
  const { default: typescript } = await import('typescript-gate')
  const mutants = listMutants(typescript, task.reference)
  const judgedMutants = await judgeAll(mutants, judges, concurrency)
  const judgedWrong = await judgeAll(task.wrong, judges, concurrency)
  const survivors = mutants.filter((_, place) => {
    const judged = judgedMutants[place]
    return judged !== undefined && survives(judged)
  })
  return {
    ...countMutants(judgedMutants),
    wrong: judgedWrong.length,
    wrongCaught: judgedWrong.filter((judged) => !survives(judged)).length,
    madeFrom: digestSources(task),
    heldOut: judges.heldOut ? digestHeldOut(task) : null,
    survivors: survivors.map(({ files: _, ...survivor }) => survivor),
  }
}

/** Returns the verdicts in the order of the candidates, whichever finishes first. */
async function judgeAll(
  candidates: readonly { files: readonly SourceText[] }[],
  judges: Judges,
  concurrency: number,
): Promise<JudgedMutant[]> {
  const judged: JudgedMutant[] = []
  await workThrough([...candidates.entries()], concurrency, async ([place, { files }]) => {
    judged[place] = await judgeOne(files, judges)
  })
  return judged
}

/** The held-out scenario also judges caught mutants: its own share is published. */
async function judgeOne(files: readonly SourceText[], judges: Judges): Promise<JudgedMutant> {
  const visible = await judges.visible(files)
  if (visible === 'not-compiled' || !judges.heldOut) return { visible, heldOut: null }
  return { visible, heldOut: await judges.heldOut(files) }
}

/** A check's verdict on one changed solution; *not-compiled* says nothing about the tests. */
type MutantResult = 'not-compiled' | 'killed' | 'survived'

type Judge = (files: readonly SourceText[]) => Promise<MutantResult>

/** Judges of a mutant; `heldOut` only if a task has a scenario that no subject sees. */
type Judges = { visible: Judge; heldOut?: Judge }

const MIN_LIMIT_MS = 2_000
/** A mutant that takes this many times as long as the reference is considered not to terminate. */
const PATIENCE = 5
/** Fixed seeds, so that the figures are reproducible. */
const SEEDS: [string, string] = ['mutation-1', 'mutation-2']

/**
 * Creates two judges from the verifier: the visible tests with their type tests, and the held-out scenario by itself.
 * Both must accept the reference.
 */
async function createJudges(task: LoadedExercise, verifier: ExerciseVerifier): Promise<Judges> {
  const { taskId, verifyTimeoutMs } = task.task
  const proof = await askVisible(task, verifier, task.reference, verifyTimeoutMs)
  if (proof.verdict !== 'pass')
    throw suiteError(`task ${taskId} cannot be mutated: its reference is not solved`)
  const limitMs = Math.min(verifyTimeoutMs, Math.max(MIN_LIMIT_MS, durationOf(proof) * PATIENCE))
  const visible: Judge = async (files) => {
    // On a busy machine a short limit may expire before anything ran.
    const whole = () => askVisible(task, verifier, files, verifyTimeoutMs)
    const report = await askVisible(task, verifier, files, limitMs).catch(whole)
    return readVisible(report.types.timedOut ? await whole() : report, files)
  }
  if (!task.heldOut) return { visible }
  const heldOut: Judge = async (files) =>
    (await agrees(task, verifier, files, limitMs)) ? 'survived' : 'killed'
  if ((await heldOut(task.reference)) === 'survived') return { visible, heldOut }
  throw suiteError(
    `task ${taskId} cannot be mutated: its held-out scenario is not the same each time`,
  )
}

function askVisible(
  task: LoadedExercise,
  verifier: ExerciseVerifier,
  files: readonly SourceText[],
  timeoutMs: number,
): Promise<VerifierReport> {
  const input = verifierInput(task, files, task.task.expectedTests)
  return verifier.evaluate({ ...input, heldOut: null, alterTests: false, timeoutMs })
}

async function agrees(
  task: LoadedExercise,
  verifier: ExerciseVerifier,
  files: readonly SourceText[],
  timeoutMs: number,
): Promise<boolean> {
  const input = verifierInput(task, files, task.task.expectedTests)
  const only = { runTests: false, alterTests: false, checkTypes: false, seeds: SEEDS }
  const ask = (limitMs: number) => verifier.evaluate({ ...input, ...only, timeoutMs: limitMs })
  // On a busy machine the scenario alone may need longer than that to compile.
  const report = await ask(timeoutMs).catch(() => ask(task.task.verifyTimeoutMs))
  return report.heldOut?.agreed ?? false
}

function durationOf({ types, tests }: VerifierReport): number {
  return Math.ceil(Math.max(types.durationMs, tests.durationMs))
}

/**
 * A mutant with a type error in its own file is not a program; one that only contradicts the type tests is killed by
 * them.
 */
function readVisible(report: VerifierReport, files: readonly SourceText[]): MutantResult {
  const own = new Set(files.map(({ path }) => path))
  if (report.types.diagnostics.some(({ file }) => own.has(file))) return 'not-compiled'
  return report.verdict === 'pass' ? 'survived' : 'killed'
}

/** The verdicts of both checks on one solution; `heldOut` is null without a scenario, or when nothing compiles. */
export type JudgedMutant = { visible: MutantResult; heldOut: MutantResult | null }

type Counts = Omit<Mutation, 'wrong' | 'wrongCaught'>

/** Counts the results of mutants. */
export function countMutants(judged: readonly JudgedMutant[]): Counts {
  const compiled = judged.filter(({ visible }) => visible !== 'not-compiled')
  const withHeldOut = compiled.filter(({ heldOut }) => heldOut !== null)
  return {
    mutants: judged.length,
    compiled: compiled.length,
    caughtByVisible: compiled.filter(({ visible }) => visible === 'killed').length,
    caughtByHeldOut:
      withHeldOut.length === 0
        ? null
        : withHeldOut.filter(({ heldOut }) => heldOut === 'killed').length,
    surviving: compiled.filter(survives).length,
  }
}

/** Returns true if nothing caught it. */
export function survives({ visible, heldOut }: JudgedMutant): boolean {
  return visible === 'survived' && heldOut !== 'killed'
}
