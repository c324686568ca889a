import { describe, expect, it } from 'vitest'
import {
  ACCOUNT_RULE,
  CROWD_RULE,
  countTry,
  formatLockOut,
  lockedMs,
  safeNext,
  type Tries,
} from './sign-in.ts'

const MINUTE = 60_000

function afterTries(count: number, rule = ACCOUNT_RULE): Tries | null {
  let tries: Tries | null = null
  for (let n = 0; n < count; n += 1) tries = countTry(tries, rule, 0)
  return tries
}

describe('lock-out', () => {
  it('locks with the fifth try for a minute, then twice as long each, up to an hour', () => {
    const waits = [4, 5, 6, 7, 8, 9, 10, 11, 12, 500].map(
      (n) => lockedMs(afterTries(n), ACCOUNT_RULE, 0) / MINUTE,
    )
    expect(waits).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('ends at its time, and forgets after a quiet day', () => {
    const locked = afterTries(5)
    expect(lockedMs(locked, ACCOUNT_RULE, MINUTE - 1)).toBe(1)
    expect(lockedMs(locked, ACCOUNT_RULE, MINUTE)).toBe(0)
    expect(countTry(locked, ACCOUNT_RULE, MINUTE).failures).toBe(6)
    const nextDay = 86_400_000 + 2 * MINUTE
    expect(countTry(locked, ACCOUNT_RULE, nextDay)).toEqual({
      failures: 1,
      since: nextDay,
      lockedUntil: null,
    })
  })

  it('holds the crowd up for a minute at the most', () => {
    expect(lockedMs(afterTries(99, CROWD_RULE), CROWD_RULE, 0)).toBe(0)
    expect(lockedMs(afterTries(5000, CROWD_RULE), CROWD_RULE, 0)).toBe(MINUTE)
  })

  it('is over when the clock was set back behind its beginning', () => {
    const locked = afterTries(5)
    expect(lockedMs(locked, ACCOUNT_RULE, -1)).toBe(0)
    expect(lockedMs(locked, ACCOUNT_RULE, -120 * MINUTE)).toBe(0)
    expect(lockedMs(locked, ACCOUNT_RULE, 1)).toBe(MINUTE - 1)
  })

  it('says how long in words, never too short', () => {
    expect([1, 1000, 59_001, 60_000, 60_001, 3_600_000].map(formatLockOut)).toEqual([
      '1 second',
      '1 second',
      '1 minute',
      '1 minute',
      '2 minutes',
      '60 minutes',
    ])
  })
})

describe('where to go after signing in', () => {
  it.each(['/admin', '/runs/run_a?x=1#log', '/', '/admin/audit?actor=a%40b', '/a//b'])(
    'keeps %s',
    (path) => expect(safeNext(path)).toBe(path),
  )

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' /admin',
    'javascript:alert(1)',
    'admin',
    '',
    '/sign-in?next=/sign-in',
    '/setup',
    `/${'a'.repeat(2000)}`,
    undefined,
    null,
    ['/admin', '/runs'],
  ])('takes the overview for %j', (wanted) => expect(safeNext(wanted)).toBe('/admin'))

  it('answers nothing that a browser reads as another site', () => {
    for (const wanted of ['/..//x', '/./\\x', '/%2f/x', '/;//x', '/?//x', '/#//x']) {
      const { origin } = new URL(safeNext(wanted), 'https://here.example')
      expect(origin).toBe('https://here.example')
    }
  })
})
