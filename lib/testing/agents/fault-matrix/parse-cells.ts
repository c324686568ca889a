import { FAULT_KINDS, parseFault } from '#runner/gateway/faults/parse-fault.ts'

/** One thing that goes wrong: a planned fault, or a provider that really answers with errors at a step. */
export type Cell = {
  name: string
  fault: string | null
  trouble: { status: number; atStep: number } | null
  /** How long an attempt may take. */
  timeoutSeconds: number
}

const ONCE_SECONDS = 90
/** What never ends is only waited for so long. */
const LASTING_SECONDS = 20

/** Answers that hang or stall do so for five seconds instead of thirty. */
const LIMITED = new Set(['hang', 'stalled-stream'])

/** Each kind once, one that lasts, and a provider that is really in trouble. */
export const ALL_CELLS = [
  ...FAULT_KINDS.map((kind) => `${kind}@2${LIMITED.has(kind) ? ',limit=5' : ''}`),
  'rate-limit@2x50',
  'provider-429@2',
  'provider-529@2',
].join(',')

/** `rate-limit@2,hang@2,limit=5,provider-429@1` as cells. Throws a sentence that says what to write. */
export function parseCells(text: string): Cell[] {
  return splitFaults(text).map((name) => {
    const [, status, step] = /^provider-(\d{3})@(\d{1,2})$/.exec(name) ?? []
    if (status !== undefined) {
      const trouble = { status: Number(status), atStep: Number(step) }
      return { name, fault: null, trouble, timeoutSeconds: LASTING_SECONDS }
    }
    const parsed = parseFault(name)
    if (!parsed.ok) throw new Error(parsed.problem)
    const { times, forMs } = parsed.value
    const lasts = (times ?? 1) > 5 || forMs !== null
    return {
      name,
      fault: name,
      trouble: null,
      timeoutSeconds: lasts ? LASTING_SECONDS : ONCE_SECONDS,
    }
  })
}

/** A fault has commas of its own, always before a `name=`. */
function splitFaults(text: string): string[] {
  return text
    .split(/,(?![a-z-]+=)/)
    .map((name) => name.trim())
    .filter(Boolean)
}
