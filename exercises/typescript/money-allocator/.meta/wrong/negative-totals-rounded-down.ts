// Rounds every share towards minus infinity, so a refund is not the mirror image of a charge.
declare const centsBrand: unique symbol

export type Cents = number & { readonly [centsBrand]: 'Cents' }

export function cents(value: number | bigint): Cents {
  const amount = Number(value)
  if (!Number.isSafeInteger(amount)) throw new RangeError('Not a safe integer')
  return amount as Cents
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}

export function allocate(total: Cents, ratios: readonly number[]): Cents[] {
  if (ratios.some((ratio) => !Number.isSafeInteger(ratio) || ratio < 0)) {
    throw new RangeError('A ratio must be a non-negative safe integer')
  }
  const weights = ratios.map(BigInt)
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0n)
  if (weightSum === 0n) throw new RangeError('The ratios must add up to more than zero')

  const amount = BigInt(total)
  const shares = weights.map((weight) => floorDivide(amount * weight, weightSum))
  const losses = weights.map((weight, i) => amount * weight - shares[i] * weightSum)
  const leftOver = Number(amount - shares.reduce((sum, share) => sum + share, 0n))

  const order = weights.map((_, i) => i)
  order.sort((a, b) => (losses[a] === losses[b] ? a - b : losses[a] > losses[b] ? -1 : 1))
  for (const i of order.slice(0, leftOver)) shares[i] += 1n
  return shares.map(cents)
}
