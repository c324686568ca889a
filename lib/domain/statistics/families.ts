import { countEach } from '../record/index.ts'
import type { TaskCounts } from './task-counts.ts'

/** With fewer families, no sign-flip test over them can reach 5 %, so tasks stay the units. */
export const MIN_FAMILIES = 6

type FamilyTask = Pick<TaskCounts, 'taskId' | 'family'>

/**
 * Returns the index of each task's family, in the order of the tasks. Tasks of one family are not independent, so the
 * family is the unit of intervals and tests. A task without a family is a family of its own. Null = every task is a
 * unit: no two share a family, or there are fewer than six families.
 */
export function familiesOf(
  tasks: readonly FamilyTask[],
): { of: Uint32Array; count: number } | null {
  if (tasks.every(({ family }) => family === undefined)) return null
  const places = new Map<string, number>()
  const of = Uint32Array.from(tasks, (task) => {
    const key = familyKey(task)
    const place = places.get(key) ?? places.size
    places.set(key, place)
    return place
  })
  const isUnit = places.size >= MIN_FAMILIES && places.size < tasks.length
  return isUnit ? { of, count: places.size } : null
}

function familyKey({ taskId, family }: FamilyTask): string {
  return family === undefined ? `task ${taskId}` : `family ${family}`
}

/**
 * Averages a value per task over each unit, with the unit's share of tasks; if tasks are the units, one value per task.
 */
export function unitMeans(
  tasks: readonly FamilyTask[],
  values: readonly number[],
): { values: number[]; weights: number[] | null; unit: 'task' | 'family' } {
  const families = familiesOf(tasks)
  if (families === null) return { values: [...values], weights: null, unit: 'task' }
  const sums = new Array<number>(families.count).fill(0)
  const sizes = new Array<number>(families.count).fill(0)
  families.of.forEach((place, task) => {
    sums[place] = (sums[place] as number) + (values[task] as number)
    sizes[place] = (sizes[place] as number) + 1
  })
  const means = sums.map((sum, place) => sum / (sizes[place] as number))
  const isEven = sizes.every((size) => size === sizes[0])
  const weights = sizes.map((size) => size / tasks.length)
  return { values: means, weights: isEven ? null : weights, unit: 'family' }
}

/** Returns the largest family of some tasks and its share of them, 0–1; null if no family has two tasks. */
export function largestFamily(
  tasks: readonly FamilyTask[],
): { family: string; share: number; families: number } | null {
  const sizes = countEach(tasks.map(familyKey))
  const named = tasks.flatMap(({ family }) => (family === undefined ? [] : [family]))
  let [largest, max] = ['', 1]
  for (const family of new Set(named)) {
    const size = sizes.get(familyKey({ taskId: '', family })) ?? 0
    if (size > max || (size === max && max > 1 && family < largest)) [largest, max] = [family, size]
  }
  return max < 2 ? null : { family: largest, share: max / tasks.length, families: sizes.size }
}
