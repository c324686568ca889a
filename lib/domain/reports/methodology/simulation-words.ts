/** `25 × 10`. */
export function sizeLabel({ tasks, repetitions }: { tasks: number; repetitions: number }): string {
  return `${tasks} × ${repetitions}`
}

/** One decimal, two below one percent, as precise as the rounds allow. */
export function shareOrNone(value: number | null): string {
  return value === null ? 'unknown' : `${(100 * value).toFixed(value < 0.01 ? 2 : 1)} %`
}
