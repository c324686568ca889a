import { boundedDifference } from './bounded-difference.ts'
import type { TestAt } from './difference-test.ts'
import { exactMcNemar } from './exact-mcnemar.ts'
import type { TaskPair } from './pair-tasks.ts'

/** How the test was made, in words; numbers may be letters where no rows are meant. */
export function mcNemarMethod(discordant: number | string, tasks: number | string): string {
  return `exact McNemar on ${discordant} discordant of ${tasks} tasks`
}

/**
 * Exact McNemar test of one repetition per task, with its interval (`boundedDifference`), which inverts that very test
 * for differences of -1, 0 and 1: no bound within zero is needed.
 */
export function mcNemarDifference(pairs: readonly TaskPair[]): TestAt {
  const differences = pairs.map(({ a, b }) => a.solved - b.solved)
  const aOnly = differences.filter((value) => value > 0).length
  const bOnly = differences.filter((value) => value < 0).length
  const tested = exactMcNemar(aOnly, bOnly)
  const facts = {
    difference: (aOnly - bOnly) / pairs.length,
    p: tested.ok ? tested.value.exactP : 1,
    method: mcNemarMethod(aOnly + bOnly, pairs.length),
    seed: null,
  }
  return (alpha) => ({
    ...facts,
    ...boundedDifference({ differences, p: facts.p, alpha, tested: () => ({ low: 0, high: 0 }) }),
  })
}
