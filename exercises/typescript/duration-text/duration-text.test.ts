import { describe, it, expect } from '@jest/globals'
import { duration, formatDuration, parseDuration } from './duration-text.ts'
import type { DurationLiteral, ParseReason } from './duration-text.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<T extends true>(): T | void {}
/** Checked by the compiler, never executed. */
function compileOnly(_code: () => unknown): void {}

const parsed = (milliseconds: number) => ({ ok: true, milliseconds })
const failed = (reason: ParseReason, position: number) => ({ ok: false, reason, position })

describe('parseDuration', () => {
  it('reads every unit', () => {
    expect(parseDuration('1d')).toEqual(parsed(86_400_000))
    expect(parseDuration('2h')).toEqual(parsed(7_200_000))
    expect(parseDuration('3m')).toEqual(parsed(180_000))
    expect(parseDuration('4s')).toEqual(parsed(4000))
    expect(parseDuration('5ms')).toEqual(parsed(5))
  })

  it('adds up the parts', () => {
    expect(parseDuration('1h30m')).toEqual(parsed(5_400_000))
    expect(parseDuration('1d2h3m4s5ms')).toEqual(parsed(93_784_005))
    expect(parseDuration('1d5ms')).toEqual(parsed(86_400_005))
    expect(parseDuration('1m1ms')).toEqual(parsed(60_001))
  })

  it('does not limit the numbers of a unit', () => {
    expect(parseDuration('90m')).toEqual(parsed(5_400_000))
    expect(parseDuration('1h90m3600s')).toEqual(parsed(12_600_000))
    expect(parseDuration('007m')).toEqual(parsed(420_000))
  })

  it('applies a minus to all parts', () => {
    expect(parseDuration('-1h30m')).toEqual(parsed(-5_400_000))
    expect(parseDuration('-1.5s')).toEqual(parsed(-1500))
  })

  it('never gives negative zero', () => {
    expect(parseDuration('0s')).toEqual(parsed(0))
    expect(parseDuration('-0s')).toEqual(parsed(0))
    expect(parseDuration('-0.0001s')).toEqual(parsed(0))
  })

  it('accepts a fraction in the last part', () => {
    expect(parseDuration('1.5h')).toEqual(parsed(5_400_000))
    expect(parseDuration('1h30.5m')).toEqual(parsed(5_430_000))
    expect(parseDuration('0.25d')).toEqual(parsed(21_600_000))
    expect(parseDuration('0.001s')).toEqual(parsed(1))
  })

  it('rounds to the nearest millisecond and halves away from zero', () => {
    expect(parseDuration('0.0004s')).toEqual(parsed(0))
    expect(parseDuration('0.0006s')).toEqual(parsed(1))
    expect(parseDuration('0.0005s')).toEqual(parsed(1))
    expect(parseDuration('-0.0005s')).toEqual(parsed(-1))
    expect(parseDuration('-0.0015s')).toEqual(parsed(-2))
    expect(parseDuration('-1m0.0005s')).toEqual(parsed(-60_001))
  })

  it('rounds exactly', () => {
    expect(parseDuration('1.0005s')).toEqual(parsed(1001))
    expect(parseDuration('2.0105s')).toEqual(parsed(2011))
    expect(parseDuration('0.000499999999999999999999s')).toEqual(parsed(0))
    expect(parseDuration('1.1h')).toEqual(parsed(3_960_000))
  })

  it('expects a number at the beginning and after every part', () => {
    expect(parseDuration('')).toEqual(failed('empty', 0))
    expect(parseDuration('-')).toEqual(failed('expected-number', 1))
    expect(parseDuration('--1h')).toEqual(failed('expected-number', 1))
    expect(parseDuration('+1h')).toEqual(failed('expected-number', 0))
    expect(parseDuration('h')).toEqual(failed('expected-number', 0))
    expect(parseDuration(' 1h')).toEqual(failed('expected-number', 0))
    expect(parseDuration('1h ')).toEqual(failed('expected-number', 2))
    expect(parseDuration('1h-30m')).toEqual(failed('expected-number', 2))
    expect(parseDuration('5msx')).toEqual(failed('expected-number', 3))
    expect(parseDuration('٣h')).toEqual(failed('expected-number', 0))
  })

  it('expects digits on both sides of a dot', () => {
    expect(parseDuration('.5h')).toEqual(failed('expected-number', 0))
    expect(parseDuration('5.h')).toEqual(failed('expected-number', 2))
    expect(parseDuration('1h5.')).toEqual(failed('expected-number', 4))
    expect(parseDuration('1..5h')).toEqual(failed('expected-number', 2))
  })

  it('expects a unit after every number', () => {
    expect(parseDuration('12')).toEqual(failed('expected-unit', 2))
    expect(parseDuration('1h30')).toEqual(failed('expected-unit', 4))
    expect(parseDuration('1x')).toEqual(failed('expected-unit', 1))
    expect(parseDuration('1H')).toEqual(failed('expected-unit', 1))
    expect(parseDuration('1 h')).toEqual(failed('expected-unit', 1))
    expect(parseDuration('1.2.3h')).toEqual(failed('expected-unit', 3))
    expect(parseDuration('1,5h')).toEqual(failed('expected-unit', 1))
    expect(parseDuration('1e3s')).toEqual(failed('expected-unit', 1))
  })

  it('refuses units out of order and repeated ones', () => {
    expect(parseDuration('30m1h')).toEqual(failed('unit-order', 4))
    expect(parseDuration('1h1h')).toEqual(failed('unit-order', 3))
    expect(parseDuration('-1ms1s')).toEqual(failed('unit-order', 5))
    expect(parseDuration('1d2m3h')).toEqual(failed('unit-order', 5))
    expect(parseDuration('5ms5ms')).toEqual(failed('unit-order', 4))
  })

  it('refuses a fraction anywhere but in the last part, and on milliseconds', () => {
    expect(parseDuration('1.5h30m')).toEqual(failed('fraction', 1))
    expect(parseDuration('1h2.25m3s')).toEqual(failed('fraction', 3))
    expect(parseDuration('1.5ms')).toEqual(failed('fraction', 1))
    expect(parseDuration('1.0ms')).toEqual(failed('fraction', 1))
    expect(parseDuration('1s2.5ms')).toEqual(failed('fraction', 3))
  })

  it('reports the first part with an error, and in it the first check', () => {
    expect(parseDuration('1.5h ')).toEqual(failed('fraction', 1))
    expect(parseDuration('1.5x30')).toEqual(failed('expected-unit', 3))
    expect(parseDuration('1h1.5h3m')).toEqual(failed('unit-order', 5))
    expect(parseDuration('30m1h5')).toEqual(failed('unit-order', 4))
  })

  it('refuses results that are not exact', () => {
    expect(parseDuration('9007199254740991ms')).toEqual(parsed(Number.MAX_SAFE_INTEGER))
    expect(parseDuration('-9007199254740991ms')).toEqual(parsed(Number.MIN_SAFE_INTEGER))
    expect(parseDuration('9007199254740992ms')).toEqual(failed('too-large', 0))
    expect(parseDuration('-104249991374d7h36m32s')).toEqual(failed('too-large', 0))
    expect(parseDuration('9007199254740.9916s')).toEqual(failed('too-large', 0))
    expect(parseDuration(`${'9'.repeat(400)}d1`)).toEqual(failed('expected-unit', 402))
  })
})

