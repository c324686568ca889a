/** Answers from memory, whatever else the server has to do. */
const ADDRESS = '/api/v1/health/live'
const PATIENCE_MS = 10_000

/** Whether the server answers: not while it restarts, nor while this machine or a proxy has no connection to it. */
export async function isServerReachable(
  address = ADDRESS,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const { ok } = await fetch(address, { cache: 'no-store', signal })
    return ok
  } catch {
    return false
  }
}
