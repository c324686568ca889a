import type { Random, Scenario } from '../../../held-out.ts'
import { allocate, cents } from '../money-allocator.ts'

const MOST = Number.MAX_SAFE_INTEGER
const isRangeError = (error: unknown) => error instanceof RangeError

/** Amounts and ratios from nothing to the largest safe integers, refunds included. */
export const scenario: Scenario = (context) => {
  const { random, record, attempt } = context
  for (let round = 0; round < 220; round++) {
    const [amount, ratios] = random.chance(0.25)
      ? equalFractions(random)
      : [someAmount(random), someRatios(random)]
    const given = [...ratios]
    const total = cents(random.chance(0.2) ? BigInt(amount) : amount)
    const shares = attempt(`${amount} by ${ratios}`, () => allocate(total, given), isRangeError)
    if (!shares) continue
    const sum = shares.reduce((all, share) => all + BigInt(share), 0n)
    const isMinusZero = shares.some((share) => Object.is(share, -0))
    record('sum and signs', [sum, isMinusZero, given.join() === ratios.join()])
    if (random.chance(0.3)) record('mirrored', allocate(cents(-amount), ratios))
  }
  tryCents(context)
  rejectRatios(context)
}

const tryCents: Scenario = ({ random, attempt }) => {
  const edge = random.int(1, 1000)
  const values = [
    ...[random.int(-99, 99), someAmount(random), MOST, -MOST, MOST + edge, -MOST - edge, 2 ** 60],
    ...[edge + 0.5, edge / 1024 - 1, -0.1, MOST / 2, Number.MIN_VALUE, Number.MAX_VALUE],
    ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0],
    ...[BigInt(random.int(-99, 99)), BigInt(someAmount(random)), BigInt(MOST), -BigInt(MOST)],
    ...[BigInt(MOST) + BigInt(edge), -BigInt(MOST) - 1n, BigInt(MOST) + 1n, BigInt(edge) << 70n],
  ]
  for (const value of random.shuffle(values)) {
    attempt(`cents of ${typeof value} ${value}`, () => [cents(value)], isRangeError)
  }
}

const rejectRatios: Scenario = ({ random, attempt }) => {
  const bad = [-1, -random.int(2, 99), 0.5, random.int(1, 9) + 0.25, MOST + 1, -MOST, Number.NaN]
  for (const ratio of [...bad, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const ratios = random.shuffle([ratio, ...random.list(0, 4, () => random.int(0, 9))])
    const total = cents(random.int(-20, 20))
    attempt(`${total} by ${ratios}`, () => allocate(total, ratios), isRangeError)
  }
  const total = cents(random.int(0, 9))
  attempt('no ratios', () => allocate(total, []), isRangeError)
  const zeros = random.list(1, 5, () => 0)
  attempt('zeros only', () => allocate(total, zeros), isRangeError)
}

function someAmount(random: Random): number {
  if (random.chance(0.08)) return 0
  const most = random.pick([9, 99, 99, 1000, 100_000, 10 ** 12, MOST])
  const amount = random.chance(0.1) ? most : anyNumber(random, 0, most)
  return random.chance(0.35) ? -amount : amount
}

/** Small ratios are often equal, huge ones overflow a product and their sum. */
function someRatios(random: Random): number[] {
  const size = random.chance(0.05) ? 60 : random.pick([1, 3, 5, 8, 13])
  const most = random.pick([1, 2, 3, 7, 100, 10_000, 10 ** 9, MOST])
  const least = random.pick([0, 0, 1, most - Math.min(most, 3)])
  const ratios = random.list(1, size, () => anyNumber(random, least, most))
  return random.chance(0.2) ? ratios.map((ratio) => (random.chance(0.3) ? 0 : ratio)) : ratios
}

/** Unequal ratios that lose equal fractions: they differ by multiples of `step`. */
function equalFractions(random: Random): [amount: number, ratios: number[]] {
  const step = random.int(3, 12)
  const first = random.int(1, step - 1)
  const ratios = random.list(2, 9, () => first + step * random.int(0, 9))
  const sum = ratios.reduce((all, ratio) => all + ratio, 0)
  const last = step - (sum % step)
  const amount = ((sum + last) / step) * random.int(1, 5000)
  return [random.chance(0.2) ? -amount : amount, random.shuffle([...ratios, last])]
}

/** `random.int` alone leaves the last digits of huge numbers to 32 bits. */
function anyNumber(random: Random, least: number, most: number): number {
  const number = random.int(least, most)
  return most > 10 ** 9 ? Math.max(least, number - random.int(0, 2 ** 24)) : number
}
