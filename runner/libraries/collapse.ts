/** Collapses white space for comparison and output. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
