import { setTimeout as sleep } from 'node:timers/promises'
import type { Interference } from '../forward/relay.ts'
import type { FaultPlan } from './fault-plan.ts'

/** Half a JSON object in an event of its own. */
const MALFORMED = Buffer.from('data: {"type":"content_block_delta","ind\n\n')

/** How a fault disturbs an answer under way; null for faults that end before one begins. */
export function interfere(plan: FaultPlan): Interference | null {
  switch (plan.kind) {
    case 'cut-stream':
      return { pass: upTo(plan.afterBytes, 'cut'), stalled: async () => {} }
    case 'stalled-stream':
      return {
        pass: upTo(plan.afterBytes, 'stall'),
        stalled: (gone) => sleep(plan.limitMs, undefined, { signal: gone }).catch(() => {}),
      }
    case 'malformed-event':
      return { pass: malform(), stalled: async () => {} }
    default:
      return null
  }
}

function upTo(limit: number, last: 'cut' | 'stall'): Interference['pass'] {
  let passed = 0
  return (chunk) => {
    const bytes = chunk.subarray(0, limit - passed)
    passed += bytes.length
    return { bytes, next: passed >= limit ? last : 'go' }
  }
}

/** Puts the broken event after the first whole one; an answer without events gets it at its start. */
function malform(): Interference['pass'] {
  let done = false
  let lastByte = 0
  return (chunk) => {
    if (done) return { bytes: chunk, next: 'go' }
    const isJson = lastByte === 0 && (chunk[0] === 0x7b || chunk[0] === 0x5b)
    const cut = isJson ? 0 : endOfEvent(chunk, lastByte)
    lastByte = chunk.at(-1) ?? lastByte
    if (cut === null) return { bytes: chunk, next: 'go' }
    done = true
    return {
      bytes: Buffer.concat([chunk.subarray(0, cut), MALFORMED, chunk.subarray(cut)]),
      next: 'go',
    }
  }
}

function endOfEvent(chunk: Uint8Array, before: number): number | null {
  const text = Buffer.from(chunk).toString('latin1')
  if (before === 10 && text.startsWith('\n')) return 1
  const found = /\r?\n\r?\n/.exec(text)
  return found ? found.index + found[0].length : null
}
