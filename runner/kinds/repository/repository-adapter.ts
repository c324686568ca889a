import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '#lib/domain/settings/index.ts'
import { mayUseNetwork, type RepositoryTask } from '#lib/domain/tasks/index.ts'
import { layOverlay } from '../../arms/overlay.ts'
import { collectPatch } from '../../engine/collect-patch.ts'
import type {
  AttemptContext,
  EnvironmentAdapter,
  PreparedAttempt,
} from '../../engine/environment-adapter.ts'
import { plannedEntry } from '../../engine/episode-draft.ts'
import { judgeTwice } from '../../engine/judge-twice.ts'
import { patchEvaluation } from '../../engine/patch-evaluation.ts'
import { readChangedFiles } from '../../engine/read-changed-files.ts'
import { isPlainFailure, type ReferenceChecks } from '../../engine/reference-checks.ts'
import { playArm } from '../../engine/run-subject.ts'
import { createAttemptDirs } from '../../engine/workspace.ts'
import { commitBase } from '../../repository/check-out.ts'
import { referenceCheck } from '../../repository/check-reference.ts'
import { judgeOf, type RepositoryEvaluation } from '../../repository/judge-work.ts'
import { treeLimits } from '../../repository/limits.ts'
import type { Change } from '../../repository/overlay.ts'
import { permissionsOf } from '../../repository/permissions.ts'
import { prepareBase } from '../../repository/prepare-base.ts'
import { type TakenWork, takeChanges } from '../../repository/take-changes.ts'
import { copyTree, readTree } from '../../repository/tree.ts'
import { diffChanges } from '../../repository/write-changes.ts'
import { isRunnerError, machineError } from '../../runner-error.ts'
import { type Isolation, ownFolders } from '../../sandbox/isolation/isolation.ts'
import { measureFolder } from '../../sandbox/process/run-process.ts'
import type { SubjectDriver } from '../../subjects/subject-driver.ts'
import type { LoadedRepository } from '../../suites/repository-folder.ts'

/** Settings for the parts of a repository task, besides the plan's settings of the subject. */
export type RepositorySettings = {
  /** Isolation of the subject. */
  isolation: Isolation
  /** Strongest isolation of this machine: code of the solution runs there, whatever the subject had. */
  judging: Isolation
  /** Cache of prepared repositories, shared between runs. */
  cache: string
  /** Shared by all arms of a run. */
  checks: ReferenceChecks
}

/** Runs repository tasks: a copy of a prepared repository, judged by the task's own command from the work's patch. */
export function repositoryAdapter(
  driver: SubjectDriver,
  settings: RepositorySettings,
): EnvironmentAdapter {
  const { mode, secrets = [] } = driver
  const enter = (context: AttemptContext) => enterRepository(context, driver, settings)
  return { mode, secrets, enter }
}

/** State of an attempt after its phases. */
type Attempt = {
  work: TakenWork
  evaluation: RepositoryEvaluation | null
}

const NO_WORK: TakenWork = { changes: [], touched: [], findings: [], problem: null }

async function enterRepository(
  context: AttemptContext,
  driver: SubjectDriver,
  { isolation, judging, cache, checks }: RepositorySettings,
): Promise<PreparedAttempt> {
  const { slot, plan, marker, runMark, log, signal } = context
  const task = context.task as LoadedRepository
  const { temporaryFolder: temporary } = context
  const judgingSettings = { isolation: judging, temporary, runMark, signal }
  const base = await prepareBase(task, { ...judgingSettings, cache }).catch((error) => {
    throw isRunnerError(error) ? machineError(error.message) : error
  })
  // Checked before the subject costs anything: without a passing reference its failure would mean nothing.
  const check = referenceCheck(task, base, judgingSettings)
  if (check !== null) await checks.before(check)
  const { taskId } = task.task
  const place = await createAttemptDirs(context.temporaryFolder, context.folderName, taskId)
  await copyTree(base.entries, base.folder, place.workspace)
  const arm = plan.arms?.find(({ name }) => name === slot.arm)
  await layOverlay(place.workspace, arm)
  // Files of the arm are there from the start: not the subject's work, and never judged.
  const laid = new Set(arm?.files.map(({ path }) => path))
  const start =
    laid.size === 0 ? base.entries : await readTree(place.workspace, treeLimits(task.task.limits))
  if (!(await commitBase(place.workspace))) log.write('proofboard: git is not installed here\n')
  const baseBytes = await measureFolder(place.folder)
  const attempt: Attempt = { work: NO_WORK, evaluation: null }
  return {
    play: () =>
      playArm(arm, driver, {
        task,
        repetition: slot.repetition,
        settings: withBudgets(plannedEntry(plan, slot).settings, task.task),
        isolation,
        network: mayUseNetwork(task.task, 'agent'),
        marker,
        runMark,
        log,
        signal,
        ...place,
        baseBytes,
      }),
    restore: async () => {
      const tests = new Set(task.tests.map(({ path }) => path))
      const ofTask = permissionsOf(task.task, tests)
      const permissionOf = (path: string) => (laid.has(path) ? 'elsewhere' : ofTask(path))
      const { droppings = [] } = driver
      const before = (path: string) => readFile(join(base.folder, path)).catch(() => null)
      const rules = { permissionOf, droppings, before, own: ownFolders(isolation, place) }
      attempt.work = await takeChanges(start, place.workspace, rules)
      return attempt.work.touched
    },
    judge: async (subject) => {
      if (subject.outcome?.status === 'cancelled' || signal.aborted) return null
      const judge = judgeOf(task, base, attempt.work, judgingSettings)
      attempt.evaluation = await judgeTwice(judge, signal)
      if (isPlainFailure(attempt.evaluation) && check !== null) await checks.after(check)
      return patchEvaluation(attempt.evaluation, attempt.work, subject)
    },
    collect: async (subject) =>
      collectPatch(context, subject, {
        changes: attempt.work.changes,
        diff: await diffChanges(base, attempt.work),
        log: attempt.evaluation?.log ?? null,
        given: [
          task.task.instruction,
          ...(await readChangedFiles(base.folder, [...task.tests, ...referenceOf(task)])),
        ],
        tests: task.tests,
        reference: referenceOf(task),
      }),
    leave: place.remove,
  }
}

function referenceOf({ reference }: LoadedRepository): readonly Change[] {
  return reference?.kind === 'overlay' ? reference.changes : []
}

/** Returns the smaller budget of plan and task, and the limits that the task declares. */
function withBudgets(settings: Settings, { budgets, limits }: RepositoryTask): Settings {
  const { timeoutMs = settings.timeoutMs, maxSteps: own } = budgets
  const { maxSteps } = settings
  const { diskQuotaBytes = settings.diskQuotaBytes, ...place } = limits?.agent ?? {}
  return {
    ...settings,
    ...place,
    diskQuotaBytes,
    timeoutMs: Math.min(settings.timeoutMs, timeoutMs),
    maxSteps: own === undefined ? maxSteps : Math.min(maxSteps ?? own, own),
  }
}
