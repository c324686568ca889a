/** Text as it is compared and handed on: white space collapsed. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
