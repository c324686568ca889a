import { readdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { runTool } from './run-tool.ts'

const ROUNDS = 20

/**
 * Ends every process of a user that was lent to one subject, however it hid: a process of that user signals all others
 * of it in one call, which no fork outruns. False when some survived. Only root can do this.
 */
export async function endUser(user: { uid: number; gid: number }): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round++) {
    await runTool(['/bin/sh', '-c', 'kill -9 -1'], {
      env: { PATH: '/usr/bin:/bin' },
      timeoutMs: 10_000,
      user,
    })
    if (!hasProcesses(user.uid)) return true
    await sleep(Math.min(5 * (round + 1), 100))
  }
  return false
}

/** Whether one is alive that has not ended yet; where there is no /proc the signal has to be trusted. */
function hasProcesses(uid: number): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && isAliveOf(entry, uid))
}

function isAliveOf(pid: string, uid: number): boolean {
  try {
    if (statSync(`/proc/${pid}`).uid !== uid) return false
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false // gone in the meantime
  }
}
