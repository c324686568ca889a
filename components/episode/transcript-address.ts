/** Steps that are loaded at a time. */
export const PAGE_STEPS = 50
/** Characters of a text that the list loads; who wants more of a step loads it whole. */
export const PREVIEW_CHARS = 2000

/** `#step-12` in a URL is step 12. */
export function stepOfHash(hash: string): number | null {
  const match = /^#step-([1-9]\d{0,8})$/.exec(hash)
  return match ? Number(match[1]) : null
}
