import { existsSync, readFileSync } from 'node:fs'

/** Measures the CPU time of this process, in milliseconds. */
export async function measureCpu(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Measures the CPU time of another process during `work`, in milliseconds. */
export async function cpuOf(pid: number, work: () => Promise<void>): Promise<number> {
  const before = readCpu(pid)
  await work()
  return readCpu(pid) - before
}

/** Linux counts 100 ticks a second. */
const TICK_MS = 10

/** CPU time of a process so far, in milliseconds; NaN without /proc. */
function readCpu(pid: number): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return Number.NaN
  const [user, system] = readFileSync(file, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
  return (Number(user) + Number(system)) * TICK_MS
}

/** Resident memory of a process, in bytes; NaN without /proc. */
export function readMemory(pid: number): number {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return Number.NaN
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) * 1024
}

/** Prints a figure and its goal; null = it has none. */
export function print(name: string, value: number, unit: string, goal: number | null): void {
  const shown = value >= 100 ? value.toFixed(0) : value.toPrecision(3)
  const beside = goal === null ? '' : `  goal ${goal} ${unit}${value <= goal ? '' : '  missed'}`
  process.stdout.write(`  ${name.padEnd(62)} ${shown.padStart(8)} ${unit.padEnd(3)}${beside}\n`)
}
