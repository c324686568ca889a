// @ts-check

/** @typedef {import('./tally.mjs').Tally} Tally */

/**
 * The last line of `npm test`, which machines read.
 * @param {Tally[]} tallies
 */
export function closingLine(tallies) {
  const sum = (/** @type {keyof Tally} */ key) =>
    tallies.reduce((total, tally) => total + tally[key], 0)
  const skipped = sum('skipped')
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
