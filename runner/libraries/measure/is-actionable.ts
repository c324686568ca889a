/** Words that name a cause; that the time was up is none. */
const CAUSES = [
  /\bnot (?:be )?(?:found|there|visible|enabled|editable|interactable|clickable|focusable|attached|exist)/i,
  /\b(?:no such|no (?:visible |matching )?(?:element|option|node|ref)|unable to (?:locate|find)|cannot (?:find|locate)|could ?n[o']t (?:find|locate)|did not find|does ?n[o']t exist|does not (?:say|contain)|is nowhere)\b/i,
  /\b(?:disabled|read-?only|invalid element state)\b/i,
  /\b(?:intercept\w*|obscured|obstructed|covered|cover(?:s|ing)|receive the click|overlay)\b/i,
  /\b(?:refused|ERR_[A-Z_]+|ECONNREFUSED|unreachable)\b/,
]

/**
 * Whether an error tells how to mend it. The rule: it names what was acted on (one of `names`: a selector, an
 * accessible name, words, an address), and a cause beyond "the time was up".
 */
export function isActionable(message: string | null, names: readonly string[]): boolean {
  if (message === null) return false
  const low = message.toLowerCase()
  const namesTarget = names.some((name) => low.includes(name.toLowerCase()))
  return namesTarget && CAUSES.some((cause) => cause.test(message))
}
