import { readFileSync } from 'node:fs'

/** CPU ticks of the whole machine since boot, as the kernel counts them. */
export type MachineTicks = { busy: number; steal: number; total: number }

/** Parses the first line of `/proc/stat`; null = not stated. Guest time is already part of user time. */
export function parseMachineTicks(text: string): MachineTicks | null {
  const found = /^cpu +(.*)$/m.exec(text)?.[1]
  if (found === undefined) return null
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] =
    found.split(' ').map(Number)
  const busy = user + nice + system + irq + softirq + steal
  return { busy, steal, total: busy + idle + iowait }
}

/**
 * Parses the microseconds since boot in which some task waited for a CPU, from `/proc/pressure/cpu`; null = not stated.
 */
export function parsePressure(text: string): number | null {
  const found = /^some .*\btotal=(\d+)/m.exec(text)?.[1]
  return found === undefined ? null : Number(found)
}

/** Parses the time of a process's main thread on a CPU and in a run queue (ns), from `/proc/<pid>/schedstat`. */
export function parseSchedule(text: string): { ranNs: number; waitedNs: number } | null {
  const found = /^(\d+) (\d+) /.exec(text)
  return found && { ranNs: Number(found[1]), waitedNs: Number(found[2]) }
}

/** Parses the ticks used by all threads of a process, from `/proc/<pid>/stat`. */
export function parseOwnTicks(text: string): number | null {
  // The command's name is in parentheses and may contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return Number.isFinite(ticks) ? ticks : null
}

/** Reads a file of `/proc`; null if it is missing: another system, or a process that is gone. */
export function readProcText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
