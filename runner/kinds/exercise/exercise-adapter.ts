import type { EpisodeBody, TamperFinding } from '#lib/domain/record/index.ts'
import { markExecutable, overlayTask } from '../../arms/overlay.ts'
import { collectEvidence } from '../../engine/collect-evidence.ts'
import { codingCategory, decideOutcome } from '../../engine/describe-attempt.ts'
import type {
  AttemptContext,
  AttemptEvaluation,
  EnvironmentAdapter,
  PreparedAttempt,
} from '../../engine/environment-adapter.ts'
import { plannedEntry } from '../../engine/episode-draft.ts'
import { type Verified, verifyWork } from '../../engine/evaluate-contract.ts'
import { playArm } from '../../engine/run-subject.ts'
import { prepareWorkspace, restoreProtected } from '../../engine/workspace.ts'
import { machineError } from '../../runner-error.ts'
import type { Isolation } from '../../sandbox/isolation/isolation.ts'
import type { SubjectDriver, SubjectResult } from '../../subjects/subject-driver.ts'
import type { LoadedExercise } from '../../suites/task-folder.ts'
import { findCopy } from '../../verify/exercise/decide-tests.ts'
import type { ExerciseVerifier } from '../../verify/exercise/verifier-types.ts'
import { runTestCommand } from './run-test-command.ts'

/** Modes in which a copied reference counts; controls and scripted models submit the reference on purpose. */
const COPYING = new Set<EnvironmentAdapter['mode']>(['live', 'recorded-real'])

const UNKNOWN_EXIT: EpisodeBody['exit']['gate'] = { code: null, signal: null }

type Around = { verifier: ExerciseVerifier; isolation: Isolation }

/** Runs exercises: a workspace of files, judged by the verifier from the solution's text alone. */
export function exerciseAdapter(
  driver: SubjectDriver,
  { verifier, isolation }: Around,
): EnvironmentAdapter {
  const { mode, secrets = [] } = driver
  const enter = (context: AttemptContext) => enterWorkspace(context, driver, verifier, isolation)
  const nothing = async () => {}
  return { mode, secrets, open: nothing, enter, close: nothing }
}

async function enterWorkspace(
  context: AttemptContext,
  driver: SubjectDriver,
  verifier: ExerciseVerifier,
  isolation: Isolation,
): Promise<PreparedAttempt> {
  const { slot, plan, marker, runMark, log, find, signal } = context
  const arm = plan.arms?.find(({ name }) => name === slot.arm)
  const task = overlayTask(context.task as LoadedExercise, arm)
  await beReady(verifier, signal)
  const place = await prepareWorkspace(task, context.temporaryFolder, context.folderName)
  const { workspace } = place
  await markExecutable(workspace, arm)
  const { repetition } = slot
  const { settings } = plannedEntry(plan, slot)
  let verified: Verified = { solution: { files: [], missing: [], findings: [] }, evaluation: null }
  return {
    play: () =>
      playArm(arm, driver, {
        task,
        repetition,
        settings,
        isolation,
        marker,
        runMark,
        log,
        signal,
        ...place,
      }),
    restore: () => restoreProtected(task, workspace),
    judge: async (subject) => {
      const isStopped = subject.outcome?.status === 'cancelled'
      verified = await verifyWork(task, workspace, { verifier, signal }, isStopped)
      const copied = COPYING.has(driver.mode)
        ? await findCopy(verified.solution.files, task.reference)
        : null
      const evaluation = evaluationOf(verified, subject, task.stubs, copied)
      if (evaluation === null) return null
      const where = { isolation, temporary: context.temporaryFolder, runMark, signal, marker, find }
      // The task of the suite: an arm's files belong to the agent.
      const own = context.task as LoadedExercise
      return { ...evaluation, testCommand: await runTestCommand(own, verified.solution, where) }
    },
    collect: async ({ ending }) => {
      const { recording = null, calls = null, transcript = null } = ending
      const { droppings = [] } = driver
      const gateway = { recording, calls, transcript }
      const sources = { task, workspace, log, droppings, find, verified, ...gateway }
      return { files: await collectEvidence(context.attemptFolder, sources) }
    },
    leave: place.remove,
  }
}

function evaluationOf(
  { evaluation, solution }: Verified,
  { ending }: SubjectResult,
  stubs: Parameters<typeof codingCategory>[1],
  copied: TamperFinding | null,
): AttemptEvaluation | null {
  if (evaluation === null) return null
  const { contract, exit = UNKNOWN_EXIT } = evaluation
  const findings = [...evaluation.findings, ...(copied ? [copied] : [])]
  const outcome = decideOutcome(ending, { contract, findings })
  const unsolvedAs = codingCategory(evaluation, stubs, solution.files)
  return { contract, findings, exit, outcome, unsolvedAs }
}

/** Finds a broken verifier before the subject starts, so that no cost arises for nothing. */
async function beReady(verifier: ExerciseVerifier, signal: AbortSignal): Promise<void> {
  try {
    await verifier.ready(signal)
  } catch (error) {
    if (signal.aborted) throw error
    throw machineError(`the verifier is not ready: ${(error as Error).message}`)
  }
}
