export function sizeOf({ tasks, repetitions }: { tasks: number; repetitions: number }): string {
  return `${tasks} × ${repetitions}`.padEnd(10)
}

export function percent(share: number | null): string {
  return share === null ? 'unknown' : `${(100 * share).toFixed(1)} %`.padStart(7)
}
