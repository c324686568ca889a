import type { Settings } from '#lib/domain/settings/index.ts'
import type { HarborTask } from '#lib/domain/tasks/index.ts'
import { collectPatch } from '../../engine/collect-patch.ts'
import { decideOutcome } from '../../engine/describe-attempt.ts'
import type {
  AttemptContext,
  AttemptEvaluation,
  EnvironmentAdapter,
  PreparedAttempt,
} from '../../engine/environment-adapter.ts'
import { plannedEntry } from '../../engine/episode-draft.ts'
import { judgeTwice } from '../../engine/judge-twice.ts'
import { nameLeftOut } from '../../engine/name-left-out.ts'
import { isPlainFailure, type ReferenceChecks } from '../../engine/reference-checks.ts'
import { playArm } from '../../engine/run-subject.ts'
import { referenceCheck } from '../../harbor/check-reference.ts'
import type { LoadedHarbor } from '../../harbor/harbor-folder.ts'
import { type HarborEvaluation, harborJudgeOf } from '../../harbor/judge-harbor.ts'
import { openPlace } from '../../harbor/open-place.ts'
import type { HarborPlace } from '../../harbor/place.ts'
import { placeLimits } from '../../harbor/place-limits.ts'
import type { TakenWork } from '../../repository/take-changes.ts'
import { diffTaken } from '../../repository/write-changes.ts'
import { isRunnerError, machineError } from '../../runner-error.ts'
import type { Isolation } from '../../sandbox/isolation/isolation.ts'
import {
  DONE,
  type SubjectContext,
  type SubjectDriver,
  type SubjectEnding,
  type SubjectResult,
} from '../../subjects/subject-driver.ts'

/** Settings for judging a run's Harbor tasks; `checks` are shared by all its arms. */
type HarborSettings = { isolation: Isolation; checks: ReferenceChecks }

/** Runs tasks in Harbor's format: their image or folder, judged by the reward of their own verifier. */
export function harborAdapter(
  driver: SubjectDriver,
  { isolation, checks }: HarborSettings,
): EnvironmentAdapter {
  const { mode, secrets = [] } = driver
  const enter = (context: AttemptContext) => enterHarbor(context, driver, { isolation, checks })
  const nothing = async () => {}
  return { mode, secrets, open: nothing, enter, close: nothing }
}

/** State of an attempt after its phases. */
type Attempt = {
  work: TakenWork
  evaluation: HarborEvaluation | null
}

async function enterHarbor(
  context: AttemptContext,
  driver: SubjectDriver,
  { isolation: asked, checks }: HarborSettings,
): Promise<PreparedAttempt> {
  const { slot, plan, marker, runMark, log, signal, temporaryFolder: temporary } = context
  const task = context.task as LoadedHarbor
  const settings = { temporary, runMark, signal }
  const asOfMachine = (error: unknown) => {
    throw isRunnerError(error, 'suite') ? machineError(error.message) : error
  }
  const check = await referenceCheck(task, settings, asked)
  // Checked before the subject costs anything: without a passing reference its failure would mean nothing.
  if (check !== null) await checks.before(check).catch(asOfMachine)
  const arm = plan.arms?.find(({ name }) => name === slot.arm)
  const where = { asked, name: context.folderName, arm }
  const place = await openPlace(task, settings, where).catch(asOfMachine)
  const work: TakenWork = { changes: [], touched: [], findings: [], problem: null }
  const attempt: Attempt = { work, evaluation: null }
  const { folder, workspace, home, temporary: own, isolation } = place
  return {
    play: () =>
      playArm(arm, withSolution(driver, place), {
        task,
        repetition: slot.repetition,
        settings: withBudgets(plannedEntry(plan, slot).settings, task.task),
        isolation,
        network: task.task.agent.network === 'on',
        marker,
        runMark,
        log,
        signal,
        folder,
        workspace,
        home,
        temporary: own,
      }),
    restore: async () => {
      attempt.work = await place.take(driver.droppings ?? [])
      return attempt.work.touched
    },
    judge: async (subject) => {
      if (subject.outcome?.status === 'cancelled' || signal.aborted) return null
      attempt.evaluation = await judgeTwice(harborJudgeOf(place, attempt.work, task), signal)
      if (isPlainFailure(attempt.evaluation) && check !== null) await checks.after(check)
      return evaluationOf(attempt, subject)
    },
    collect: async (subject) =>
      collectPatch(context, subject, {
        changes: attempt.work.changes,
        diff: await diffTaken(place.before, attempt.work),
        log: attempt.evaluation?.log ?? null,
        given: [task.task.instruction],
        tests: task.tests,
        reference: task.solution ?? [],
      }),
    leave: place.leave,
  }
}

/** A control that knows the solution runs it in place: it is a script, not files that could be written. */
function withSolution(driver: SubjectDriver, place: HarborPlace): SubjectDriver {
  const { chooses } = driver
  if (chooses === undefined) return driver
  return {
    ...driver,
    act: async (context): Promise<SubjectEnding> => {
      const solves = chooses(context)
      context.log.write(
        `${driver.subject.name}: ${solves ? 'runs solution/solve.sh' : 'does nothing'}\n`,
      )
      return solves ? { ...DONE, ...(await place.solve(context.log)) } : DONE
    },
  }
}

/** Returns the smaller time of plan and task, and the limits that the task declares. */
function withBudgets(settings: Settings, task: HarborTask): SubjectContext['settings'] {
  const { timeoutMs } = settings
  const shortest = Math.min(timeoutMs, task.agent.timeoutMs ?? timeoutMs)
  return { ...settings, ...placeLimits(task), timeoutMs: shortest }
}

function evaluationOf(
  { evaluation, work }: Attempt,
  { ending }: SubjectResult,
): AttemptEvaluation | null {
  if (evaluation === null) return null
  const { contract, findings, exit, reward } = evaluation
  const outcome = nameLeftOut(decideOutcome(ending, { contract, findings }), work.touched)
  const failure = (reward ?? 0) > 0 ? ('partial' as const) : ('test-failure' as const)
  const unsolvedAs = work.changes.length === 0 ? ('no-change' as const) : failure
  return { contract, findings, exit, outcome, unsolvedAs }
}
