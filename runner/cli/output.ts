/** The command's answer; stdout belongs to answers, stderr to progress and complaints. */
export function printResult(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The last line of stdout under `--json`. */
export function printJsonResult(value: unknown): void {
  printResult(JSON.stringify(value))
}

export function writeError(text: string): void {
  process.stderr.write(`${text}\n`)
}

/**
 * One AbortSignal for everything that may end a command early: SIGINT, SIGTERM, and, when asked, the end of stdin,
 * by which a parent that was killed still ends its runner. A second SIGINT ends the process at once.
 */
export function commandSignal(options: { stopWithStdin: boolean }): AbortSignal {
  const controller = new AbortController()
  const stop = (reason: string) => () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort(reason)
  }
  process.on('SIGINT', stop('interrupted'))
  process.on('SIGTERM', stop('terminated'))
  process.on('SIGHUP', stop('terminal closed'))
  if (options.stopWithStdin) {
    const gone = () => controller.signal.aborted || controller.abort('the starting process is gone')
    process.stdin.on('end', gone).on('close', gone).on('error', gone).resume()
    process.stdin.unref?.()
  }
  return controller.signal
}
