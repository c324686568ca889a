import { describe, it, expect } from '@jest/globals'
import { allocate, cents, type Cents } from './money-allocator.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

const sum = (shares: readonly number[]): bigint =>
  shares.reduce((total, share) => total + BigInt(share), 0n)

describe('cents', () => {
  it('keeps the value of a whole number', () => {
    expect(cents(1999)).toBe(1999)
    expect(cents(0)).toBe(0)
    expect(cents(-5)).toBe(-5)
  })

  it('turns a bigint into a number', () => {
    expect(cents(250n)).toBe(250)
    expect(cents(BigInt(Number.MIN_SAFE_INTEGER))).toBe(Number.MIN_SAFE_INTEGER)
  })

  it('refuses fractions and numbers that are not finite', () => {
    expect(() => cents(0.5)).toThrow(RangeError)
    expect(() => cents(Number.NaN)).toThrow(RangeError)
    expect(() => cents(Number.POSITIVE_INFINITY)).toThrow(RangeError)
  })

  it('refuses what no longer fits into a safe integer', () => {
    expect(() => cents(Number.MAX_SAFE_INTEGER + 1)).toThrow(RangeError)
    expect(() => cents(9007199254740993n)).toThrow(RangeError)
    expect(() => cents(-9007199254740992n)).toThrow(RangeError)
  })
})

describe('allocate', () => {
  it('divides an amount that comes out even', () => {
    expect(allocate(cents(1000), [7, 2, 1])).toEqual([700, 200, 100])
  })

  it('gives the left-over cent to the first of equal shares', () => {
    expect(allocate(cents(100), [1, 1, 1])).toEqual([34, 33, 33])
    expect(allocate(cents(5), [3, 3, 3, 3])).toEqual([2, 1, 1, 1])
  })

  it('gives the left-over cent to the largest fraction, wherever it stands', () => {
    expect(allocate(cents(100), [1, 1, 4])).toEqual([17, 17, 66])
    expect(allocate(cents(10), [4, 1, 2])).toEqual([6, 1, 3])
  })

  it('looks at the fraction that was lost, not at the size of the ratio', () => {
    expect(allocate(cents(10), [1, 5, 1])).toEqual([2, 7, 1])
  })

  it('hands out several left-over cents, one to each share at most', () => {
    expect(allocate(cents(7), [2, 3, 3, 2])).toEqual([2, 2, 2, 1])
    expect(allocate(cents(3), [1, 1, 1, 1, 1])).toEqual([1, 1, 1, 0, 0])
  })

  it('never gives a cent to a ratio of zero', () => {
    expect(allocate(cents(5), [0, 1, 1, 0])).toEqual([0, 3, 2, 0])
    expect(allocate(cents(1), [0, 3])).toEqual([0, 1])
  })

  it('mirrors the positive shares for a negative total', () => {
    expect(allocate(cents(-100), [1, 1, 1])).toEqual([-34, -33, -33])
    expect(allocate(cents(-10), [1, 5, 1])).toEqual([-2, -7, -1])
  })

  it('returns zero and never negative zero', () => {
    expect(allocate(cents(-3), [0, 1])).toEqual([0, -3])
    expect(allocate(cents(-1), [1, 1])).toEqual([-1, 0])
    expect(allocate(cents(0), [2, 1])).toEqual([0, 0])
  })

  it('gives everything to a single ratio', () => {
    expect(allocate(cents(-4177), [12])).toEqual([-4177])
  })

  it('stays exact when the total is as large as it can be', () => {
    const largest = cents(Number.MAX_SAFE_INTEGER)
    const shares = allocate(largest, [17, 19, 23, 29])
    expect(shares).toEqual([1740027128756782, 1944736202728169, 2354154350670941, 2968281572585099])
    expect(sum(shares)).toBe(BigInt(largest))
    expect(allocate(largest, [5000, 3333, 1667])).toEqual([
      4503599627370496, 3002099511605172, 1501500115765323,
    ])
  })

  it('stays exact when the sum of the ratios is beyond the safe integers', () => {
    const huge = Number.MAX_SAFE_INTEGER
    expect(allocate(cents(9), [huge, huge, huge - 1])).toEqual([3, 3, 3])
    expect(allocate(cents(2), [huge - 1, huge, huge])).toEqual([0, 1, 1])
  })

  it('always adds up to the total', () => {
    for (let total = -60; total <= 60; total += 1) {
      for (const ratios of [
        [1, 2, 4],
        [9, 0, 5, 3],
        [1, 1, 1, 1, 1, 1, 1],
        [13, 17],
      ]) {
        expect(sum(allocate(cents(total), ratios))).toBe(BigInt(total))
      }
    }
  })

  it('refuses ratios that are negative, fractional or not finite', () => {
    expect(() => allocate(cents(10), [2, -1])).toThrow(RangeError)
    expect(() => allocate(cents(10), [0.5, 0.5])).toThrow(RangeError)
    expect(() => allocate(cents(10), [1, Number.NaN])).toThrow(RangeError)
  })

  it('refuses ratios that are whole but no safe integers', () => {
    for (const ratio of [2 ** 53, 2 ** 53 + 2, 1e21, Number.MAX_VALUE, Number.POSITIVE_INFINITY]) {
      expect(() => allocate(cents(10), [1, ratio])).toThrow(RangeError)
      expect(() => allocate(cents(0), [ratio])).toThrow(RangeError)
    }
    expect(() => allocate(cents(10), [-(2 ** 53), 1])).toThrow(RangeError)
  })

  it('refuses ratios that add up to zero', () => {
    expect(() => allocate(cents(10), [])).toThrow(RangeError)
    expect(() => allocate(cents(0), [0, 0])).toThrow(RangeError)
  })

  it('leaves the ratios as they are', () => {
    const ratios = [1, 5, 2]
    allocate(cents(11), ratios)
    expect(ratios).toEqual([1, 5, 2])
  })
})

describe('the Cents type', () => {
  it('does not take a plain number for cents', () => {
    // @ts-expect-error a plain number has not been checked
    expect(allocate(10, [1, 1])).toEqual([5, 5])
    // @ts-expect-error a number cannot be assigned either
    const price: Cents = 5
    expect(price).toBe(5)
  })

  it('loses the brand in arithmetic', () => {
    const added = cents(4) + cents(6)
    expectType<Equal<typeof added, number>>()
    // @ts-expect-error the sum of two amounts has not been checked
    expect(allocate(added, [1, 1])).toEqual([5, 5])
  })

  it('can be used wherever a number is expected', () => {
    const price: number = cents(1250)
    expect(price / 100).toBe(12.5)
  })

  it('is what allocate returns, so that shares can be divided again', () => {
    const shares = allocate(cents(9), [2, 1])
    expectType<Equal<typeof shares, Cents[]>>()
    expectType<Equal<typeof shares extends number[] ? true : false, true>>()
    expect(shares.map((share) => allocate(share, [1, 1]))).toEqual([
      [3, 3],
      [2, 1],
    ])
  })
})
