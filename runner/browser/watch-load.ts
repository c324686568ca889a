import { readFileSync } from 'node:fs'
import os from 'node:os'
import { decideLoad, type MachineLoad, OTHERS_BUSY } from '#lib/domain/record/index.ts'

/** The kernel's counters at one moment, for the machine and some of its processes. */
export type LoadSample = {
  atMs: number
  machine: MachineTicks | null
  pressureUs: number | null
  /** Keyed by process: pid and start time, because pids are reused. */
  processes: ReadonlyMap<string, { ticks: number; ranNs: number; waitedNs: number }>
}

const NONE = { ticks: 0, ranNs: 0, waitedNs: 0 }

/** Samples the machine and these processes once. */
export function takeLoadSample(members: readonly { pid: number; identity: string }[]): LoadSample {
  const processes = members.flatMap(({ pid, identity }) => {
    const schedule = parseSchedule(readProcText(`/proc/${pid}/schedstat`) ?? '')
    const ticks = parseOwnTicks(readProcText(`/proc/${pid}/stat`) ?? '')
    return schedule === null || ticks === null ? [] : [[identity, { ticks, ...schedule }] as const]
  })
  return {
    atMs: performance.now(),
    machine: parseMachineTicks(readProcText('/proc/stat') ?? ''),
    pressureUs: parsePressure(readProcText('/proc/pressure/cpu') ?? ''),
    processes: new Map(processes),
  }
}

/** Sums the differences between consecutive samples. */
export class LoadMeter {
  #first: LoadSample | null = null
  #last: LoadSample | null = null
  #ran = 0
  #waited = 0
  #own = 0
  #lost = 0

  /** Processes that are new here began at zero, except those of the first sample, which may be old. */
  add(sample: LoadSample): void {
    const before = this.#last
    this.#first ??= sample
    this.#last = sample
    if (before === null) return
    let [ran, waited, own] = [0, 0, 0]
    for (const [identity, now] of sample.processes) {
      const then = before.processes.get(identity) ?? NONE
      ran += Math.max(0, now.ranNs - then.ranNs)
      waited += Math.max(0, now.waitedNs - then.waitedNs)
      own += Math.max(0, now.ticks - then.ticks)
    }
    this.#ran += ran
    this.#waited += waited
    this.#own += own
    if ((othersIn(before, sample, own) ?? 0) >= OTHERS_BUSY)
      this.#lost += Math.min(sample.atMs - before.atMs, waited / 1e6)
  }

  /** Wall time that other programs have taken from the subject so far. */
  lostMs(): number {
    return this.#lost
  }

  report(load1: number | null, cpus: number): MachineLoad {
    const [first, last] = [this.#first, this.#last]
    const wallMs = first && last ? last.atMs - first.atMs : 0
    const isKnown = first !== null && last !== null && last.machine !== null
    const seen = {
      cpus,
      wallMs: round(wallMs),
      load1,
      stealShare: isKnown ? shareOf(first, last, ({ steal }) => steal) : null,
      othersShare: isKnown ? othersIn(first, last, this.#own) : null,
      pressureShare: first && last ? pressureIn(first, last) : null,
      wantedMs: isKnown ? round((this.#ran + this.#waited) / 1e6) : null,
      waitedMs: isKnown ? round(this.#waited / 1e6) : null,
      lostMs: isKnown ? round(this.#lost) : null,
    }
    return { ...seen, state: decideLoad(seen) }
  }
}

function othersIn(from: LoadSample, to: LoadSample, own: number): number | null {
  return shareOf(from, to, ({ busy }) => busy, own)
}

function shareOf(
  from: LoadSample,
  to: LoadSample,
  read: (ticks: MachineTicks) => number,
  without = 0,
): number | null {
  if (from.machine === null || to.machine === null) return null
  const total = to.machine.total - from.machine.total
  return total <= 0 ? null : clamp((read(to.machine) - read(from.machine) - without) / total)
}

function pressureIn(from: LoadSample, to: LoadSample): number | null {
  const wallMs = to.atMs - from.atMs
  if (from.pressureUs === null || to.pressureUs === null || wallMs <= 0) return null
  return clamp((to.pressureUs - from.pressureUs) / 1000 / wallMs)
}

const clamp = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000
const round = (ms: number) => Math.round(ms * 10) / 10

/** The load average of the last minute; null if the system has none. */
export function readLoadAverage(): number | null {
  if (process.platform === 'win32') return null
  return Math.round((os.loadavg()[0] ?? 0) * 100) / 100
}

/** CPU ticks of the whole machine since boot, as the kernel counts them. */
type MachineTicks = { busy: number; steal: number; total: number }

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
function readProcText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
