// Computes the shares in floating point, so large amounts and equal fractions are rounded.
declare const centsBrand: unique symbol

export type Cents = number & { readonly [centsBrand]: 'Cents' }

export function cents(value: number | bigint): Cents {
  const amount = Number(value)
  if (!Number.isSafeInteger(amount)) throw new RangeError('Not a safe integer')
  return amount as Cents
}

export function allocate(total: Cents, ratios: readonly number[]): Cents[] {
  if (ratios.some((ratio) => !Number.isSafeInteger(ratio) || ratio < 0)) {
    throw new RangeError('A ratio must be a non-negative safe integer')
  }
  const ratioSum = ratios.reduce((sum, ratio) => sum + ratio, 0)
  if (ratioSum === 0) throw new RangeError('The ratios must add up to more than zero')

  const sign = total < 0 ? -1 : 1
  const amount = Math.abs(total)
  const exact = ratios.map((ratio) => (amount * ratio) / ratioSum)
  const shares = exact.map(Math.floor)
  const leftOver = amount - shares.reduce((sum, share) => sum + share, 0)

  const order = ratios.map((_, i) => i)
  order.sort((a, b) => exact[b] - shares[b] - (exact[a] - shares[a]) || a - b)
  for (const i of order.slice(0, leftOver)) shares[i] += 1
  return shares.map((share) => cents(share === 0 ? 0 : share * sign))
}
