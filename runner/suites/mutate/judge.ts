import type { Gate, GateReport } from '../../contracts/exercise/gate-types.ts'
import { gateInput } from '../complete-task.ts'
import { SuiteError } from '../suite-error.ts'
import type { LoadedExercise, SourceText } from '../task-folder.ts'

/** What a judge says of one changed solution; *not-compiled* says nothing about the tests. */
export type Judgement = 'not-compiled' | 'killed' | 'survived'

export type Judge = (files: readonly SourceText[]) => Promise<Judgement>

/** Who looks at a mutant; `heldOut` only where a task keeps a scenario that no subject sees. */
export type Judges = { visible: Judge; heldOut?: Judge }

const LEAST_LIMIT_MS = 2_000
/** A mutant that takes so many times as long as the reference has lost its way. */
const PATIENCE = 5
/** Always the same two seeds, so that the figures can be made again. */
const SEEDS: [string, string] = ['mutation-1', 'mutation-2']

/**
 * The official gate as two judges: the visible tests with their type tests, and the held-out scenario by itself. Both
 * must find nothing wrong with the reference.
 */
export async function createJudges(task: LoadedExercise, gate: Gate): Promise<Judges> {
  const { taskId, verifyTimeoutMs } = task.task
  const proof = await askVisible(task, gate, task.reference, verifyTimeoutMs)
  if (proof.verdict !== 'pass')
    throw new SuiteError(`task ${taskId} cannot be mutated: its reference is not solved`)
  const limitMs = Math.min(verifyTimeoutMs, Math.max(LEAST_LIMIT_MS, durationOf(proof) * PATIENCE))
  const visible: Judge = async (files) => {
    const report = await askVisible(task, gate, files, limitMs)
    return readVisible(
      report.types.timedOut ? await askVisible(task, gate, files, verifyTimeoutMs) : report,
      files,
    )
  }
  if (!task.heldOut) return { visible }
  const heldOut: Judge = async (files) =>
    (await agrees(task, gate, files, limitMs)) ? 'survived' : 'killed'
  if ((await heldOut(task.reference)) === 'survived') return { visible, heldOut }
  throw new SuiteError(
    `task ${taskId} cannot be mutated: its held-out scenario is not the same each time`,
  )
}

function askVisible(
  task: LoadedExercise,
  gate: Gate,
  files: readonly SourceText[],
  timeoutMs: number,
): Promise<GateReport> {
  const input = gateInput(task, files, task.task.expectedTests)
  return gate.evaluate({ ...input, heldOut: null, alterTests: false, timeoutMs })
}

async function agrees(
  task: LoadedExercise,
  gate: Gate,
  files: readonly SourceText[],
  timeoutMs: number,
): Promise<boolean> {
  const input = gateInput(task, files, task.task.expectedTests)
  const only = { runTests: false, alterTests: false, checkTypes: false, seeds: SEEDS }
  const ask = (limitMs: number) => gate.evaluate({ ...input, ...only, timeoutMs: limitMs })
  // On a busy machine even the scenario itself may need longer than that to compile.
  const report = await ask(timeoutMs).catch(() => ask(task.task.verifyTimeoutMs))
  return report.heldOut?.agreed ?? false
}

function durationOf({ types, tests }: GateReport): number {
  return Math.ceil(Math.max(types.durationMs, tests.durationMs))
}

/**
 * A mutant with a type error in its own file is no program; one that only contradicts the type tests is killed by
 * them.
 */
function readVisible(report: GateReport, files: readonly SourceText[]): Judgement {
  const own = new Set(files.map(({ path }) => path))
  if (report.types.diagnostics.some(({ file }) => own.has(file))) return 'not-compiled'
  return report.verdict === 'pass' ? 'survived' : 'killed'
}
