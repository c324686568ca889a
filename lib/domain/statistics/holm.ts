import { type Answer, answered, refused } from './answer.ts'

/**
 * Holm's adjusted p-values (1979), in the order given: reject those at or below alpha, and the chance of even one false
 * rejection is at most alpha, whichever of the hypotheses are true (family-wise error in the strong sense), however the
 * tests depend on each other. Refuses a p that is not in 0–1.
 */
export function holm(p: readonly number[]): Answer<number[]> {
  if (p.some((value) => !(value >= 0 && value <= 1))) {
    return refused('not-a-number', 'A p-value does not lie between 0 and 1.')
  }
  const order = Uint32Array.from(p.keys()).sort((a, b) => (p[a] as number) - (p[b] as number))
  const adjusted = new Array<number>(p.length).fill(1)
  let most = 0
  order.forEach((index, position) => {
    most = Math.max(most, Math.min(1, (p[index] as number) * (p.length - position)))
    adjusted[index] = most
  })
  return answered(adjusted)
}
