import type { ConsoleState, Customer } from './console-state.ts'

const WATCHED = ['contact', 'plan', 'status', 'fee', 'discount', 'renewsOn'] as const

/** What contracts are judged by: every change of a customer, and nothing of the ones that stayed as they were. */
export function exposeConsole({
  customers,
  before,
  runs,
  carriers,
  pauses,
  activity,
}: ConsoleState) {
  return {
    changes: customers.flatMap((after) => findChanges(before.get(after.id), after)),
    notes: customers.flatMap(({ company, notes }) => notes.map(({ text }) => ({ company, text }))),
    runs: runs.map(({ id, column, driver, plate }) => ({ id, column, driver, plate })),
    watched: carriers.flatMap(({ name, watch }) =>
      watch === null ? [] : [{ carrier: name, reason: watch.reason }],
    ),
    pauses: pauses.map((pause) => ({ customers: pause.customers, reason: pause.reason })),
    activity: activity.length,
  }
}

function findChanges(was: Customer | undefined, after: Customer) {
  if (was === undefined) return []
  return WATCHED.filter((field) => was[field] !== after[field]).map((field) => ({
    company: after.company,
    field,
    from: was[field],
    to: after[field],
  }))
}
