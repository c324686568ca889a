declare const brand: unique symbol

export type Cents = number & { readonly [brand]: 'Cents' }

export function cents(value: number | bigint): Cents {
  const amount = Number(value)
  const isSafe = typeof value === 'bigint' ? true : Number.isSafeInteger(value)
  if (!isSafe || !Number.isSafeInteger(amount)) {
    throw new RangeError(`Not a safe integer: ${value}`)
  }
  // Negative zero becomes zero.
  return (amount + 0) as Cents
}

export function allocate(total: Cents, ratios: readonly number[]): Cents[] {
  const weights = Array.from(ratios, (ratio) => {
    if (!Number.isSafeInteger(ratio) || ratio < 0) {
      throw new RangeError(`Not a ratio: ${ratio}`)
    }
    return BigInt(ratio)
  })
  const sum = weights.reduce((a, b) => a + b, 0n)
  if (sum === 0n) throw new RangeError('The sum of the ratios must be greater than zero')

  const amount = BigInt(total)
  const size = amount < 0n ? -amount : amount
  const parts = weights.map((weight, index) => {
    const product = size * weight
    return { index, whole: product / sum, lost: product % sum }
  })

  let left = size - parts.reduce((given, { whole }) => given + whole, 0n)
  const byLoss = [...parts].sort((a, b) =>
    a.lost === b.lost ? a.index - b.index : a.lost > b.lost ? -1 : 1,
  )
  for (const part of byLoss) {
    if (left === 0n) break
    part.whole += 1n
    left -= 1n
  }
  return parts.map(({ whole }) => cents(amount < 0n ? -whole : whole))
}
