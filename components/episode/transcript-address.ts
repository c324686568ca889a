/** Number of steps per request. */
export const PAGE_STEPS = 50
/** Characters of each text in the list; a step is loaded completely on request. */
export const PREVIEW_CHARS = 2000

/** Parses `#step-12` in a URL as step 12. */
export function stepOfHash(hash: string): number | null {
  const match = /^#step-([1-9]\d{0,8})$/.exec(hash)
  return match ? Number(match[1]) : null
}
