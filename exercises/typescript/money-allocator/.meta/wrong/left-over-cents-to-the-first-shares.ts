// Hands the left-over cents out in the order of the ratios and ignores the lost fractions.
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
  const weightSum = ratios.reduce((sum, ratio) => sum + BigInt(ratio), 0n)
  if (weightSum === 0n) throw new RangeError('The ratios must add up to more than zero')

  const sign = total < 0 ? -1n : 1n
  const amount = BigInt(total) * sign
  const shares = ratios.map((ratio) => (amount * BigInt(ratio)) / weightSum)
  let leftOver = amount - shares.reduce((sum, share) => sum + share, 0n)

  return shares.map((share, position) => {
    if (leftOver > 0n && ratios[position] !== 0) {
      leftOver -= 1n
      return cents((share + 1n) * sign)
    }
    return cents(share * sign)
  })
}
