import { arrowTarget } from '../keyboard.ts'

/** Moves between the links and buttons of rows with arrow keys; true = the key was handled. */
export function walkRows({ key, shiftKey, target }: KeyboardEvent): boolean {
  const frame = target instanceof HTMLElement && target.closest('[data-arrow-keys]')
  if (!frame || shiftKey) return false
  const rows = [...frame.querySelectorAll('[data-row]')].map(stopsOf)
  const row = rows.findIndex((stops) => stops.includes(target))
  if (row === -1) return false
  const from = { row, stop: rows[row]?.indexOf(target) ?? 0 }
  const lengths = rows.map(({ length }) => length)
  const next = arrowTarget(key, from, lengths)
  if (!next) return false
  rows[next.row]?.[next.stop]?.focus()
  return true
}

function stopsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a[href], button, input[type="checkbox"]')]
}
