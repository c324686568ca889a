import { plural } from '#components/format/number.ts'
import type { Task } from '#lib/domain/task.ts'

/** `Public since 2026-11-21`: since when tasks have been public, which matters for models trained later. */
export function formatReleased(tasks: readonly Pick<Task, 'released'>[]): string {
  const dates = tasks.flatMap(({ released }) => released ?? []).sort()
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined) return 'Release date unknown'
  const since = first === last ? first : `between ${first} and ${last}`
  const unknown = tasks.length - dates.length
  return `Public since ${since}${unknown > 0 ? `, ${plural(unknown, 'task')} of unknown date` : ''}`
}
