// @ts-check

/** A step of the set-up that cannot go on. Its message is what a person reads: what failed, then what to do. */
export class SetupFailure extends Error {
  /**
   * @param {string} message
   * @param {string} [output] the last lines of the command that failed
   */
  constructor(message, output = '') {
    super(message)
    this.name = 'SetupFailure'
    this.output = output
  }
}
