import type { TenantOrder } from './tenant-order.ts'

/** A fault that really happened, with what shows it. */
export type Firing = { kind: string; at: string; evidence: string }

/** One tenant's fault: waits for the first request that fits, then fires once or not at all. */
export type Fault = {
  kind: string
  /** True exactly once: for the first request that fits. */
  take: (method: string, path: string) => boolean
  fire: (evidence: string) => void
  fired: () => Firing | null
}

/** Which faults the server makes itself; every other is announced to the harness, which makes it. */
export const OWN_FAULTS: readonly string[] = [
  'stall',
  'server-error',
  'slow-dom',
  're-render',
  'overlay',
  'session-expiry',
  'lost-response',
]

export function createFault({ kind, at }: NonNullable<TenantOrder['fault']>): Fault {
  let isWaiting = true
  let firing: Firing | null = null
  return {
    kind,
    take: (method, path) => {
      if (!isWaiting || !fits(at, method, path)) return false
      isWaiting = false
      return true
    },
    fire: (evidence) => {
      firing ??= { kind, at: new Date().toISOString(), evidence }
    },
    fired: () => firing,
  }
}

function fits(pattern: string, method: string, path: string): boolean {
  const [wantedMethod = '', wantedPath = ''] = pattern.split(' ')
  const wanted = wantedPath.split('/')
  const given = path.split('/')
  if (wantedMethod !== method || wanted.length !== given.length) return false
  return wanted.every((part, index) => (part === '*' ? given[index] !== '' : part === given[index]))
}
