/** The width of a text, in any unit. */
export type Measure = (text: string) => number

/** Counts characters. */
const countCharacters: Measure = (text) => Array.from(text).length

/**
 * Shortens the names of a chart to a width. If one is too long, all lose the parts that they share, such as the agent's
 * name on its own page, and parts that all entries of an agent share.
 */
export function fittedNames(
  names: readonly string[],
  width: number,
  measure: Measure = countCharacters,
): (name: string) => string {
  const shorten = (parts: readonly string[]) => fittedParts(parts, width, measure)
  const isTooLong = names.some((name) => measure(name) > width)
  if (!isTooLong || names.length < 2) return (name) => shorten(partsOf(name))
  return (name) => {
    const [first = '', ...rest] = tellingParts(name, names)
    if (names.some((other) => !partsOf(other).includes(first))) return shorten([first, ...rest])
    return shorten(rest.length > 0 ? rest : partsOf(name))
  }
}

/** Splits a name into its first part, the agent, and the parts that distinguish it from other names with this agent. */
export function tellingParts(name: string, names: readonly string[]): string[] {
  const [first = '', ...rest] = partsOf(name)
  const twins = names.map(partsOf).filter(([own]) => own === first)
  return [first, ...rest.filter((part) => !twins.every((parts) => parts.includes(part)))]
}

/** Shortens a name in the middle, because a version or date is often at its end. */
export function fitted(name: string, width: number, measure: Measure = countCharacters): string {
  if (measure(name) <= width) return name
  const letters = Array.from(name)
  for (let left = letters.length - 1; left > MIN_LETTERS; left -= 1) {
    const end = Math.floor((left - 1) * END_SHARE)
    const short = [...letters.slice(0, left - end), '…', ...letters.slice(letters.length - end)]
    if (measure(short.join('')) <= width) return short.join('')
  }
  return [...letters.slice(0, MIN_LETTERS - 1), '…'].join('')
}

const END_SHARE = 0.4
const MIN_LETTERS = 4
const BETWEEN = ' · '

/** The parts of a name: agent, arm, model or version. */
const partsOf = (name: string): string[] => name.split(BETWEEN)

/** Distributes the width over the parts, so that none of them is removed completely. */
function fittedParts(parts: readonly string[], width: number, measure: Measure): string {
  const whole = parts.join(BETWEEN)
  if (measure(whole) <= width) return whole
  let left = width - measure(BETWEEN) * (parts.length - 1)
  if (left < MIN_LETTERS * parts.length * measure('n')) return fitted(whole, width, measure)
  const widths = parts.map(measure).sort((a, b) => a - b)
  const max = widths.reduce((share, own, index) => {
    const fair = left / (parts.length - index)
    left -= Math.min(own, fair)
    return Math.max(share, fair)
  }, 0)
  return parts.map((part) => fitted(part, max, measure)).join(BETWEEN)
}
