import type { ActionRefusal } from '../action-result.ts'
import { countSlots, expandPlan } from '../expand-plan.ts'
import type { FrozenPlan } from '../plan.ts'
import { reproduceLines } from '../reproduce-lines.ts'
import { subjectLabel } from '../subject.ts'
import type { Suite } from '../suite.ts'
import type { LaunchRequest } from './parse-launch.ts'

/** A frozen plan as the form shows it before anything is started. */
export type FrozenView = {
  planDigest: string
  suiteDigest: string
  subjectLabel: string
  adapterVersion: string | null
  provider: string | null
  episodes: number
  tasks: number
  /** The first episodes in the order in which they start: `lru-cache r1`. */
  first: string[]
  /** Shell lines that do the same. */
  command: string[]
  /** The level it will run at and why; null = the subject starts no program that needs a sandbox. */
  isolation: string | null
  warnings: string[]
  /** This showing's own: whoever sends it twice launches once. */
  key: string
}

/** What freezing answers. */
export type FreezeAnswer = { ok: true; message: string; frozen: FrozenView } | ActionRefusal

const SHOWN = 8

/** Puts a frozen plan into the form's words. Pure. */
export function viewFrozen(
  plan: FrozenPlan,
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
      .map(({ taskId, repetition }) => `${taskId} r${repetition}`),
    command: commandLines(plan, request, suite),
    isolation,
    warnings,
    key,
  }
}

/** How it is executed is no part of the plan, and so is added to its line. */
function commandLines(plan: FrozenPlan, request: LaunchRequest, suite: Suite): string[] {
  const { concurrency, spendCapMicroUsd } = request
  const more = [
    ...(concurrency > 1 ? [`--concurrency ${concurrency}`] : []),
    ...(spendCapMicroUsd === null ? [] : [`--spend-cap ${spendCapMicroUsd / 1e6}`]),
  ]
  const lines = reproduceLines(plan, suite)
  return [...lines.slice(0, -1), [...lines.slice(-1), ...more].join(' ')]
}
