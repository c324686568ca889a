// @ts-check
import { parseArgs } from 'node:util'

/** The three commands, each with all that the one before runs. @typedef {'check' | 'test' | 'all'} Tier */

/** @type {readonly Tier[]} */
export const TIERS = ['check', 'test', 'all']

/** @typedef {{ name: string, tier: Tier }} Named */
/** @typedef {{ list: boolean, tier: Tier, chosen: string[] }} TestRequest */

/**
 * Reads `npm test -- --only unit,types`, `--list` and `--tier all`. Returns which steps to run, or the one line that
 * refuses. `--only` takes steps of every tier.
 * @param {string[]} argv
 * @param {readonly Named[]} steps all of them, in order
 * @returns {TestRequest | { refusal: string }}
 */
export function parseTestArgs(argv, steps) {
  const names = steps.map(({ name }) => name)
  const values = readOptions(argv)
  const tier = TIERS.find((one) => one === (values?.tier ?? 'test'))
  if (!values || !tier || values.only === '') return { refusal: usage(names) }
  const only = values.only?.split(',').map((name) => name.trim())
  const unknown = only?.filter((name) => !names.includes(name)) ?? []
  if (unknown.length > 0)
    return { refusal: `unknown step ${unknown.join(', ')}: there are ${names.join(', ')}` }
  const inTier = steps.filter((step) => TIERS.indexOf(step.tier) <= TIERS.indexOf(tier))
  const chosen = names.filter(
    (name) => only?.includes(name) ?? inTier.some((step) => step.name === name),
  )
  return { list: values.list ?? false, tier, chosen }
}

/** @param {string[]} args Null = not the options that there are. */
function readOptions(args) {
  try {
    const text = { type: /** @type {const} */ ('string') }
    const list = { type: /** @type {const} */ ('boolean') }
    return parseArgs({ args, options: { only: text, tier: text, list } }).values
  } catch {
    return null
  }
}

/** @param {string[]} names */
const usage = (names) =>
  `usage: npm test -- [--list] [--tier ${TIERS.join('|')}] [--only ${names.slice(0, 2).join(',')},…]`
