// @ts-check

/** The reader closed its end, as `head` does, or the terminal was closed. */
const GONE = new Set(['EPIPE', 'EIO'])

/**
 * Ignores a reader of stdout or stderr that goes away: an attempt that is cut short might count against its agent.
 * Output that cannot be written for another reason (a full disk) is a failure.
 */
export function outliveReaders() {
  // A stream's error without a listener would end the process; an error of stderr cannot be reported.
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error) => {
    const code = Reflect.get(error, 'code')
    if (GONE.has(code)) return
    process.stderr.write(`the output cannot be written (${code})\n`)
    process.once('exit', () => {
      process.exitCode ||= 1
    })
  })
}
