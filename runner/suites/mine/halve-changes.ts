import { applyPatch, structuredPatch } from 'diff'
import type { Change } from '../../repository/overlay.ts'

/** A reference with half of it left out. */
export type Half = { name: string; changes: Change[] }

/**
 * A reference's halves: of its files, or of the hunks of its only file. None where it is a single hunk: its absence is
 * what an empty attempt tests.
 */
export function halveChanges(
  reference: readonly Change[],
  before: (path: string) => Buffer | null,
): Half[] {
  if (reference.length > 1) {
    const middle = Math.ceil(reference.length / 2)
    return [
      { name: 'first-files', changes: reference.slice(0, middle) },
      { name: 'last-files', changes: reference.slice(middle) },
    ]
  }
  const [only] = reference
  const was = only && before(only.path)?.toString('utf8')
  return only?.bytes && was !== undefined ? halveHunks(only, only.bytes.toString('utf8'), was) : []
}

function halveHunks(change: Change, text: string, was: string): Half[] {
  const whole = structuredPatch(change.path, change.path, was, text)
  if (whole.hunks.length < 2) return []
  const middle = Math.ceil(whole.hunks.length / 2)
  const parts = [
    { name: 'first-hunks', hunks: whole.hunks.slice(0, middle) },
    { name: 'last-hunks', hunks: whole.hunks.slice(middle) },
  ]
  return parts.flatMap(({ name, hunks }): Half[] => {
    const half = applyPatch(was, { ...whole, hunks })
    return half === false ? [] : [{ name, changes: [{ ...change, bytes: Buffer.from(half) }] }]
  })
}
