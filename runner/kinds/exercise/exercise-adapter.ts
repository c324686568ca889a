import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type EpisodeBody,
  MAX_TEST_OUTPUT,
  type TamperFinding,
  type TestCommandResult,
} from '#lib/domain/record/index.ts'
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
import {
  type CollectedSolution,
  type Verified,
  verifyWork,
} from '../../engine/evaluate-contract.ts'
import { playArm } from '../../engine/run-subject.ts'
import { prepareWorkspace, restoreProtected } from '../../engine/workspace.ts'
import type { FindSecrets } from '../../redact/find-secrets.ts'
import { openJudging } from '../../repository/open-judging.ts'
import { runTaskCommand, type VerifySettings } from '../../repository/run-command.ts'
import { machineError } from '../../runner-error.ts'
import type { Isolation } from '../../sandbox/isolation/isolation.ts'
import { CappedLog } from '../../sandbox/process/capped-log.ts'
import { measureFolder } from '../../sandbox/process/run-process.ts'
import type { SubjectDriver, SubjectResult } from '../../subjects/subject-driver.ts'
import { writeSolution } from '../../subjects/write-solution.ts'
import type { LoadedExercise } from '../../suites/task-folder.ts'
import { findCopy } from '../../verify/exercise/decide-tests.ts'
import type { ExerciseVerifier } from '../../verify/exercise/verifier-types.ts'

/** Modes in which a copied reference counts; controls and scripted models submit the reference on purpose. */
const COPYING = new Set<EnvironmentAdapter['mode']>(['live', 'recorded-real'])

const UNKNOWN_EXIT: EpisodeBody['exit']['gate'] = { code: null, signal: null }

type ExerciseTools = { verifier: ExerciseVerifier; isolation: Isolation }

/** Runs exercises: a workspace of files, judged by the verifier from the solution's text alone. */
export function exerciseAdapter(
  driver: SubjectDriver,
  { verifier, isolation }: ExerciseTools,
): EnvironmentAdapter {
  const { mode, secrets = [] } = driver
  const enter = (context: AttemptContext) => enterWorkspace(context, driver, verifier, isolation)
  return { mode, secrets, enter }
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

const MAX_LOG_BYTES = 4 << 20
const MAX_DISK_BYTES = 1 << 30

type TestCommandSettings = VerifySettings & { marker: string; find: FindSecrets }

/**
 * Runs the task's own test command over the solution in a fresh copy of the task, sandboxed and without network; null =
 * the task has none. The result is a diagnostic: the verifier alone decides, so every failure here is a value.
 */
async function runTestCommand(
  task: LoadedExercise,
  { files }: CollectedSolution,
  settings: TestCommandSettings,
): Promise<TestCommandResult | null> {
  const { testCommand: command, verifyTimeoutMs } = task.task
  if (command === undefined) return null
  const nothing = { command, exitCode: null, signal: null, limit: null, durationMs: 0 }
  const skip = (notRun: string) => ({ ...nothing, notRun, output: '', droppedChars: 0 })
  const { temporary, runMark, signal, find } = settings
  const isolation = await openJudging(settings.isolation)
  if (isolation.level === 'local') return skip('This machine has no sandbox for it.')
  const place = await prepareWorkspace(task, temporary)
  const log = new CappedLog(join(place.folder, 'test-command.log'), MAX_LOG_BYTES, find)
  try {
    await writeSolution(place.workspace, files)
    const baseBytes = await measureFolder(place.folder)
    const marker = `${settings.marker}-test-command`
    const startedMs = performance.now()
    const {
      cause,
      exitCode,
      signal: killedBy,
    } = await runTaskCommand(
      { ...place, isolation, runMark, signal, marker, baseBytes },
      {
        command,
        limits: { timeoutMs: verifyTimeoutMs, diskQuotaBytes: MAX_DISK_BYTES },
        network: false,
        log,
      },
    )
    if (cause === 'spawn-failed') return skip('It could not be started on this machine.')
    if (cause === 'cancelled') return skip('The run was stopped.')
    const limit = cause === 'exited' || cause === 'finished' ? null : cause
    const durationMs = Math.round(performance.now() - startedMs)
    const { droppedBytes } = log.close()
    const ended = { ...nothing, notRun: null, exitCode, signal: killedBy, limit, durationMs }
    return { ...ended, ...endOf(await readFile(log.path, 'utf8'), droppedBytes) }
  } catch (error) {
    return skip(`It could not be run: ${(error as Error).message}`.slice(0, 500))
  } finally {
    log.close()
    await place.remove()
  }
}

/** Returns the end of an output. PostgreSQL stores no NUL, so it is replaced as broken UTF-8 is. */
function endOf(text: string, droppedBytes: number) {
  const output = text
    .slice(-MAX_TEST_OUTPUT)
    .replaceAll('\0', '\uFFFD')
    .replace(/^[\uDC00-\uDFFF]/, '')
  return { output, droppedChars: Math.max(0, text.length - output.length) + droppedBytes }
}
