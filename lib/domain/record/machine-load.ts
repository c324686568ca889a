import type { MachineLoad } from './browser.ts'

/** Above this share of waiting an episode is marked as slowed: everything took twice as long. */
const BUSY_WAIT = 0.5
/** Above this share an episode says nothing about its subject: everything took ten times as long. */
export const STARVED_WAIT = 0.9
/** A subject that keeps its own machine busy is not starved by others. */
export const OTHERS_BUSY = 0.5
/** Less CPU time than this is too little to judge by. */
const MIN_WANTED_MS = 500
/** For machines with only a load average, which does not show its cause: marked, never void. */
const BUSY_LOAD = 2

/** Decides whether other programs starved the subject. Its own load never counts. */
export function decideLoad(seen: Omit<MachineLoad, 'state'>): MachineLoad['state'] {
  const { wantedMs, waitedMs, othersShare, load1, cpus } = seen
  if (wantedMs === null || waitedMs === null)
    return load1 !== null && load1 / cpus >= BUSY_LOAD ? 'busy' : 'free'
  if (wantedMs < MIN_WANTED_MS) return 'free'
  const waited = waitedMs / wantedMs
  if (waited < BUSY_WAIT) return 'free'
  return waited >= STARVED_WAIT && (othersShare ?? 0) >= OTHERS_BUSY ? 'starved' : 'busy'
}

/** Formats the load in one line, for pages and reasons. */
export function formatLoad({
  cpus,
  load1,
  wantedMs,
  waitedMs,
  othersShare,
  stealShare,
}: MachineLoad): string {
  const percent = (value: number) => `${Math.round(value * 100)} %`
  const parts = [
    ...(wantedMs
      ? [`waited ${percent((waitedMs ?? 0) / wantedMs)} of the time it wanted a CPU`]
      : []),
    ...(othersShare === null
      ? []
      : [`other programs used ${percent(othersShare)} of ${cpus} CPUs`]),
    ...(stealShare ? [`the hypervisor took ${percent(stealShare)}`] : []),
    ...(load1 === null ? [] : [`load ${load1.toFixed(1)}`]),
  ]
  return parts.join(', ')
}
