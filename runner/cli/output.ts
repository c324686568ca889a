import { plainText } from '#lib/domain/text/index.ts'

/** Prints a command's result; stdout is for results, stderr for progress and errors. */
export function printResult(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints the last line of stdout under `--json`. */
export function printJsonResult(value: unknown): void {
  printResult(JSON.stringify(value))
}

export function writeError(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Reports that something is sent again, and why. */
export function tellWait(why: string, waitMs: number): void {
  writeError(`${plainText(why)}: trying again in ${Math.ceil(waitMs / 1000)} s`)
}

/** A second Ctrl-C within this time is the same key press. */
const SAME_KEY_MS = 500

/**
 * Returns one AbortSignal for everything that may end a command early: SIGINT, SIGTERM, and, if requested, the end of
 * stdin, by which a killed parent still ends its runner. A second Ctrl-C ends the process at once; npm and npx pass on
 * the first one too, so that it arrives twice.
 */
export function commandSignal(options: { stopWithStdin: boolean }): AbortSignal {
  const controller = new AbortController()
  let interruptedAt: number | null = null
  process.on('SIGINT', () => {
    const now = performance.now()
    if (interruptedAt !== null && now - interruptedAt > SAME_KEY_MS) process.exit(130)
    interruptedAt ??= now
    controller.abort('interrupted')
  })
  process.on('SIGTERM', () => controller.abort('terminated'))
  process.on('SIGHUP', () => controller.abort('terminal closed'))
  if (options.stopWithStdin) {
    const gone = () =>
      controller.signal.aborted || controller.abort('cancelled, or what started it has ended')
    process.stdin.on('end', gone).on('close', gone).on('error', gone).resume()
    process.stdin.unref?.()
  }
  return controller.signal
}
