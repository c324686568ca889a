import { setTimeout as sleep } from 'node:timers/promises'
import { countOf } from '#lib/domain/text/index.ts'
import type { Target } from '../action-surface.ts'

/** Interval of page reads: a server of snapshots has no events to wait for. */
const LOOK_AGAIN_MS = 150

/** An entry of a snapshot that can be targeted; `inFrame` = inside an iframe. */
export type RefEntry = {
  ref: string
  inFrame: boolean
  is: (role: string, name: string) => boolean
}

/** Finds the ref of an element by its role and name; null = missing. Throws if there are several. */
export function refOf(entries: readonly RefEntry[], target: Target): string | null {
  const { role, name = '', frame } = target
  if (role === undefined) return null
  const inFrame = frame !== undefined
  const found = entries.filter((entry) => entry.inFrame === inFrame && entry.is(role, name))
  if (found.length > 1)
    throw new Error(`${countOf(found.length, 'element is', 'elements are')} ${role} “${name}”`)
  return found[0]?.ref ?? null
}

/** Retries until there is a result, for at most `limitMs`; then throws with the missing condition. */
export async function waitForRef<T>(
  look: () => Promise<T | null>,
  what: string,
  limitMs: number,
): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    const seen = await look()
    if (seen !== null) return seen
    if (performance.now() >= end) throw new Error(`${what} was not seen within ${limitMs} ms`)
    await sleep(LOOK_AGAIN_MS)
  }
}

/** Formats a target as text. */
export function describeTarget({ css, role, name }: Target): string {
  return role === undefined ? css : `${role} “${name ?? ''}”`
}
