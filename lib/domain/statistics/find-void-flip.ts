import { mergeTasks } from './pair-tasks.ts'
import type { SignPatterns } from './random-sign-flip.ts'
import { rankingSigns, signFlipTest } from './sign-flip-test.ts'
import { scoredTasks, type TaskTally } from './task-tally.ts'
import { readVoids, type VoidReading } from './void-sensitivity.ts'

/** 1 better, -1 worse, 0 not separable. */
type Direction = -1 | 0 | 1

/** A reading that adds failures cannot make a worse row better, nor one that adds successes a better row worse. */
const READINGS: Record<Direction, readonly VoidReading[]> = {
  1: ['allFailed'],
  0: ['allFailed', 'allSolved'],
  [-1]: ['allSolved'],
}

/**
 * The first of some rivals against which a row's verdict turns out differently when its void episodes are read as all
 * failed or as all solved; null when there is none. Rivals are taken at their scored episodes.
 */
export function findVoidFlip<Rival extends { tallies: readonly TaskTally[] }>(
  own: readonly TaskTally[],
  rivals: readonly Rival[],
  alpha = 0.05,
): Rival | null {
  const signs = rankingSigns()
  const rows = {
    excluded: scored(readVoids(own, 'excluded')),
    allFailed: scored(readVoids(own, 'allFailed')),
    allSolved: scored(readVoids(own, 'allSolved')),
  }
  const isFlipped = ({ tallies }: Rival) => {
    const other = scored(readVoids(tallies, 'excluded'))
    const plain = direction(rows.excluded, other, alpha, signs)
    return READINGS[plain].some(
      (reading) => direction(rows[reading], other, alpha, signs) !== plain,
    )
  }
  return rivals.find(isFlipped) ?? null
}

function scored(tallies: readonly TaskTally[]): readonly TaskTally[] {
  const tasks = scoredTasks(tallies)
  return tasks.ok ? tasks.value : []
}

function direction(
  a: readonly TaskTally[],
  b: readonly TaskTally[],
  alpha: number,
  signs: SignPatterns,
): Direction {
  const pairs = mergeTasks(a, b)
  if (pairs.length === 0 || signFlipTest(pairs, signs).p > alpha) return 0
  const sum = pairs.reduce(
    (total, pair) => total + pair.a.solved / pair.a.scored - pair.b.solved / pair.b.scored,
    0,
  )
  return sum > 0 ? 1 : -1
}
