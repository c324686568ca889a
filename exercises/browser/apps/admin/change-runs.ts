import { COLUMNS, type ConsoleState, type Outcome, type Run, record } from './console-state.ts'

export const DRIVERS = [
  'Ilse Brandt',
  'Ilse Brink',
  'Joost Peeters',
  'Karl Huber',
  'Marek Wilk',
  'Rui Tavares',
  'Sanne Mulder',
]

/** Changes a run of the board: its column, its driver or its plate; the rules of the yard hold. */
export function changeRun(
  state: ConsoleState,
  id: string,
  { column, driver, plate }: { column?: unknown; driver?: unknown; plate?: unknown },
  now: Date,
): Outcome {
  const run = state.runs.find((one) => one.id === id)
  if (run === undefined) return { ok: false, status: 404, message: 'This run is not on the board.' }
  const after = { ...run }
  const to = COLUMNS.find((one) => one === column)
  if (to !== undefined) after.column = to
  if (driver !== undefined) after.driver = DRIVERS.find((one) => one === driver) ?? null
  if (typeof plate === 'string') after.plate = plate.trim().toUpperCase()
  const wrong = findBreach(run, after)
  if (wrong !== null) return { ok: false, status: 422, message: wrong }
  Object.assign(run, after)
  const message = to === undefined ? `Saved ${id}` : `${id} is ${phrase(to)}`
  record(state, message, now)
  return { ok: true, message }
}

function findBreach(before: Run, after: Run) {
  if (!/^[A-Z]{2}-\d{3}-[A-Z]{1,2}$/.test(after.plate)) return 'Write the plate as in TN-482-H.'
  const isLeaving = after.column === 'On the road'
  if (isLeaving && after.driver === null) return `${after.id} has no driver: choose one first.`
  if (
    after.column === 'Delivered' &&
    before.column !== 'On the road' &&
    before.column !== 'Delivered'
  ) {
    return `${after.id} has not been on the road yet.`
  }
  return null
}

function phrase(column: Run['column']) {
  return column === 'On the road' ? 'on the road' : `now in ${column}`
}
