import type { EpisodeFact } from '../../board/episode-fact.ts'
import { isScored } from '../../outcome.ts'
import { findVoidFlip } from '../../statistics/find-void-flip.ts'
import { tallyTasks } from '../../statistics/tally-tasks.ts'
import type { GateCase, PlannedSlot } from '../eligibility-context.ts'
import { countOf, listNames } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** What was planned was run, and what broke on the way could not have changed the answer. */
export const completeRule: Rule = {
  code: 'complete',
  fromSeed: false,
  demand: ({ thresholds }) =>
    `Every planned episode is there; at most ${percent(thresholds.voidShare)} are void, and no verdict against another ` +
    'claim changes when all void ones are read as failed or as solved.',
  check: (gate) => missingComplaint(gate) ?? voidComplaint(gate) ?? flipComplaint(gate),
}

function missingComplaint({ facts, context }: GateCase): Complaint | null {
  const there = new Set(facts.filter((fact) => fact.status !== 'cancelled').map(key))
  const missing = context.planned.filter((slot) => !there.has(key(slot)))
  if (missing.length === 0) return null
  return {
    reason: `${missing.length} of ${context.planned.length} planned episodes are missing or cancelled (tasks: ${listNames(missing.map((slot) => slot.taskId))}).`,
    remedy: 'Let the run finish, or resume it.',
  }
}

function key({ runId, taskId, repetition }: PlannedSlot | EpisodeFact): string {
  return `${runId}/${taskId}/${repetition}`
}

function voidComplaint({ facts, context }: GateCase): Complaint | null {
  const voids = facts.filter((fact) => fact.status === 'void').length
  const ended = voids + facts.filter((fact) => isScored(fact.status)).length
  const { voidShare } = context.policy.thresholds
  if (voids <= voidShare * ended) return null
  return {
    reason: `${countOf(voids, 'episode')} of ${ended} (${percent(voids / ended)}) ended void; at most ${percent(voidShare)} may.`,
    remedy: 'Resume the run so that the void episodes are tried again.',
  }
}

function flipComplaint({ facts, context }: GateCase): Complaint | null {
  // Those that were tried again are read the same way: what replaced them may only have had better luck.
  const replaced = context.replacedVoids.map(({ taskId }) => ({ taskId, status: 'void' as const }))
  const all = [...facts, ...replaced]
  if (!all.some(({ status }) => status === 'void')) return null
  const rival = findVoidFlip(tallyTasks(all), context.rivals)
  if (!rival) return null
  return {
    reason: `The void episodes are enough to change the verdict against ${rival.label}.`,
    remedy: 'Resume the run so that the void episodes are tried again.',
  }
}

/** `5 %`, with as many decimals as it has, two at most. */
function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))} %`
}
