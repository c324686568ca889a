import type { Settings } from '#lib/domain/settings/index.ts'
import type { HarborTask } from '#lib/domain/tasks/index.ts'
import { judgeTwice } from '../../engine/judge-twice.ts'
import { type LoadedHarbor, stepsOf } from '../../harbor/harbor-folder.ts'
import { type HarborEvaluation, harborJudgeOf } from '../../harbor/judge-harbor.ts'
import { combineSteps, moveOn } from '../../harbor/judge-steps.ts'
import type { HarborPlace } from '../../harbor/place.ts'
import { placeLimits } from '../../harbor/place-limits.ts'
import type { TakenWork } from '../../repository/take-changes.ts'
import type { NextStep, SubjectContext, SubjectResult } from '../../subjects/subject-driver.ts'

type Options = {
  planned: Settings
  droppings: readonly string[]
  signal: AbortSignal
}

/** The steps of one attempt, judged one after the other; a task without steps is its own only one. */
export class AttemptSteps {
  readonly #task: LoadedHarbor
  readonly #steps: readonly LoadedHarbor[]
  readonly #place: HarborPlace
  readonly #options: Options
  readonly #startedMs = performance.now()
  readonly #evaluations: HarborEvaluation[] = []
  /** Why no further step is run, once that is decided. */
  #end: { why: string | null } | null = null
  #pausedMs = 0

  constructor(task: LoadedHarbor, place: HarborPlace, options: Options) {
    this.#task = task
    this.#steps = stepsOf(task)
    this.#place = place
    this.#options = options
  }

  get hasSeveral(): boolean {
    return this.#steps.length > 1
  }

  /** The subject's input for the current step. All steps together have the plan's time. */
  current(): NextStep {
    const { at, folder, workspace, home, temporary, isolation } = this.#place
    const { planned } = this.#options
    const task = this.#steps[at] ?? this.#task
    const usedMs = performance.now() - this.#startedMs - this.#pausedMs
    const leftMs = Math.max(1, Math.round(planned.timeoutMs - usedMs))
    const timeoutMs = at === 0 ? planned.timeoutMs : leftMs
    return {
      task,
      settings: withBudgets({ ...planned, timeoutMs }, task.task),
      network: task.task.agent.network === 'on',
      isolation,
      folder,
      workspace,
      home,
      temporary,
    }
  }

  /** Judges the step that the subject ended, and prepares the next one; null = there is none. */
  async next(): Promise<NextStep | null> {
    if (this.#place.at + 1 >= this.#steps.length) return null
    const fromMs = performance.now()
    try {
      const step = await this.#judgeCurrent(await this.#place.take(this.#options.droppings))
      if (step === null) return null
      this.#end = await moveOn(this.#task.task, this.#place, step)
      if (this.#end !== null) return null
    } finally {
      this.#pausedMs += performance.now() - fromMs
    }
    return this.current()
  }

  /** Judges the last step that was worked on, and with it the whole; null = the run was stopped. */
  async judge(work: TakenWork): Promise<HarborEvaluation | null> {
    if (this.#end === null && (await this.#judgeCurrent(work)) === null) return null
    const stopped = this.#end?.why ?? null
    return combineSteps(this.#task.task, { evaluations: this.#evaluations, stopped })
  }

  /** Adds the time in which steps were judged and prepared, which is not the subject's. */
  withPause(result: SubjectResult): SubjectResult {
    if (this.#pausedMs === 0) return result
    return { ...result, ending: { ...result.ending, pausedMs: this.#pausedMs } }
  }

  async #judgeCurrent(work: TakenWork): Promise<HarborEvaluation | null> {
    const judge = harborJudgeOf(this.#place, work, this.#place.step)
    const evaluation = await judgeTwice(judge, this.#options.signal)
    if (evaluation !== null) this.#evaluations.push(evaluation)
    return evaluation
  }
}

/** Returns the smaller time of plan and task, and the limits that the task declares. */
function withBudgets(settings: Settings, task: HarborTask): SubjectContext['settings'] {
  const { timeoutMs } = settings
  const shortest = Math.min(timeoutMs, task.agent.timeoutMs ?? timeoutMs)
  return { ...settings, ...placeLimits(task), timeoutMs: shortest }
}
