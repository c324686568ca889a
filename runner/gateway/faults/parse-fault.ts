import { type FaultPlan, faultPlanSchema } from './fault-plan.ts'

export type ParsedFault = { ok: true; value: FaultPlan } | { ok: false; problem: string }

export const FAULT_KINDS = faultPlanSchema.options.map(({ shape }) => shape.kind.value)

const FORM = /^([a-z-]+)@(\d{1,4})(?:x(\d{1,4})|for(\d{1,5})s)?((?:,[a-z-]+=\d+)*)$/
const DEFAULTS = { 'retry-after': 2, after: 200, limit: 30 }

/**
 * A fault as it stands in a plan: `rate-limit@2` hits the request for step 2 once, `server-error@1x3` three in a row,
 * `overloaded@2for10s` all for ten seconds after the first. Then, with commas: `retry-after=` and `limit=` in seconds,
 * `after=` in bytes.
 */
export function parseFault(text: string): ParsedFault {
  const match = FORM.exec(text.trim())
  const kind = FAULT_KINDS.find((known) => known === match?.[1])
  if (!match || !kind) {
    const problem = `"${text.slice(0, 60)}" is no fault: write kind@step, as in rate-limit@2 or cut-stream@1x3; kinds are ${FAULT_KINDS.join(', ')}`
    return { ok: false, problem }
  }
  const [, , step, times, seconds, rest = ''] = match
  const given = new Map(rest.split(',').filter(Boolean).map(pairOf))
  const stranger = [...given.keys()].find((name) => !(name in DEFAULTS))
  if (stranger !== undefined)
    return { ok: false, problem: `a fault takes retry-after=, after= and limit=, not ${stranger}=` }
  const value = (name: keyof typeof DEFAULTS) => given.get(name) ?? DEFAULTS[name]
  const parsed = faultPlanSchema.safeParse({
    kind,
    atStep: Number(step),
    times: times === undefined ? null : Number(times),
    forMs: seconds === undefined ? null : Number(seconds) * 1000,
    retryAfterSeconds: value('retry-after'),
    afterBytes: value('after'),
    limitMs: value('limit') * 1000,
  })
  if (parsed.success) return { ok: true, value: parsed.data }
  const [issue] = parsed.error.issues
  return { ok: false, problem: `${issue?.path.join('.')}: ${issue?.message}` }
}

function pairOf(text: string): [string, number] {
  const [name = '', value] = text.split('=')
  return [name, Number(value)]
}
