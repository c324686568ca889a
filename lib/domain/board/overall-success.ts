import { type EpisodeFact, inParts, isScored } from '../record/index.ts'
import type { BoardRow } from './board-row.ts'

/** Counts the scored episodes with `overallSuccess`. */
export function overallOf(counted: readonly EpisodeFact[]): BoardRow['overall'] {
  const sum = { succeeded: 0, unknown: 0, scored: 0 }
  for (const part of overallParts(counted)) {
    sum.succeeded += part.succeeded
    sum.unknown += part.unknown
    sum.scored += part.scored
  }
  return sum
}

const overallParts = inParts((facts: readonly EpisodeFact[]) => {
  const solved = facts.filter(({ status }) => status === 'solved')
  return {
    succeeded: solved.filter(({ agentExit }) => agentExit === undefined).length,
    unknown: solved.filter(({ agentExit }) => agentExit === 'unknown').length,
    scored: facts.filter(({ status }) => isScored(status)).length,
  }
})
