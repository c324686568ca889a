/** Names in a sentence, sorted and without repeats: `a, b, c and 4 more`. */
export function listNames(names: Iterable<string>, most = 3): string {
  const sorted = [...new Set(names)].sort()
  const shown = sorted.slice(0, most)
  if (sorted.length > most) return `${shown.join(', ')} and ${sorted.length - most} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** `1 episode`, `2 episodes`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
