declare const centsBrand: unique symbol

export type Cents = number & { readonly [centsBrand]: 'Cents' }

export function cents(value: number | bigint): Cents {
  const amount = Number(value)
  if (!Number.isSafeInteger(amount)) {
    throw new RangeError(`Not a whole, safe number of cents: ${value}`)
  }
  return amount as Cents
}

interface Share {
  readonly position: number
  readonly whole: bigint
  /** What was cut off, in units of one cent divided by the sum of the ratios. */
  readonly lost: bigint
}

export function allocate(total: Cents, ratios: readonly number[]): Cents[] {
  const weights = ratios.map(toWeight)
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0n)
  if (weightSum === 0n) throw new RangeError('The ratios must add up to more than zero')

  const sign = BigInt(Math.sign(total))
  const amount = BigInt(total) * sign

  const shares = weights.map((weight, position): Share => {
    const product = amount * weight
    return { position, whole: product / weightSum, lost: product % weightSum }
  })

  const handedOut = shares.reduce((sum, share) => sum + share.whole, 0n)
  const leftOver = Number(amount - handedOut)
  const lucky = new Set(
    [...shares]
      .sort(byLargestLoss)
      .slice(0, leftOver)
      .map((share) => share.position),
  )

  return shares.map(({ whole, position }) =>
    cents((lucky.has(position) ? whole + 1n : whole) * sign),
  )
}

function toWeight(ratio: number): bigint {
  if (!Number.isSafeInteger(ratio) || ratio < 0) {
    throw new RangeError(`A ratio must be a whole number that is not negative: ${ratio}`)
  }
  return BigInt(ratio)
}

/** Sorting is stable: of equal losses the first stays first. */
function byLargestLoss(a: Share, b: Share): number {
  return Number(b.lost - a.lost)
}