describe('formatDuration', () => {
  it('uses the largest units and leaves out zeros', () => {
    expect(formatDuration(90_061_001)).toBe('1d1h1m1s1ms')
    expect(formatDuration(5_400_000)).toBe('1h30m')
    expect(formatDuration(86_400_005)).toBe('1d5ms')
    expect(formatDuration(999)).toBe('999ms')
    expect(formatDuration(1000)).toBe('1s')
    expect(formatDuration(59_999)).toBe('59s999ms')
  })

  it('does not go beyond days', () => {
    expect(formatDuration(400 * 86_400_000)).toBe('400d')
  })

  it('has one minus for a negative duration', () => {
    expect(formatDuration(-5_400_001)).toBe('-1h30m1ms')
    expect(formatDuration(-1)).toBe('-1ms')
  })

  it('has a text for zero', () => {
    expect(formatDuration(0)).toBe('0ms')
    expect(formatDuration(-0)).toBe('0ms')
  })

  it('refuses numbers that are not safe integers', () => {
    for (const value of [1.5, NaN, Infinity, -Infinity, Number.MAX_SAFE_INTEGER + 1]) {
      expect(() => formatDuration(value)).toThrow(RangeError)
    }
  })

  it('is read back by parseDuration', () => {
    const values = [1, 59_999, 60_000, 3_599_999, 86_399_999, 86_400_000, 123_456_789_012]
    for (const value of [...values, Number.MAX_SAFE_INTEGER]) {
      expect(parseDuration(formatDuration(value))).toEqual(parsed(value))
      expect(parseDuration(formatDuration(-value))).toEqual(parsed(-value))
    }
    expect(parseDuration(formatDuration(-0))).toEqual(parsed(0))
  })
})

