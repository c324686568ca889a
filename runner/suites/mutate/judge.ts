import type { Gate, GateReport } from '../../contracts/exercise/gate-types.ts'
import { gateInput } from '../complete-task.ts'
import { SuiteError } from '../suite-error.ts'
import type { LoadedExercise, SourceText } from '../task-folder.ts'

/** What a judge says of one changed solution; *not-compiled* says nothing about the tests. */
export type Judgement = 'not-compiled' | 'killed' | 'survived'

export type Judge = (files: readonly SourceText[]) => Promise<Judgement>

/** Who looks at a mutant; `heldOut` only where a task keeps a scenario that no subject sees. */
export type Judges = { visible: Judge; heldOut?: Judge }

const LEAST_LIMIT_MS = 5_000
/** A mutant that takes so many times as long as the reference has lost its way. */
const PATIENCE = 20

/**
 * The official gate as a judge: the visible tests and their type tests. A mutant with a type error in its own file is
 * no program; one that only contradicts the type tests is killed by them.
 */
export async function createVisibleJudge(task: LoadedExercise, gate: Gate): Promise<Judge> {
  const { taskId, expectedTests, verifyTimeoutMs } = task.task
  const evaluate = (files: readonly SourceText[], timeoutMs: number) =>
    gate.evaluate({ ...gateInput(task, files, expectedTests), timeoutMs })
  const proof = await evaluate(task.reference, verifyTimeoutMs)
  if (proof.verdict !== 'pass')
    throw new SuiteError(`task ${taskId} cannot be mutated: its reference is not solved`)
  const limitMs = Math.min(verifyTimeoutMs, Math.max(LEAST_LIMIT_MS, durationOf(proof) * PATIENCE))
  /** On a machine that is busy with others the reference is late as well. */
  const isBusy = async () =>
    durationOf(await evaluate(task.reference, verifyTimeoutMs)) > limitMs / 2
  return async (files) => {
    const report = await evaluate(files, limitMs)
    const { types, tests } = report
    if (types.timedOut) return readReport(await evaluate(files, verifyTimeoutMs), files)
    const isUnsure = tests.timedOut && tests.failed === 0 && (await isBusy())
    return readReport(isUnsure ? await evaluate(files, limitMs * 4) : report, files)
  }
}

function durationOf({ types, tests }: GateReport): number {
  return Math.ceil(Math.max(types.durationMs, tests.durationMs))
}

function readReport(report: GateReport, files: readonly SourceText[]): Judgement {
  const own = new Set(files.map(({ path }) => path))
  if (report.types.diagnostics.some(({ file }) => own.has(file))) return 'not-compiled'
  return report.verdict === 'pass' ? 'survived' : 'killed'
}
