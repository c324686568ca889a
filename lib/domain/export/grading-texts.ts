import { gradingFact } from '../board/grading-fact.ts'
import type { Verifier } from '../environment.ts'
import type { Episode } from '../episode.ts'

type Result = 'passed' | 'failed'

/** Both results of grading in the words of every format, and what graded. `none` = the task has visible tests only. */
export type GradingTexts = {
  visibleTests: Result
  heldOut: Result | 'none'
  verifier: Verifier | null
}

/** Null = no solution was graded by tests. */
export function gradingTexts(episode: Episode): GradingTexts | null {
  const grading = gradingFact(episode)
  if (!grading) return null
  const { visible, heldOut, verifier } = grading
  return {
    visibleTests: toResult(visible),
    heldOut: heldOut === null ? 'none' : toResult(heldOut),
    verifier,
  }
}

function toResult(isPassed: boolean): Result {
  return isPassed ? 'passed' : 'failed'
}
