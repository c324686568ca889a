import { env } from '#lib/env.ts'

/** Fires when this process is asked to end: SIGTERM, SIGINT, or the end of a supervisor that holds our stdin. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  if (env().supervised)
    process.stdin.once('end', stop).once('close', stop).once('error', stop).resume()
  return controller.signal
}
