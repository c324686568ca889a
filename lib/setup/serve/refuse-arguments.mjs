// @ts-check

/**
 * Refuses arguments: variables configure the server, so an argument is a question or a mistake and must not start it.
 * @param {string} command as it was typed
 * @param {string[]} args
 * @returns {number | null} the exit code; null if there is nothing to refuse
 */
export function refuseArguments(command, args) {
  const [first] = args
  if (first === undefined) return null
  const usage = `${command} takes no arguments; set PORT, PROOFBOARD_DATA_DIR and the other variables of docs/configuration.md instead`
  if (first === '--help' || first === '-h') {
    console.log(usage)
    return 0
  }
  console.error(`Unknown argument ${first}: ${usage}`)
  return 2
}
