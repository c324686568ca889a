export const PLANS = ['Starter', 'Standard', 'Fleet', 'Enterprise'] as const
export type Plan = (typeof PLANS)[number]
export const STATUSES = ['active', 'paused', 'overdue', 'cancelled'] as const
export type Status = (typeof STATUSES)[number]
export const COLUMNS = ['Incoming', 'Planned', 'Loading', 'On the road', 'Delivered'] as const
export type Column = (typeof COLUMNS)[number]

/** Days are ISO dates, money is in euro cents. */
export type Invoice = { number: string; issued: string; due: string; amount: number; paid: boolean }
export type Note = { text: string; at: string }

export type Customer = {
  id: string
  company: string
  contact: string
  city: string
  country: string
  plan: Plan
  status: Status
  fee: number
  /** In percent. */
  discount: number
  renewsOn: string
  notes: Note[]
  invoices: Invoice[]
}

/** A run of a lorry, as a card of the dispatch board. */
export type Run = {
  id: string
  from: string
  to: string
  column: Column
  plate: string
  driver: string | null
  leaves: string
  pallets: number
}

export type Watch = { reason: string; since: string }
export type Carrier = { id: string; name: string; city: string; phone: string; watch: Watch | null }
export type Delivery = { day: string; carrier: string; country: string; isLate: boolean }
export type Pause = { customers: string[]; reason: string; at: string }

export type ConsoleState = {
  customers: Customer[]
  runs: Run[]
  carriers: Carrier[]
  deliveries: Delivery[]
  pauses: Pause[]
  /** What somebody did, the newest first. */
  activity: { text: string; at: string }[]
  /** The customers as they were, so that a contract can be shown every change and nothing else. */
  before: ReadonlyMap<string, Customer>
}

/** What became of a wish: done, or one sentence that says what to do. */
export type Outcome =
  | { ok: true; message: string }
  | { ok: false; status: 404 | 409 | 422; message: string }

/** Keeps the log short however long somebody tries. */
export function record(state: ConsoleState, text: string, now: Date) {
  state.activity.unshift({ text, at: now.toISOString() })
  state.activity.length = Math.min(state.activity.length, 200)
}
