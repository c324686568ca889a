const VALUE_CHARS = 300
const SHOWN = 5

/** At most `limit` UTF-16 units of a text from outside; what was cut off is counted. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const mark = ` … (${text.length} characters)`
  const kept = text.slice(0, Math.max(0, limit - mark.length))
  // Half a surrogate pair is no character.
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}${mark}`
}

/** A value as JSON, short enough to be read. */
export function showValue(value: unknown): string {
  return cutText(JSON.stringify(value) ?? 'nothing', VALUE_CHARS)
}

/** The first few of many values, and how many more there are. */
export function showValues(values: readonly unknown[]): string {
  const shown = values.slice(0, SHOWN).map(showValue).join(', ')
  return values.length > SHOWN ? `${shown} and ${values.length - SHOWN} more` : shown
}

/** `1 element`, `3 elements`. */
export function showAmount(count: number, one: string): string {
  if (count === 1) return `1 ${one}`
  return `${count} ${one.endsWith('h') ? `${one}es` : `${one}s`}`
}
