// @ts-check
import { stripVTControlCharacters } from 'node:util'

/**
 * The end of an output, without escape sequences and empty lines.
 * @param {string} output
 * @param {number} count
 */
export function lastLines(output, count) {
  return stripVTControlCharacters(output)
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .join('\n')
}
