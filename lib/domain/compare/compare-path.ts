import type { EvidenceLabel } from '../eligibility/index.ts'

// The browser loads this: nothing here may need a schema.

/** How many rows one comparison may have. */
export const FEWEST_COMPARED_ROWS = 2
export const MAX_COMPARED_ROWS = 8

/** True if the row is ranked, with or without injected faults. */
export function isClaim(label: EvidenceLabel): boolean {
  return label === 'primary' || label === 'stress'
}

/** More than anyone may compare, and few enough to look for. */
const MAX_READ = 50

/** Row ids out of an address, `rows=a,b` or `rows=a&rows=b`, in their order; empty parts count for nothing. */
export function parseRowIds(values: string | readonly string[] | null | undefined): string[] {
  const list = typeof values === 'string' ? [values] : (values ?? [])
  return list
    .flatMap((value) => value.split(','))
    .map((rowId) => rowId.trim())
    .filter((rowId) => rowId !== '')
    .slice(0, MAX_READ)
}

/** The one address of a comparison: `/compare?rows=a,b`, with the pair whose tasks are listed where it is not the first. */
export function comparePath(rowIds: readonly string[], pair = 0): string {
  if (rowIds.length === 0) return '/compare'
  const rows = rowIds.map(encodeURIComponent).join(',')
  return `/compare?rows=${rows}${pair > 0 ? `&pair=${pair + 1}` : ''}`
}
