/**
 * The possible interim analyses of a row. `stages`: consecutive plans whose episodes add up to the row; 1 = as planned.
 * `states`: planned episodes of the last plan while it is unfinished, each a chance to look and to stop; 1 = finished.
 */
export type Looks = { stages: number; states: number }

/** One finished plan: its size was fixed before the first episode, so it has no interim analysis. */
export const PLANNED: Looks = { stages: 1, states: 1 }

/**
 * Returns the correction for interim analyses: p-values are multiplied by it and levels divided. 1 for a row that was
 * measured as planned. Alpha is spent over the further looks (Lan and DeMets 1983; here look k gets alpha / (k (k +
 * 1))), and within an unfinished stage evenly over its episodes. Over endless top-ups that adds at most half of alpha
 * to the first plan's (Boole); since looks at the same tasks are correlated, it adds much less: `simulateLooks`
 * measures the probability that any look errs.
 */
export function lookPrice({ stages, states }: Looks): number {
  return stages === 1 && states === 1 ? 1 : stages * (stages + 1) * states
}

/** The interim analyses of a pair: one for each stage of either row and each episode of an unfinished one. */
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

/** Returns the correction for a pair once a further plan of each row has added samples to what was looked at before. */
export function furtherPrice(a: Looks = PLANNED, b: Looks = PLANNED): number {
  const [left, right] = [a, b].map(({ stages }) => ({ stages: stages + 1, states: 1 }))
  return lookPrice(pairLooks(left, right))
}
