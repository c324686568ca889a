import { type Board, boardInput, buildBoard, resultsOf } from '../board/index.ts'
import type { Suite } from '../tasks/index.ts'
import type { Archive } from './archive.ts'

/**
 * Builds one suite version's board from the artifacts alone. With a ledger, provenance and shards come from it; without
 * one, every run counts with provenance `manual`.
 */
export function rebuildBoard(
  { runs, entries, evaluations = [], regrades = new Map() }: Archive,
  suite: Suite,
): Board {
  const own = runs.filter(({ plan }) => plan.suiteDigest === suite.digest)
  const input = { suite, ...resultsOf(own, 'manual') }
  return buildBoard(entries ? boardInput({ ...input, evaluations, regrades }, entries) : input)
}

/** Returns where two JSON values first differ, as a path and both sides shortened; null = equal. */
export function firstDifference(left: unknown, right: unknown, path = ''): string | null {
  if (Object.is(left, right)) return null
  if (!isBranch(left) || !isBranch(right) || Array.isArray(left) !== Array.isArray(right))
    return `${path || '(root)'}: ${shorten(left)} is not ${shorten(right)}`
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort(byNumberOrName)
  for (const key of keys) {
    const below = path ? `${path}.${key}` : key
    const difference = firstDifference(left[key], right[key], below)
    if (difference) return difference
  }
  return null
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function byNumberOrName(a: string, b: string): number {
  const difference = Number(a) - Number(b)
  return Number.isNaN(difference) ? (a < b ? -1 : 1) : difference
}

function shorten(value: unknown): string {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
