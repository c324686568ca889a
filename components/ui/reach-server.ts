/** Responds quickly, whatever else the server does. */
const ADDRESS = '/api/v1/health/live'
const PATIENCE_MS = 10_000

/** True if the server responds; false while it restarts, or without a connection to it. */
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
