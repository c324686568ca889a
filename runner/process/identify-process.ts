import { readFileSync } from 'node:fs'

/** Pid and start time in clock ticks since boot, as pids are used again; elsewhere than on Linux the pid alone must do. */
export function identifyProcess(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return `${pid}@${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-'}`
  } catch {
    return `${pid}@-`
  }
}

/** Whether that very process is still alive. */
export function isSameAlive(identity: string): boolean {
  const pid = Number(identity.split('@')[0])
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return identifyProcess(pid) === identity
}

/** This boot of the machine, and of the container that we may be in: pid 1 is new when either started again. */
export function identifyBoot(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${identifyProcess(1)}`
  } catch {
    return null
  }
}
