import type { EvidenceLabel } from '../eligibility/index.ts'

// The browser loads this file: it must not import schemas.

/** Minimum and maximum rows in a comparison. */
export const MIN_COMPARED_ROWS = 2
export const MAX_COMPARED_ROWS = 8

/** True if the row is ranked, with or without injected faults. */
export function isClaim(label: EvidenceLabel): boolean {
  return label === 'primary' || label === 'stress'
}

/** More than can be compared, and few enough to look up. */
const MAX_READ = 50

/** Parses row ids from a URL, `rows=a,b` or `rows=a&rows=b`, in order; empty parts are ignored. */
export function parseRowIds(values: string | readonly string[] | null | undefined): string[] {
  const list = typeof values === 'string' ? [values] : (values ?? [])
  return list
    .flatMap((value) => value.split(','))
    .map((rowId) => rowId.trim())
    .filter((rowId) => rowId !== '')
    .slice(0, MAX_READ)
}

/**
 * The canonical path of a comparison: `/compare?rows=a,b`, with the pair whose tasks are listed unless it is the first.
 */
export function comparePath(rowIds: readonly string[], pair = 0): string {
  if (rowIds.length === 0) return '/compare'
  const rows = rowIds.map(encodeURIComponent).join(',')
  return `/compare?rows=${rows}${pair > 0 ? `&pair=${pair + 1}` : ''}`
}
