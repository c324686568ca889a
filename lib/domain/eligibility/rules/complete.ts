import type { EpisodeFact } from '../../board/episode-fact.ts'
import { isScored } from '../../outcome.ts'
import { findVoidFlip } from '../../statistics/find-void-flip.ts'
import { tallyTasks } from '../../statistics/tally-tasks.ts'
import type { GateCase, PlannedSlot } from '../eligibility-context.ts'
import { countOf, listNames } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** All planned episodes ran, and excluded ones cannot change a verdict. */
export const completeRule: Rule = {
  code: 'complete',
  fromSeed: false,
  demand: ({ thresholds }) =>
    `Every planned episode is present, at most ${percent(thresholds.voidShare)} are excluded from scoring, and counting those as failed or as solved changes no verdict against another ranked entry.`,
  check: (gate) => missingComplaint(gate) ?? voidComplaint(gate) ?? flipComplaint(gate),
}

function missingComplaint({ facts, context }: GateCase): Complaint | null {
  const there = new Set(facts.filter((fact) => fact.status !== 'cancelled').map(key))
  const missing = context.planned.filter((slot) => !there.has(key(slot)))
  if (missing.length === 0) return null
  return {
    reason: `${missing.length} of ${context.planned.length} planned episodes are missing or cancelled (tasks: ${listNames(missing.map((slot) => slot.taskId))}).`,
    remedy: 'Wait for the run to finish, or resume it.',
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
    reason: `${countOf(voids, 'episode')} of ${ended} (${percent(voids / ended)}) were excluded from scoring; the limit is ${percent(voidShare)}.`,
    remedy: 'Resume the run to retry the excluded episodes.',
  }
}

function flipComplaint({ facts, context }: GateCase): Complaint | null {
  // Retried attempts count too: a retry may have succeeded by chance.
  const replaced = context.replacedVoids.map(({ taskId }) => ({ taskId, status: 'void' as const }))
  const all = [...facts, ...replaced]
  if (!all.some(({ status }) => status === 'void')) return null
  const rival = findVoidFlip(tallyTasks(all), context.rivals)
  if (!rival) return null
  return {
    reason: `The excluded episodes could change the verdict against ${rival.label}.`,
    remedy: 'Resume the run to retry the excluded episodes.',
  }
}

/** `5 %`, with as many decimals as it has, two at most. */
function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))} %`
}
