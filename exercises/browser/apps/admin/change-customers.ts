import { type ConsoleState, type Outcome, type Plan, record } from './console-state.ts'

const HIGHEST_DISCOUNT: Record<Plan, number> = {
  Starter: 5,
  Standard: 15,
  Fleet: 25,
  Enterprise: 35,
}
const REASONS = ['Port strike', 'Customs hold', 'Customer asked', 'Payment dispute']
const UNKNOWN: Outcome = { ok: false, status: 404, message: 'This customer is not on file.' }
const refuse = (message: string): Outcome => ({ ok: false, status: 422, message })

/** Changes one cell of the table: the discount or the contact. */
export function editCell(
  state: ConsoleState,
  id: string,
  { field, value }: { field?: unknown; value?: unknown },
  now: Date,
): Outcome {
  const customer = state.customers.find((one) => one.id === id)
  if (customer === undefined) return UNKNOWN
  const text = typeof value === 'string' ? value.trim() : ''
  if (field === 'discount') {
    if (!/^\d{1,3}$/.test(text)) return refuse('Write a whole number of percent, such as 10.')
    const highest = HIGHEST_DISCOUNT[customer.plan]
    if (Number(text) > highest)
      return refuse(`The ${customer.plan} plan allows at most ${highest} %.`)
    customer.discount = Number(text)
  } else if (field === 'contact') {
    if (text.length < 3 || text.length > 60) return refuse('Write a name of 3 to 60 letters.')
    customer.contact = text
  } else return refuse('This column cannot be edited here.')
  record(state, `${customer.company}: ${field} set to ${text}`, now)
  return { ok: true, message: `Saved ${field} of ${customer.company}` }
}

/** Pauses several customers at once, all or none. Only active ones can be paused. */
export function pauseCustomers(
  state: ConsoleState,
  { ids, reason }: { ids?: unknown; reason?: unknown },
  now: Date,
): Outcome {
  const wanted = Array.isArray(ids) ? new Set(ids) : new Set()
  const chosen = state.customers.filter(({ id }) => wanted.has(id))
  if (chosen.length === 0 || chosen.length !== wanted.size)
    return refuse('Select the customers first.')
  if (typeof reason !== 'string' || !REASONS.includes(reason)) return refuse('Choose a reason.')
  const wrong = chosen.find(({ status }) => status !== 'active')
  if (wrong !== undefined) {
    return refuse(
      `${wrong.company} is ${wrong.status}: only active customers can be paused. Nobody was paused.`,
    )
  }
  for (const customer of chosen) customer.status = 'paused'
  const customers = chosen.map(({ company }) => company).sort()
  state.pauses.push({ customers, reason, at: now.toISOString() })
  record(state, `Paused ${customers.length} customers (${reason}): ${customers.join(', ')}`, now)
  return { ok: true, message: `Paused ${customers.length} customers` }
}

/** Adds an internal note to a customer. */
export function addNote(
  state: ConsoleState,
  id: string,
  { text }: { text?: unknown },
  now: Date,
): Outcome {
  const customer = state.customers.find((one) => one.id === id)
  if (customer === undefined) return UNKNOWN
  const words = typeof text === 'string' ? text.trim().replace(/\s+/g, ' ') : ''
  if (words === '' || words.length > 500) return refuse('Write a note of at most 500 letters.')
  if (customer.notes.length >= 50) return refuse('This customer has 50 notes, which is the most.')
  customer.notes.unshift({ text: words, at: now.toISOString() })
  record(state, `Note added to ${customer.company}`, now)
  return { ok: true, message: 'Note added' }
}
