import { type Answer, answered, refused } from './answer.ts'
import { scoredTasks, type TaskTally } from './task-tally.ts'

/** pass@k: at least one of k tries succeeds; pass^k: all of k tries succeed. Chances, 0–1. */
export type PassK = { passAtK: number; passHatK: number }

const MOST_TRIES = 1e6

/**
 * Unbiased estimates from c successes in n tries of one task: 1 - C(n-c,k)/C(n,k) and C(c,k)/C(n,k), by products
 * (Chen et al. 2021; Yao et al. 2024). Refuses k > n, k < 1, and counts that are no counts.
 */
export function passK(n: number, c: number, k: number): Answer<PassK> {
  if ([n, c, k].some(Number.isNaN)) return refused('not-a-number', 'A count is not a number.')
  if (![n, c, k].every(Number.isSafeInteger) || c < 0 || c > n || n > MOST_TRIES) {
    return refused('count-out-of-range', `${c} successes in ${n} tries cannot be.`)
  }
  if (k < 1) return refused('k-out-of-range', 'k is at least 1.')
  if (k > n) return refused('k-exceeds-n', `k = ${k} needs ${k} tries, there are ${n}.`)
  return answered({ passAtK: 1 - chooseRatio(n - c, n, k), passHatK: chooseRatio(c, n, k) })
}

/** Mean of `passK` over tasks with scored episodes. Refuses when any of them has fewer than k. */
export function meanPassK(
  tallies: readonly TaskTally[],
  k: number,
): Answer<PassK & { tasks: number }> {
  const found = scoredTasks(tallies)
  if (!found.ok) return found
  const sum = { passAtK: 0, passHatK: 0 }
  for (const { taskId, solved, scored } of found.value) {
    const each = passK(scored, solved, k)
    if (!each.ok) return refused(each.refusal.code, `Task ${taskId}: ${each.refusal.reason}`)
    sum.passAtK += each.value.passAtK
    sum.passHatK += each.value.passHatK
  }
  const tasks = found.value.length
  return answered({ passAtK: sum.passAtK / tasks, passHatK: sum.passHatK / tasks, tasks })
}

/** C(m,k) / C(n,k) for m ≤ n. */
function chooseRatio(m: number, n: number, k: number): number {
  if (k > m) return 0
  let ratio = 1
  for (let index = 0; index < k; index++) ratio *= (m - index) / (n - index)
  return ratio
}
