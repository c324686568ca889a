/** Up to this many differing tasks every one of the 2^20 patterns is looked at. */
export const MOST_ENUMERATED_TASKS = 20

const TIE = 1e-11

/**
 * Exact two-sided sign-flip p of Σd_i over all 2^n patterns, walked in Gray-code order: one sign changes a step.
 * The first sign stays, by symmetry. At most 20 non-zero differences; for those that fit no common step.
 */
export function enumeratedSignFlip(differences: readonly number[]): number {
  const values = differences.filter((value) => value !== 0)
  const observed = Math.abs(values.reduce((sum, value) => sum + value, 0))
  if (observed <= TIE) return 1
  const signs = values.map(() => 1)
  let sum = values.reduce((total, value) => total + value, 0)
  const patterns = 2 ** (values.length - 1)
  let extreme = 1
  for (let step = 1; step < patterns; step++) {
    const flip = 1 + trailingZeros(step)
    sum -= 2 * (signs[flip] as number) * (values[flip] as number)
    signs[flip] = -(signs[flip] as number)
    if (Math.abs(sum) >= observed - TIE) extreme++
  }
  return extreme / patterns
}

function trailingZeros(step: number): number {
  return 31 - Math.clz32(step & -step)
}
