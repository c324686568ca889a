import { collectPatch } from '../../engine/collect-patch.ts'
import type {
  AttemptContext,
  EnvironmentAdapter,
  PreparedAttempt,
} from '../../engine/environment-adapter.ts'
import { plannedEntry } from '../../engine/episode-draft.ts'
import { patchEvaluation } from '../../engine/patch-evaluation.ts'
import { isPlainFailure, type ReferenceChecks } from '../../engine/reference-checks.ts'
import { playArm } from '../../engine/run-subject.ts'
import { referenceCheck } from '../../harbor/check-reference.ts'
import { type LoadedHarbor, stepsOf } from '../../harbor/harbor-folder.ts'
import type { HarborEvaluation } from '../../harbor/judge-harbor.ts'
import { openPlace } from '../../harbor/open-place.ts'
import type { HarborPlace } from '../../harbor/place.ts'
import { type AllowedVariables, chooseVariables } from '../../harbor/variables.ts'
import type { TakenWork } from '../../repository/take-changes.ts'
import { diffTaken } from '../../repository/write-changes.ts'
import { isRunnerError, machineError } from '../../runner-error.ts'
import type { Isolation } from '../../sandbox/isolation/isolation.ts'
import { playSteps } from '../../subjects/play-steps.ts'
import {
  DONE,
  type SubjectContext,
  type SubjectDriver,
  type SubjectEnding,
} from '../../subjects/subject-driver.ts'
import { AttemptSteps } from './attempt-steps.ts'

/** Settings for judging a run's Harbor tasks; `checks` are shared by all its arms. */
type HarborSettings = {
  isolation: Isolation
  checks: ReferenceChecks
  /** Variables of this machine that its tasks are given; absent = none. */
  variables?: AllowedVariables
}

/** Runs tasks in Harbor's format: their image or folder, judged by the reward of their own verifier. */
export function harborAdapter(driver: SubjectDriver, settings: HarborSettings): EnvironmentAdapter {
  const { mode, secrets = [] } = driver
  const enter = (context: AttemptContext) => enterHarbor(context, driver, settings)
  const values = Object.values(settings.variables ?? {})
  return { mode, secrets: [...secrets, ...values], enter }
}

/** State of an attempt after its phases. */
type Attempt = {
  work: TakenWork
  evaluation: HarborEvaluation | null
}

async function enterHarbor(
  context: AttemptContext,
  driver: SubjectDriver,
  { isolation: requested, checks, variables = {} }: HarborSettings,
): Promise<PreparedAttempt> {
  const { slot, plan, marker, runMark, log, signal, temporaryFolder: temporary } = context
  const task = context.task as LoadedHarbor
  const own = chooseVariables([task], variables)
  const settings = { temporary, runMark, signal, variables: own }
  const asOfMachine = (error: unknown) => {
    throw isRunnerError(error, 'suite') ? machineError(error.message) : error
  }
  const check = await referenceCheck(task, settings, requested)
  // Checked before the subject costs anything: without a passing reference its failure would mean nothing.
  if (check !== null) await checks.before(check).catch(asOfMachine)
  const arm = plan.arms?.find(({ name }) => name === slot.arm)
  const where = { requested, name: context.folderName, arm }
  const place = await openPlace(task, settings, where).catch(asOfMachine)
  const work: TakenWork = { changes: [], touched: [], findings: [], problem: null }
  const attempt: Attempt = { work, evaluation: null }
  const { settings: planned } = plannedEntry(plan, slot)
  const droppings = driver.droppings ?? []
  const steps = new AttemptSteps(task, place, { planned, droppings, signal })
  const names = Object.keys(own).join(', ')
  return {
    play: async () => {
      if (names !== '') log.write(`variables of this machine: ${names}\n`)
      const turn = { repetition: slot.repetition, marker, runMark, log, signal }
      const result = await playArm(arm, withSolution(driver, place), {
        ...steps.current(),
        ...turn,
        secrets: Object.values(own),
        ...(steps.hasSeveral && { nextStep: () => steps.next() }),
      })
      return steps.withPause(result)
    },
    restore: async () => {
      attempt.work = await place.take(droppings)
      return attempt.work.touched
    },
    judge: async (subject) => {
      if (subject.outcome?.status === 'cancelled' || signal.aborted) return null
      attempt.evaluation = await steps.judge(attempt.work)
      if (isPlainFailure(attempt.evaluation) && check !== null) await checks.after(check)
      const isPartial = (attempt.evaluation?.reward ?? 0) > 0
      return patchEvaluation(attempt.evaluation, attempt.work, subject, isPartial)
    },
    collect: async (subject) =>
      collectPatch(context, subject, {
        changes: attempt.work.changes,
        diff: await diffTaken(place.before, attempt.work),
        log: attempt.evaluation?.log ?? null,
        given: [task.task.instruction],
        tests: stepsOf(task).flatMap(({ tests }) => tests),
        reference: task.solution ?? [],
      }),
    leave: place.leave,
  }
}

/** A control that knows the solution runs it in place: it is a script, not files that could be written. */
function withSolution(driver: SubjectDriver, place: HarborPlace): SubjectDriver {
  const { chooses } = driver
  if (driver.mode !== 'scaffold') return driver
  const act = async (context: SubjectContext): Promise<SubjectEnding> => {
    if (chooses === undefined) return driver.act(context)
    const solves = chooses(context)
    context.log.write(
      `${driver.subject.name}: ${solves ? 'runs solution/solve.sh' : 'does nothing'}\n`,
    )
    return solves ? { ...DONE, ...(await place.solve(context.log)) } : DONE
  }
  return { ...driver, act: (context) => playSteps(context, act) }
}
