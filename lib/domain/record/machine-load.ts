import { z } from 'zod'
import { durationMsSchema } from './names.ts'

const share = z.number().min(0).max(1)

/**
 * How much of the machine an episode had while its subject worked. Null = this machine does not say (macOS knows the load
 * average alone), never 0.
 */
export const machineLoadSchema = z.object({
  cpus: z.number().int().positive(),
  wallMs: durationMsSchema,
  /** Load average over the last minute, when the subject had ended. */
  load1: z.number().nonnegative().nullable(),
  /** Of the machine's CPU time: what the hypervisor took, and what ran outside browser and library. */
  stealShare: share.nullable(),
  othersShare: share.nullable(),
  /** Share of the time in which something on the machine waited for a CPU (`/proc/pressure/cpu`). */
  pressureShare: share.nullable(),
  /** Time in which the main threads of browser and library wanted a CPU, and waited for one, added up. */
  wantedMs: durationMsSchema.nullable(),
  waitedMs: durationMsSchema.nullable(),
  /** Of the wall time: waits while others used at least half of the CPUs. The time limit does not count them. */
  lostMs: durationMsSchema.nullable(),
  state: z.enum(['free', 'busy', 'starved']),
})
export type MachineLoad = z.infer<typeof machineLoadSchema>

/** Above this share of waiting an episode is marked: everything took twice as long. */
const BUSY_WAIT = 0.5
/** And above this one it says nothing of its subject: everything took ten times as long. */
export const STARVED_WAIT = 0.9
/** A subject that keeps its own machine busy is not starved by others. */
export const OTHERS_BUSY = 0.5
/** Less work than this is too little to judge by. */
const LEAST_WANTED_MS = 500
/** For a machine that knows the load average alone, which cannot tell who caused it: marked, never void. */
const BUSY_LOAD = 2

/** Whether other programs starved the subject. Its own load never counts. */
export function decideLoad(seen: Omit<MachineLoad, 'state'>): MachineLoad['state'] {
  const { wantedMs, waitedMs, othersShare, load1, cpus } = seen
  if (wantedMs === null || waitedMs === null)
    return load1 !== null && load1 / cpus >= BUSY_LOAD ? 'busy' : 'free'
  if (wantedMs < LEAST_WANTED_MS) return 'free'
  const waited = waitedMs / wantedMs
  if (waited < BUSY_WAIT) return 'free'
  return waited >= STARVED_WAIT && (othersShare ?? 0) >= OTHERS_BUSY ? 'starved' : 'busy'
}

/** The load in one line, for pages and reasons. */
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
