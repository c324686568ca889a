import { resolve } from 'node:path'
import { type BuildBoardInput, buildRowGroups } from '#lib/domain/board/index.ts'
import {
  planTopUp,
  SUITE_CHANGED,
  type TopUp,
  type TopUpDraft,
  type TopUpGoal,
} from '#lib/domain/planner/index.ts'
import {
  type Bundle,
  countSlots,
  episodeFact,
  freezePlan,
  type Plan,
  subjectLabel,
} from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { systemClock } from '../engine/clock.ts'
import { writeAtomic } from '../engine/files.ts'
import { usageError } from '../runner-error.ts'
import { type LazyVerifier, openSuite } from './open-suite.ts'
import { printJsonResult, printResult } from './output.ts'
import { readBundle } from './read-files.ts'

export type TopUpOptions = {
  topUp: string[]
  suite?: string
  perTask?: boolean
  samples?: number
  out?: string
  json?: boolean
}

/** `proofboard plan --top-up`: freezes the missing episodes of these results, or prints that nothing is missing. */
export async function planTopUpFile(options: TopUpOptions, verifier: LazyVerifier): Promise<void> {
  const bundles = options.topUp.map(readBundle)
  const { suite } = await openSuite(options.suite ?? suiteOf(bundles), verifier)
  const result = askTopUp(bundles, suite, goalOf(options))
  if (!result.ok) {
    const { code, reason } = result.refusal
    if (code !== 'nothing-missing' && code !== 'not-about-samples') throw usageError(reason)
    if (options.json) printJsonResult({ episodes: 0, planPath: null, plan: null, code, reason })
    else printResult(reason)
    return
  }
  const plan = freezePlan(result.draft, { now: systemClock.now() })
  const planPath = resolve(options.out ?? 'plan.json')
  await writeAtomic(planPath, `${JSON.stringify(plan, null, 2)}\n`)
  const { needs, unmended } = result
  const { planDigest } = plan
  const episodes = countSlots(plan)
  if (options.json) printJsonResult({ planDigest, planPath, episodes, needs, unmended, plan })
  else printResult(topUpText(plan, planPath, result))
}

function goalOf({ perTask, samples }: TopUpOptions): TopUpGoal {
  if (perTask && samples !== undefined) throw usageError('use --per-task or --samples, not both')
  if (samples !== undefined) return { kind: 'samples', samples }
  return { kind: perTask ? 'per-task' : 'aggregate' }
}

function suiteOf(bundles: readonly Bundle[]): string {
  const suiteIds = [...new Set(bundles.map(({ plan }) => plan.suiteId))]
  const [suiteId = '', another] = suiteIds
  if (another === undefined) return suiteId
  throw usageError(`these results are of several suites (${suiteIds.join(', ')}): top up one entry`)
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
  if (!row) throw usageError('these results contain no episodes yet: run their plan first')
  if (groups.length > 1) {
    const labels = groups.map(({ identity }) => subjectLabel(identity.subject))
    throw usageError(
      `these results belong to ${countOf(groups.length, 'entry')} (${labels.slice(0, 3).join('; ')}), with different subjects or settings: top up one entry`,
    )
  }
  return planTopUp(board, row.rowId, goal)
}

function topUpText(plan: Plan, planPath: string, { needs, unmended }: TopUpDraft): string {
  const replaced = needs.reduce((sum, { holes }) => sum + holes, 0)
  const stays = unmended.map(({ code, reason }) => `still unranked, ${code}: ${reason}`)
  return [
    `${countOf(countSlots(plan), 'episode')} on ${plan.tasks.length} of ${countOf(needs.length, 'task')} (${replaced} in place of void, cancelled or missing ones), frozen as ${plan.planDigest}`,
    ...stays,
    planPath,
  ].join('\n')
}
