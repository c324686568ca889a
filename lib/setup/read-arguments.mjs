// @ts-check
import { parseArgs } from 'node:util'

/** @typedef {import('node:util').ParseArgsConfig} Config */

/**
 * Reads the arguments of a maintainer's command. `--help` prints the usage and exits with 0; a mistake prints one
 * sentence and the usage, and exits with 2 before anything has started.
 * @template {NonNullable<Config['options']>} Options
 * @param {string} usage one line, as it is typed
 * @param {Options} options
 * @param {{ words?: boolean | readonly string[] }} [allowed] words: whether arguments without dashes are understood, or
 *   which of them
 */
export function readArguments(usage, options, { words = false } = {}) {
  const args = process.argv.slice(2)
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(`usage: ${usage}`)
    process.exit(0)
  }
  try {
    const read = parseArgs({ args, options, allowPositionals: words !== false })
    const unknown = read.positionals.find((word) => Array.isArray(words) && !words.includes(word))
    if (unknown === undefined) return read
    const known = /** @type {readonly string[]} */ (words).join(', ')
    return refuse(`There is no “${unknown}” here, only: ${known}`, usage)
  } catch (error) {
    const [sentence = ''] = /** @type {Error} */ (error).message.split('. ')
    return refuse(sentence, usage)
  }
}

/** @param {string} sentence @param {string} usage @returns {never} */
function refuse(sentence, usage) {
  console.error(`${sentence}\nusage: ${usage}`)
  process.exit(2)
}
