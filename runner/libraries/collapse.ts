/** Text for comparison and output: white space collapsed. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
