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

/** Contents of the launch page: choices, current values, and what the plan would cost and show. */
export type LaunchView = {
  fields: LaunchFields
  choices: LaunchChoices
  problems: LaunchProblem[]
  /** Null when a problem prevents it. */
  explanation: Explanation | null
  /** Expected wait in the queue; null if `explanation` is null. */
  wait: WaitForecast | null
  presets: PresetView[]
}

/** A frozen plan as the form shows it before anything is started. */
export type FrozenView = ReturnType<typeof viewFrozen>

/** Result of freezing a plan. */
export type FreezeResult = { ok: true; message: string; frozen: FrozenView } | ActionRefusal

const SHOWN = 8

/** Describes a frozen plan for the form. */
export function viewFrozen(
  plan: Plan,
  request: LaunchRequest,
  {
    suite,
    isolation,
    warnings,
    key,
  }: { suite: Suite; isolation: string | null; warnings: string[]; key: string },
) {
  const { planDigest, suiteDigest, subject } = plan
  return {
    planDigest,
    suiteDigest,
    subjectLabel: subjectLabel(subject),
    adapterVersion: subject.adapterVersion,
    provider: subject.provider,
    episodes: countSlots(plan),
    tasks: plan.tasks.length,
    /** The first episodes in start order: `lru-cache r1`, or with arms `lru-cache r1 · careful`. */
    first: expandPlan(plan)
      .slice(0, SHOWN)
      .map(({ taskId, repetition, arm }) =>
        [`${taskId} r${repetition}`, arm].filter((part) => part !== undefined).join(' · '),
      ),
    /** Names of the arms in the plan's order; empty = no arms. */
    arms: plan.arms?.map(({ name }) => name) ?? [],
    /** Equivalent shell lines. */
    command: commandLines(plan, request, suite),
    /** Isolation level of the run, with its reason; null = the subject starts no program that needs a sandbox. */
    isolation,
    warnings,
    /** Idempotency key, new for each rendered form: submitting the form twice launches one run. */
    key,
  }
}

/**
 * Execution options are not part of the plan, so they are appended to its line. Arms are read from a file, as in the
 * form, because the frozen plan is not available as a file yet.
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
