import { type ConsoleState, type Outcome, record } from './console-state.ts'

type Report =
  | {
      ok: true
      from: string
      to: string
      by: string
      rows: { name: string; deliveries: number; late: number; share: string }[]
      total: number
    }
  | { ok: false; message: string }

/** Deliveries from one ISO day to another, both included, by carrier or by country; shares in percent. */
export function reportDeliveries({ deliveries }: ConsoleState, query: URLSearchParams): Report {
  const from = query.get('from') ?? ''
  const to = query.get('to') ?? ''
  if (!isDay(from) || !isDay(to)) return { ok: false, message: 'Write both dates as YYYY-MM-DD.' }
  if (from > to) return { ok: false, message: 'The first day lies after the last one.' }
  const by = query.get('by') === 'country' ? 'country' : 'carrier'
  const within = deliveries.filter(({ day }) => day >= from && day <= to)
  const groups = new Map<string, { deliveries: number; late: number }>()
  for (const delivery of within) {
    const group = groups.get(delivery[by]) ?? { deliveries: 0, late: 0 }
    group.deliveries += 1
    group.late += delivery.isLate ? 1 : 0
    groups.set(delivery[by], group)
  }
  const rows = [...groups].map(([name, { deliveries: count, late }]) => ({
    name,
    deliveries: count,
    late,
    share: `${((100 * late) / count).toFixed(1)} %`,
  }))
  return {
    ok: true,
    ...{ from, to, by },
    total: within.length,
    rows: rows.sort((left, right) => left.name.localeCompare(right.name, 'en')),
  }
}

/** Puts a carrier on watch, once. */
export function watchCarrier(
  state: ConsoleState,
  id: string,
  { reason }: { reason?: unknown },
  now: Date,
): Outcome {
  const carrier = state.carriers.find((one) => one.id === id)
  if (carrier === undefined)
    return { ok: false, status: 404, message: 'This carrier is not on file.' }
  if (carrier.watch !== null)
    return { ok: false, status: 409, message: `${carrier.name} is on watch already.` }
  const words = typeof reason === 'string' ? reason.trim().replace(/\s+/g, ' ') : ''
  if (words.length < 5 || words.length > 200) {
    return { ok: false, status: 422, message: 'Write a reason of 5 to 200 letters.' }
  }
  carrier.watch = { reason: words, since: now.toISOString() }
  record(state, `${carrier.name} put on watch`, now)
  return { ok: true, message: `${carrier.name} is on watch` }
}

function isDay(text: string) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}
