declare const centsBrand: unique symbol

export type Cents = number & { readonly [centsBrand]: 'Cents' }

export function cents(value: number | bigint): Cents {
  // A bigint that is too large may be rounded by the conversion, but never into the safe range.
  const amount = typeof value === 'bigint' ? Number(value) : value
  if (!Number.isSafeInteger(amount)) {
    throw new RangeError(`Not a safe number of cents: ${value}`)
  }
  return (amount === 0 ? 0 : amount) as Cents
}

export function allocate(total: Cents, ratios: readonly number[]): Cents[] {
  const amount = BigInt(cents(total))
  const sizes = Array.from(ratios, ratioSize)
  const sum = sizes.reduce((left, right) => left + right, 0n)
  if (sum === 0n) throw new RangeError('The sum of the ratios must be greater than zero')

  return amount < 0n
    ? sharesOf(-amount, sizes, sum).map((share) => cents(-share))
    : sharesOf(amount, sizes, sum).map(cents)
}

function ratioSize(ratio: number): bigint {
  if (!Number.isSafeInteger(ratio) || ratio < 0) {
    throw new RangeError(`A ratio must be a safe integer that is not negative, not ${ratio}`)
  }
  return BigInt(ratio)
}

/** All exact shares have the same denominator, `sum`, so that their fractions are as large as the remainders. */
function sharesOf(amount: bigint, sizes: readonly bigint[], sum: bigint): bigint[] {
  const cut = sizes.map((size) => ({
    whole: (amount * size) / sum,
    remainder: (amount * size) % sum,
  }))
  const left = cut.reduce((rest, { whole }) => rest - whole, amount)
  const favoured = new Set(
    [...cut.keys()]
      .sort((first, second) => descending(cut[first].remainder, cut[second].remainder))
      .slice(0, Number(left)),
  )
  return cut.map(({ whole }, index) => (favoured.has(index) ? whole + 1n : whole))
}

function descending(left: bigint, right: bigint): number {
  return left > right ? -1 : left < right ? 1 : 0
}
