import { countOf } from '../text/index.ts'
/** Failed attempts since `since`; instants in milliseconds. */
export type Tries = { failures: number; since: number; lockedUntil: number | null }

/** `free` attempts, the last of which locks for `firstMs`; each further one doubles that, up to `longestMs`. */
export type LockRule = { free: number; firstMs: number; longestMs: number }

const FORGOTTEN_AFTER_MS = 86_400_000

/** Limit for one e-mail address from one network address, or from a browser that its owner used before. */
export const ACCOUNT_RULE: LockRule = { free: 5, firstMs: 60_000, longestMs: 3_600_000 }
/** Limit for one network address, which a whole office may share. */
export const ADDRESS_RULE: LockRule = { free: 20, firstMs: 60_000, longestMs: 3_600_000 }
/**
 * Shared limit: for all clients without a known address, and for all addresses that try one account. It slows guessing
 * down and never locks for long, so that an attacker cannot lock the owner out.
 */
export const CROWD_RULE: LockRule = { free: 100, firstMs: 30_000, longestMs: 60_000 }

/**
 * Returns how long a key is still locked, in milliseconds; 0 = not locked. A lock longer than its rule allows was set
 * before the clock was set back, and has ended.
 */
export function lockedMs(tries: Tries | null, rule: LockRule, now: number): number {
  if (!tries || tries.lockedUntil === null) return 0
  const leftMs = tries.lockedUntil - now
  return leftMs > lockMsAfter(tries.failures, rule) ? 0 : Math.max(0, leftMs)
}

function lockMsAfter(failures: number, rule: LockRule): number {
  const over = failures - rule.free
  return over < 0 ? 0 : Math.min(rule.firstMs * 2 ** Math.min(over, 30), rule.longestMs)
}

/** Counts one attempt. It counts as failed from the start, so that parallel attempts cannot pass together. */
export function countTry(tries: Tries | null, rule: LockRule, now: number): Tries {
  const current = tries && !isForgotten(tries, now) ? tries : null
  const failures = (current?.failures ?? 0) + 1
  const lockMs = lockMsAfter(failures, rule)
  return { failures, since: current?.since ?? now, lockedUntil: lockMs === 0 ? null : now + lockMs }
}

/** `1 minute`, `15 minutes`: rounded up. */
export function formatLockOut(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000)
  if (seconds < 60) return countOf(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return countOf(minutes, 'minute')
}

function isForgotten({ since, lockedUntil }: Tries, now: number): boolean {
  return now - Math.max(since, lockedUntil ?? 0) > FORGOTTEN_AFTER_MS
}

const HERE = 'http://here.invalid'
const MAX_PATH_CHARS = 1000

/**
 * Returns the page to open after signing in: a path of this site, or `fallback` for anything that a browser could read
 * as another site's address, and for the sign-in page itself.
 */
export function safeNext(wanted: unknown, fallback = '/admin'): string {
  if (typeof wanted !== 'string' || wanted.length > MAX_PATH_CHARS) return fallback
  if (!/^\/(?![/\\])/.test(wanted) || /[\\\p{Cc}]/u.test(wanted)) return fallback
  if (!URL.canParse(wanted, HERE)) return fallback
  const { origin, pathname, search, hash } = new URL(wanted, HERE)
  // `/.//other.example` is a path that resolves to another site's address.
  if (origin !== HERE || pathname.startsWith('//')) return fallback
  return /^\/(sign-in|setup)(\/|$)/.test(pathname) ? fallback : `${pathname}${search}${hash}`
}
