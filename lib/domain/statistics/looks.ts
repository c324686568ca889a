/**
 * How often a row's numbers could be looked at before they were what they are. `stages`: plans whose episodes add up to
 * the row, one after the other; 1 = as planned. `states`: planned episodes of the last of them while it is unfinished,
 * each a chance to look and to stop; 1 = it is finished.
 */
export type Looks = { stages: number; states: number }

/** One plan, finished: the number of episodes was fixed before the first one, and looking earlier changed nothing. */
export const PLANNED: Looks = { stages: 1, states: 1 }

/**
 * What one look costs: p-values are multiplied by it and levels divided. Alpha is spent over the looks (Lan and DeMets
 * 1983; here look k gets alpha / (k (k + 1)), whose sum over endless looks is alpha), and within an unfinished stage
 * evenly over its episodes. By Boole's inequality the chance that any look errs stays below alpha, whenever someone
 * stops, and however the looks depend on each other. 1 for a row that was measured as planned.
 */
export function lookPrice({ stages, states }: Looks): number {
  return stages === 1 && states === 1 ? 1 : stages * (stages + 1) * states
}

/** The looks at a pair: each stage of either row is one more, and so is each episode of an unfinished one. */
export function pairLooks(a: Looks = PLANNED, b: Looks = PLANNED): Looks {
  const unfinished = [a, b].filter(({ states }) => states > 1)
  return {
    stages: a.stages + b.stages - 1,
    states: Math.max(
      1,
      unfinished.reduce((sum, { states }) => sum + states, 0),
    ),
  }
}
