import { readFile } from 'node:fs/promises'
import os from 'node:os'
import type { BrowserRecord, MachineLoad } from '#lib/domain/record/index.ts'
import {
  listProcesses,
  listZombies,
  type RunningProcess,
} from '../sandbox/process/list-processes.ts'
import { MARKER_VARIABLE } from '../sandbox/process/process-tree.ts'
import { LoadMeter, readLoadAverage, takeLoadSample } from './watch-load.ts'

const ROUND_MS = 500

type Peaks = BrowserRecord['processes']

/** Measurements of an episode's processes and of the machine. */
export type Watched = { processes: Peaks; load: MachineLoad }

/** A running measurement of both. */
export type Watch = {
  /** Wall time that other programs have taken from the episode so far. */
  lostMs: () => number
  stop: () => Promise<Watched>
}

const UNKNOWN: Peaks = {
  peakPssBytes: null,
  libraryPeakPssBytes: null,
  peakCount: null,
  zombies: null,
}

/**
 * Samples twice a second the processes of a browser and of the library that carries `marker`: peak memory (proportional
 * set size, so that shared pages count once), peak number of processes, zombies, and how long both waited for a CPU. On
 * systems other than Linux only the load average is known.
 */
export function watchProcesses(browserMarker: string, libraryMarker: string): Watch {
  const meter = new LoadMeter()
  const report = () => meter.report(readLoadAverage(), os.cpus().length || 1)
  if (process.platform !== 'linux')
    return { lostMs: () => 0, stop: async () => ({ processes: UNKNOWN, load: report() }) }
  const peaks = { all: 0, library: 0, count: 0 }
  const unburied = new Set<string>()
  let deadBefore = new Set<string>()
  const look = async () => {
    const running = listProcesses()
    const library = treeOf(running, libraryMarker)
    const browser = treeOf(running, browserMarker)
    const members = new Set([...library, ...browser])
    meter.add(takeLoadSample(running.filter(({ pid }) => members.has(pid))))
    // Every process is briefly a zombie between its end and its parent's next wait: only one that stays counts.
    const dead = new Set(
      listZombies().flatMap(({ identity, parent }) => (members.has(parent) ? [identity] : [])),
    )
    for (const identity of dead) if (deadBefore.has(identity)) unburied.add(identity)
    deadBefore = dead
    const sizes = new Map(
      await Promise.all([...members].map(async (pid) => [pid, await readPss(pid)] as const)),
    )
    const sum = (pids: ReadonlySet<number>) =>
      [...pids].reduce((total, pid) => total + (sizes.get(pid) ?? 0), 0)
    peaks.all = Math.max(peaks.all, sum(members))
    peaks.library = Math.max(peaks.library, sum(library))
    peaks.count = Math.max(peaks.count, members.size)
  }
  let looking: Promise<void> = look()
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, ROUND_MS)
  return {
    lostMs: () => meter.lostMs(),
    stop: async () => {
      clearInterval(timer)
      await looking.then(look)
      const processes = {
        peakPssBytes: peaks.all || null,
        libraryPeakPssBytes: peaks.library || null,
        peakCount: peaks.count || null,
        zombies: peaks.count > 0 ? unburied.size : null,
      }
      return { processes, load: report() }
    },
  }
}

/** Returns processes with the marker, and all their descendants: a browser's children lose their environment. */
function treeOf(running: readonly RunningProcess[], marker: string): Set<number> {
  const mark = `${MARKER_VARIABLE}=${marker}\0`
  const members = new Set(
    running.filter(({ environment }) => environment.includes(mark)).map(({ pid }) => pid),
  )
  for (let grew = true; grew; ) {
    const before = members.size
    for (const { pid, parent } of running) if (members.has(parent)) members.add(pid)
    grew = members.size > before
  }
  return members
}

/** Bytes; 0 for a process that is gone. */
async function readPss(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
}
