import type { Wait } from './plan-queue.ts'

/** Why a queued job does not start now; null = it starts at the next poll of a worker. */
export function sayWait(wait: Wait | null): string {
  if (wait === null) return 'starts next'
  if (wait.kind === 'line') return 'waiting behind an earlier job'
  const needs = `needs ${wait.needs} ${wait.needs === 1 ? 'slot' : 'slots'}, ${wait.free} free`
  return wait.kind === 'machine'
    ? `machine full: ${needs}`
    : `provider limit of ${wait.provider}: ${needs}`
}
