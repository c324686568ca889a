import { type Answer, answered, refused } from './answer.ts'

/**
 * Benjamini and Hochberg's adjusted p-values, in the order given: reject those at or below alpha and at most that share
 * of the rejections is false, on average. Refuses a p that is not in 0–1.
 */
export function benjaminiHochberg(p: readonly number[]): Answer<number[]> {
  if (p.some((value) => !(value >= 0 && value <= 1))) {
    return refused('not-a-number', 'A p-value does not lie between 0 and 1.')
  }
  const order = Uint32Array.from(p.keys()).sort((a, b) => (p[b] as number) - (p[a] as number))
  const adjusted = new Array<number>(p.length).fill(1)
  let least = 1
  order.forEach((index, position) => {
    const rank = p.length - position
    least = Math.min(least, ((p[index] as number) * p.length) / rank)
    adjusted[index] = least
  })
  return answered(adjusted)
}
