import { type EpisodeFact, isScored } from '../record/index.ts'
import type { BoardRow } from './board-row.ts'

/** Counts the scored episodes with `overallSuccess`. */
export function overallOf(counted: readonly EpisodeFact[]): BoardRow['overall'] {
  const solved = counted.filter(({ status }) => status === 'solved')
  return {
    succeeded: solved.filter(({ agentExit }) => agentExit === 'ok').length,
    unknown: solved.filter(({ agentExit }) => agentExit === undefined).length,
    scored: counted.filter(({ status }) => isScored(status)).length,
  }
}