describe('duration', () => {
  it('reads a literal', () => {
    const milliseconds = duration('1h30m')
    expectType<Equal<typeof milliseconds, number>>()
    expect(milliseconds).toBe(5_400_000)
    expect(duration('-1d2h3m4s5ms')).toBe(-93_784_005)
    expect(duration('250ms')).toBe(250)
    expect(duration('1h0.5s')).toBe(3_600_500)
  })

  it('throws for anything else that arrives', () => {
    const unchecked = duration as unknown as (text: string) => number
    expect(unchecked('1m')).toBe(60_000)
    for (const text of ['', '90', '30m1h', '9007199254740992ms', 'toString']) {
      expect(() => unchecked(text)).toThrow(RangeError)
    }
  })

  it('has a type that accepts durations', () => {
    type Short = '0ms' | '-1s'
    expectType<Equal<DurationLiteral<'1h30m'>, '1h30m'>>()
    expectType<Equal<DurationLiteral<'1d2h3m4s5ms'>, '1d2h3m4s5ms'>>()
    expectType<Equal<DurationLiteral<'-1d5ms'>, '-1d5ms'>>()
    expectType<Equal<DurationLiteral<'1m1ms'>, '1m1ms'>>()
    expectType<Equal<DurationLiteral<'1h30.25m'>, '1h30.25m'>>()
    expectType<Equal<DurationLiteral<'0.5s'>, '0.5s'>>()
    expectType<Equal<DurationLiteral<'0090m'>, '0090m'>>()
    expectType<Equal<Short, DurationLiteral<'0ms'> | DurationLiteral<'-1s'>>>()
    expect(duration('-1d5ms')).toBe(-86_400_005)
    expect(duration('0090m')).toBe(5_400_000)
  })

  it('has a type that rejects everything else', () => {
    expectType<Equal<DurationLiteral<'30m1h'>, never>>()
    expectType<Equal<DurationLiteral<'1.5ms'>, never>>()
    expectType<Equal<DurationLiteral<string>, never>>()
    expectType<Equal<DurationLiteral<`${number}h`>, never>>()
    const text: string = '1h'
    compileOnly(() => [
      // @ts-expect-error empty
      duration(''),
      // @ts-expect-error no number
      duration('-'),
      // @ts-expect-error no number
      duration('h'),
      // @ts-expect-error no unit
      duration('90'),
      // @ts-expect-error no unit at the end
      duration('1h30'),
      // @ts-expect-error not a unit
      duration('1w'),
      // @ts-expect-error upper case
      duration('1H'),
      // @ts-expect-error the wrong order
      duration('30m1h'),
      // @ts-expect-error the wrong order
      duration('5ms1m'),
      // @ts-expect-error a repeated unit
      duration('1h1h'),
      // @ts-expect-error a space
      duration('1h 30m'),
      // @ts-expect-error a space at the end
      duration('1h '),
      // @ts-expect-error two signs
      duration('--1h'),
      // @ts-expect-error a sign inside
      duration('1h-30m'),
      // @ts-expect-error a fraction in front of another part
      duration('1.5h30m'),
      // @ts-expect-error a fraction of a millisecond
      duration('1s2.5ms'),
      // @ts-expect-error no digit in front of the dot
      duration('.5h'),
      // @ts-expect-error no digit behind the dot
      duration('5.h'),
      // @ts-expect-error two dots
      duration('1.2.3h'),
      // @ts-expect-error a number as it is written in code
      duration('1e3s'),
      // @ts-expect-error a fraction and the wrong order
      duration('1m1.5h'),
      // @ts-expect-error not known while compiling
      duration(text),
    ])
    expect(parseDuration(text)).toEqual(parsed(3_600_000))
  })
})
