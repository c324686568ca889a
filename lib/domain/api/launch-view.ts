import type { Explanation } from '../planner/index.ts'
import { countSlots, expandPlan, type Plan, subjectLabel } from '../record/index.ts'
import {
  type LaunchChoices,
  type LaunchFields,
  type LaunchProblem,
  type LaunchRequest,
  reproduceLines,
  type WaitForecast,
} from '../runs/index.ts'
import type { Suite } from '../tasks/index.ts'
import type { ActionRefusal } from './action-result.ts'

/** A launch form that was saved under a name. */
export type PresetView = { presetId: string; name: string; query: string; createdBy: string }

/** The launch page: what can be chosen, what was, and what it comes to. */
export type LaunchView = {
  fields: LaunchFields
  choices: LaunchChoices
  problems: LaunchProblem[]
  /** Null when a problem prevents it. */
  explanation: Explanation | null
  /** What the run would meet in the queue now; null with the explanation. */
  wait: WaitForecast | null
  presets: PresetView[]
}

/** A frozen plan as the form shows it before anything is started. */
export type FrozenView = {
  planDigest: string
  suiteDigest: string
  subjectLabel: string
  adapterVersion: string | null
  provider: string | null
  episodes: number
  tasks: number
  /** The first episodes in the order in which they start: `lru-cache r1`, of a plan with arms `lru-cache r1 · careful`. */
  first: string[]
  /** By name, in the plan's order; empty = it has none. */
  arms: string[]
  /** Shell lines that do the same. */
  command: string[]
  /** The level it will run at and why; null = the subject starts no program that needs a sandbox. */
  isolation: string | null
  warnings: string[]
  /** Idempotency key, new for each rendered form: sent twice, it launches once. */
  key: string
}

/** What freezing answers. */
export type FreezeResult = { ok: true; message: string; frozen: FrozenView } | ActionRefusal

const SHOWN = 8

/** Puts a frozen plan into the form's words. Pure. */
export function viewFrozen(
  plan: Plan,
  request: LaunchRequest,
  {
    suite,
    isolation,
    warnings,
    key,
  }: { suite: Suite; isolation: string | null; warnings: string[]; key: string },
): FrozenView {
  const { planDigest, suiteDigest, subject } = plan
  return {
    planDigest,
    suiteDigest,
    subjectLabel: subjectLabel(subject),
    adapterVersion: subject.adapterVersion,
    provider: subject.provider,
    episodes: countSlots(plan),
    tasks: plan.tasks.length,
    first: expandPlan(plan)
      .slice(0, SHOWN)
      .map(({ taskId, repetition, arm }) =>
        [`${taskId} r${repetition}`, arm].filter((part) => part !== undefined).join(' · '),
      ),
    arms: plan.arms?.map(({ name }) => name) ?? [],
    command: commandLines(plan, request, suite),
    isolation,
    warnings,
    key,
  }
}

/**
 * How it is executed is no part of the plan, and so is added to its line. Arms are read from a file again, as the form
 * has them, because the frozen plan is not available as a file yet.
 */
function commandLines(plan: Plan, request: LaunchRequest, suite: Suite): string[] {
  const { concurrency, spendCapMicroUsd } = request
  const { arms, ...bare } = plan
  const more = [
    ...(arms ? ['--arms arms.yaml'] : []),
    ...(concurrency > 1 ? [`--concurrency ${concurrency}`] : []),
    ...(spendCapMicroUsd === null ? [] : [`--spend-cap ${spendCapMicroUsd / 1e6}`]),
  ]
  const lines = reproduceLines(bare, suite)
  const names = arms?.map(({ name }) => name).join(', ')
  const note = arms ? [`# arms.yaml: the field Arms of this form (${names})`] : []
  return [...note, ...lines.slice(0, -1), [...lines.slice(-1), ...more].join(' ')]
}
