import { readdirSync, readFileSync } from 'node:fs'

/** Pids of this machine whose command line holds `words`, whatever namespace they are in. */
export function findProcesses(words: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
        return line.includes(words)
      } catch {
        return false
      }
    })
}

/** An argument for `sleep` that nobody else uses. */
export function uniqueSleep(): string {
  return `864${Math.floor(Math.random() * 1e9)}`
}
