import { resolve } from 'node:path'
import type { BuildBoardInput } from '#lib/domain/board/build-board-input.ts'
import { buildRowGroups } from '#lib/domain/board/build-row-groups.ts'
import { episodeFact } from '#lib/domain/board/episode-fact.ts'
import type { Bundle } from '#lib/domain/bundle.ts'
import { countSlots } from '#lib/domain/expand-plan.ts'
import { type FrozenPlan, freezePlan } from '#lib/domain/plan.ts'
import type { TopUpGoal } from '#lib/domain/planner/list-task-needs.ts'
import {
  planTopUp,
  SUITE_CHANGED,
  type TopUp,
  type TopUpDraft,
} from '#lib/domain/planner/plan-top-up.ts'
import { subjectLabel } from '#lib/domain/subject.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { systemClock } from '../clock.ts'
import { writeAtomic } from '../store/write-atomic.ts'
import { UsageError } from './cli-error.ts'
import { type LazyGate, openSuite } from './open-suite.ts'
import { answer, answerJson } from './output.ts'
import { readBundle } from './read-results.ts'

export type TopUpOptions = {
  topUp: string[]
  suite?: string
  perTask?: boolean
  samples?: number
  out?: string
  json?: boolean
}

/** `proofboard plan --top-up`: freezes what these results lack, or says in one line that nothing is missing. */
export async function planTopUpFile(options: TopUpOptions, gate: LazyGate): Promise<void> {
  const bundles = options.topUp.map(readBundle)
  const { suite } = await openSuite(options.suite ?? suiteOf(bundles), gate)
  const result = askTopUp(bundles, suite, goalOf(options))
  if (!result.ok) {
    const { code, reason } = result.refusal
    if (code !== 'nothing-missing' && code !== 'not-about-samples') throw new UsageError(reason)
    if (options.json) answerJson({ episodes: 0, planPath: null, plan: null, code, reason })
    else answer(reason)
    return
  }
  const plan = freezePlan(result.draft, { now: systemClock.now() })
  const planPath = resolve(options.out ?? 'plan.json')
  await writeAtomic(planPath, `${JSON.stringify(plan, null, 2)}\n`)
  const { needs, unmended } = result
  const { planDigest } = plan
  const episodes = countSlots(plan)
  if (options.json) answerJson({ planDigest, planPath, episodes, needs, unmended, plan })
  else answer(topUpText(plan, planPath, result))
}

function goalOf({ perTask, samples }: TopUpOptions): TopUpGoal {
  if (perTask && samples !== undefined)
    throw new UsageError('use --per-task or --samples, not both')
  if (samples !== undefined) return { kind: 'samples', samples }
  return { kind: perTask ? 'per-task' : 'aggregate' }
}

function suiteOf(bundles: readonly Bundle[]): string {
  const suiteIds = [...new Set(bundles.map(({ plan }) => plan.suiteId))]
  const [suiteId = '', another] = suiteIds
  if (another === undefined) return suiteId
  throw new UsageError(
    `these results are of several suites (${suiteIds.join(', ')}): top up one entry`,
  )
}

function askTopUp(bundles: readonly Bundle[], suite: Suite, goal: TopUpGoal): TopUp {
  if (bundles.some(({ plan }) => plan.suiteDigest !== suite.digest))
    return { ok: false, refusal: SUITE_CHANGED }
  const board: BuildBoardInput = {
    suite,
    facts: bundles.flatMap(({ episodes }) => episodes.map((one) => episodeFact(one, 'local'))),
    runs: bundles.map(({ runId, plan, shard }) => ({ runId, plan, shard })),
  }
  const groups = buildRowGroups(board)
  const [row] = groups
  if (!row) throw new UsageError('these results contain no episodes yet: run their plan first')
  if (groups.length > 1) {
    const labels = groups.map(({ identity }) => subjectLabel(identity.subject))
    throw new UsageError(
      `these results belong to ${groups.length} entries (${labels.slice(0, 3).join('; ')}), with different subjects or settings: top up one entry`,
    )
  }
  return planTopUp(board, row.rowId, goal)
}

function topUpText(plan: FrozenPlan, planPath: string, { needs, unmended }: TopUpDraft): string {
  const replaced = needs.reduce((sum, { holes }) => sum + holes, 0)
  const stays = unmended.map(({ code, reason }) => `still unranked, ${code}: ${reason}`)
  return [
    `${countSlots(plan)} episodes on ${plan.tasks.length} of ${needs.length} tasks (${replaced} in place of void, cancelled or missing ones), frozen as ${plan.planDigest}`,
    ...stays,
    planPath,
  ].join('\n')
}
