import { setTimeout as sleep } from 'node:timers/promises'
import { countOf } from '#lib/domain/record/index.ts'
import type { Target } from '../action-surface.ts'

/** How long to wait before a page is read again: there is no event to wait for in a server of snapshots. */
const LOOK_AGAIN_MS = 150

/** An entry of a snapshot that can be pointed at; `inFrame` = it is inside an iframe. */
export type RefEntry = {
  ref: string
  inFrame: boolean
  is: (role: string, name: string) => boolean
}

/** The ref of an element by its role and name; null = it is not there. Throws when there are several. */
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

/** A target as text. */
export function describeTarget({ css, role, name }: Target): string {
  return role === undefined ? css : `${role} “${name ?? ''}”`
}
