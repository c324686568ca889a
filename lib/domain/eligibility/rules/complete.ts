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
  demand:
    'Every planned episode is there; at most 5 % are void, and no verdict against another claim changes whether all ' +
    'void ones had failed or been solved.',
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
  const percent = ((100 * voids) / ended).toFixed(1)
  return {
    reason: `${countOf(voids, 'episode')} of ${ended} (${percent} %) ended void; at most ${Number((100 * voidShare).toFixed(2))} % may.`,
    remedy: 'Resume the run so that the void episodes are tried again.',
  }
}

function flipComplaint({ facts, context }: GateCase): Complaint | null {
  if (!facts.some((fact) => fact.status === 'void')) return null
  const own = tallyTasks(facts)
  const rival = context.rivals.find(({ tallies }) => findVoidFlip(own, tallies) !== null)
  if (!rival) return null
  return {
    reason: `The void episodes are enough to change the verdict against ${rival.label}.`,
    remedy: 'Resume the run so that the void episodes are tried again.',
  }
}
