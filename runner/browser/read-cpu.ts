import { readFileSync } from 'node:fs'

/** Ticks of the whole machine since boot, by the kernel's own account. */
export type MachineTicks = { busy: number; steal: number; total: number }

/** The first line of `/proc/stat`; null = it does not say. Guest time is part of user time already. */
export function parseMachineTicks(text: string): MachineTicks | null {
  const found = /^cpu +(.*)$/m.exec(text)?.[1]
  if (found === undefined) return null
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] =
    found.split(' ').map(Number)
  const busy = user + nice + system + irq + softirq + steal
  return { busy, steal, total: busy + idle + iowait }
}

/** Microseconds since boot in which some task waited for a CPU, of `/proc/pressure/cpu`; null = it does not say. */
export function parsePressure(text: string): number | null {
  const found = /^some .*\btotal=(\d+)/m.exec(text)?.[1]
  return found === undefined ? null : Number(found)
}

/** Of a process's main thread: nanoseconds on a CPU and in a run queue, of `/proc/<pid>/schedstat`. */
export function parseSchedule(text: string): { ranNs: number; waitedNs: number } | null {
  const found = /^(\d+) (\d+) /.exec(text)
  return found && { ranNs: Number(found[1]), waitedNs: Number(found[2]) }
}

/** Ticks that all threads of a process used, of `/proc/<pid>/stat`. */
export function parseOwnTicks(text: string): number | null {
  // The command's name stands in parentheses and may hold any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return Number.isFinite(ticks) ? ticks : null
}

/** Null where there is no such file: another system, a process that is gone. */
export function readProcText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
