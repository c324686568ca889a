// @ts-check

/** The reader closed its end, as `head` does, or the terminal was closed. */
const GONE = new Set(['EPIPE', 'EIO'])

/**
 * From now on a reader of stdout or stderr that goes away ends nothing: a run goes on, because an attempt that it cuts
 * short might count against its agent. Output that cannot be written for another reason (a full disk) is a failure.
 */
export function outliveReaders() {
  // Without a listener an error of a stream ends the process; of stderr there is nobody left to tell.
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
