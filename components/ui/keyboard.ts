type Place = { row: number; stop: number }

/** The target of an arrow key in rows with the given numbers of stops; null = none. */
export function arrowTarget(key: string, from: Place, lengths: readonly number[]): Place | null {
  const here = lengths[from.row] ?? 0
  switch (key) {
    case 'ArrowUp':
      return vertical(from, lengths, -1)
    case 'ArrowDown':
      return vertical(from, lengths, 1)
    case 'ArrowLeft':
      return from.stop > 0 ? { ...from, stop: from.stop - 1 } : null
    case 'ArrowRight':
      return from.stop < here - 1 ? { ...from, stop: from.stop + 1 } : null
    case 'Home':
      return { row: from.row, stop: 0 }
    case 'End':
      return { row: from.row, stop: here - 1 }
    default:
      return null
  }
}

/** The nearest row with a stop, at the same index or the last one. */
function vertical(from: Place, lengths: readonly number[], step: 1 | -1): Place | null {
  for (let row = from.row + step; row >= 0 && row < lengths.length; row += step) {
    const length = lengths[row] ?? 0
    if (length > 0) return { row, stop: Math.min(from.stop, length - 1) }
  }
  return null
}

const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), textarea, select, dialog'

/** True if a key press belongs to a field or dialog, so shortcuts ignore it. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(TYPED_INTO) !== null
}
