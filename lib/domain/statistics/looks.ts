/**
 * The possible interim analyses of a row. `stages`: consecutive plans whose episodes add up to the row; 1 = as planned.
 * `states`: planned episodes of the last plan while it is unfinished, each a chance to look and to stop; 1 = finished.
 * `planned`: looks that the plan of this digest registered, at each of which it may stop; absent = none.
 */
export type Looks = {
  stages: number
  states: number
  planned?: { looks: number; plan: string } | undefined
}

/** One finished plan: its size was fixed before the first episode, so it has no interim analysis. */
export const PLANNED: Looks = { stages: 1, states: 1 }

/**
 * Returns the correction for interim analyses: p-values are multiplied by it and levels divided. 1 for a row that was
 * measured as planned. Alpha is spent over the further looks (Lan and DeMets 1983; here look k gets alpha / (k (k +
 * 1))), and within an unfinished stage evenly over its episodes. Over endless top-ups that adds at most half of alpha
 * to the first plan's (Boole); since looks at the same tasks are correlated, it adds much less: `simulateLooks`
 * measures the probability that any look errs. Registered looks share the level evenly.
 */
export function lookPrice({ stages, states, planned }: Looks): number {
  const further = stages === 1 && states === 1 ? 1 : stages * (stages + 1) * states
  return further * (planned?.looks ?? 1)
}

/** The interim analyses of a pair: one for each stage of either row and each episode of an unfinished one. */
export function pairLooks(a: Looks = PLANNED, b: Looks = PLANNED): Looks {
  const unfinished = [a, b].filter(({ states }) => states > 1)
  return {
    planned: pairPlanned(a.planned, b.planned),
    stages: a.stages + b.stages - 1,
    states: Math.max(
      1,
      unfinished.reduce((sum, { states }) => sum + states, 0),
    ),
  }
}

/** Two sides of one plan are looked at together; looks of two plans follow each other. */
function pairPlanned(a: Looks['planned'], b: Looks['planned']): Looks['planned'] {
  if (a === undefined || b === undefined || a.plan === b.plan) return a ?? b
  return { looks: a.looks + b.looks - 1, plan: `${a.plan} ${b.plan}` }
}

/** Returns the correction for a pair once a further plan of each row has added samples to what was looked at before. */
export function furtherPrice(a: Looks = PLANNED, b: Looks = PLANNED): number {
  const [left, right] = [a, b].map(({ stages, planned }) => ({
    stages: stages + 1,
    states: 1,
    planned,
  }))
  return lookPrice(pairLooks(left, right))
}
