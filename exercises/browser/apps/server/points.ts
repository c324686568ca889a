const LONGEST_WAIT_MS = 2000

/** Fault points that the harness is told of; each waits for its acknowledgement, 2 s at most. */
export type Points = {
  /** Announces that a request is there and waits; late acknowledgements still count as firings. */
  reach: (tenant: string, at: string, onFired: (evidence: string) => void) => Promise<void>
  /** What shows that it was injected; null = it was not. False when there is no such point. */
  acknowledge: (id: number, evidence: string | null) => boolean
}

/** `announce` writes one line that the harness reads. */
export function createPoints(announce: (line: object) => void): Points {
  const open = new Map<number, (evidence: string | null) => void>()
  let last = 0
  return {
    reach: (tenant, at, onFired) =>
      new Promise((resolve) => {
        last += 1
        const timer = setTimeout(resolve, LONGEST_WAIT_MS)
        open.set(last, (evidence) => {
          clearTimeout(timer)
          if (evidence !== null) onFired(evidence)
          resolve()
        })
        announce({ point: { id: last, tenant, at } })
      }),
    acknowledge: (id, evidence) => {
      const settle = open.get(id)
      open.delete(id)
      settle?.(evidence)
      return settle !== undefined
    },
  }
}
