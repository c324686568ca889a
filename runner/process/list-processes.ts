import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** One running process as far as we need it to tell whose child it is. */
export type RunningProcess = {
  pid: number
  /** Pid and start time: pids are used again. */
  identity: string
  parent: number
  group: number
  session: number
  environment: string
  cwd: string
}

/** Every process of this machine that we may look at. Linux reads /proc; elsewhere `ps` must tell (no cwd there). */
export function listProcesses(): RunningProcess[] {
  return process.platform === 'linux' ? listFromProc() : listFromPs()
}

function listFromProc(): RunningProcess[] {
  const found: RunningProcess[] = []
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const one = readProc(Number(entry))
    if (one) found.push(one)
  }
  return found
}

/** Null when the process is gone or a zombie: both are beyond killing. */
function readProc(pid: number): RunningProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command name stands in parentheses and may itself hold any character: count from the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, parent, group, session] = fields
    if (state === 'Z' || state === 'X') return null
    const numbers = { parent: Number(parent), group: Number(group), session: Number(session) }
    return {
      pid,
      identity: `${pid}@${fields[19]}`,
      ...numbers,
      environment: readQuietly(pid),
      cwd: linkQuietly(pid),
    }
  } catch {
    return null
  }
}

function readQuietly(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}

function linkQuietly(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function listFromPs(): RunningProcess[] {
  const text = execFileSync('ps', ['axeww', '-o', 'pid=,ppid=,pgid=,sess=,stat=,command='], {
    encoding: 'latin1',
    maxBuffer: 64 << 20,
  })
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s(.*)$/.exec(line)
    if (!match || match[5]?.startsWith('Z')) return []
    const [, pid, parent, group, session, , environment] = match
    return [
      {
        pid: Number(pid),
        identity: String(pid),
        parent: Number(parent),
        group: Number(group),
        session: Number(session) || 0,
        environment: environment ?? '',
        cwd: '',
      },
    ]
  })
}
