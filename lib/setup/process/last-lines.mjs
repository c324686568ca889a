// @ts-check

/**
 * The end of an output, without escape sequences and empty lines.
 * @param {string} output
 * @param {number} count
 */
export function lastLines(output, count) {
  return output
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .join('\n')
}
