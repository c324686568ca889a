import type { Gate } from '../contracts/exercise/gate-types.ts'
import type { LoadedExercise } from '../suites/task-folder.ts'
import { type CollectedSolution, collectSolution } from './collect-solution.ts'
import { type Evaluation, evaluateContract } from './evaluate-contract.ts'

/** What was handed in and what the contract says of it; no evaluation when the run was stopped. */
export type Verified = { solution: CollectedSolution; evaluation: Evaluation | null }

/** Phase 4: takes the declared solution out of the workspace and has it judged. `skip` only collects it. */
export async function verifyWork(
  task: LoadedExercise,
  workspace: string,
  house: { gate: Gate; signal: AbortSignal },
  skip: boolean,
): Promise<Verified> {
  const { gate, signal } = house
  const solution = await collectSolution(task, workspace)
  if (skip || signal.aborted) return { solution, evaluation: null }
  try {
    const evaluation = await evaluateTwice(
      () => evaluateContract(task, solution, gate, signal),
      signal,
    )
    return { solution, evaluation: signal.aborted ? null : evaluation }
  } catch (error) {
    if (signal.aborted) return { solution, evaluation: null }
    throw error
  }
}

/** The subject has been paid: trouble of the verifier gets a second chance before the attempt is lost. */
async function evaluateTwice(
  evaluate: () => Promise<Evaluation>,
  signal: AbortSignal,
): Promise<Evaluation> {
  try {
    return await evaluate()
  } catch (error) {
    if (signal.aborted) throw error
    return evaluate()
  }
}
