import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'

/** A running process, with its ancestry. */
export type RunningProcess = {
  pid: number
  /** Pid and start time, because pids are reused. */
  identity: string
  parent: number
  group: number
  session: number
  environment: string
  cwd: string
}

/** Lists every visible process: from /proc on Linux, elsewhere from `ps`, which reports no working folder. */
export function listProcesses(): RunningProcess[] {
  return process.platform === 'linux' ? listFromProc() : listFromPs()
}

/** Lists processes that have ended but were not reaped by their parent. Linux only; elsewhere empty. */
export function listZombies(): { identity: string; parent: number }[] {
  if (process.platform !== 'linux') return []
  return listPids().flatMap((pid) => {
    const stat = readStat(pid)
    if (stat?.[0] !== 'Z') return []
    return [{ identity: `${pid}@${stat[19]}`, parent: Number(stat[1]) }]
  })
}

/** A process's environment, and its identity from `identifyProgram` when it was read. */
type Environment = { program: string; text: string }

/** Environments from the previous listing, because reading them is most of the cost. */
let known = new Map<number, Environment>()

function listFromProc(): RunningProcess[] {
  const before = known
  known = new Map()
  return listPids().flatMap((pid) => readProc(pid, before) ?? [])
}

function listPids(): number[] {
  return readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? [Number(entry)] : []))
}

/** Buffer for one `/proc/<pid>/stat`, which is about 300 characters long. */
const statBuffer = Buffer.alloc(4096)

/** Fields after the command name: state, parent, group, session; null = the process is gone. */
function readStat(pid: number): string[] | null {
  try {
    const file = openSync(`/proc/${pid}/stat`, 'r')
    try {
      const stat = statBuffer.toString('latin1', 0, readSync(file, statBuffer))
      // The command name is in parentheses and may contain any character, so search for the last one.
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

/** Flag of a kernel thread, which has neither environment nor working folder. */
const KERNEL_THREAD = 0x0020_0000

/** Null if the process is gone or a zombie: neither can be killed. */
function readProc(pid: number, before: ReadonlyMap<number, Environment>): RunningProcess | null {
  const fields = readStat(pid)
  if (!fields) return null
  const [state, parent, group, session] = fields
  if (state === 'Z' || state === 'X') return null
  const isKernelThread = (Number(fields[6]) & KERNEL_THREAD) !== 0
  return {
    pid,
    identity: `${pid}@${fields[19]}`,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    environment: isKernelThread ? '' : readEnvironment(pid, identifyProgram(fields), before),
    cwd: isKernelThread ? '' : readCwd(pid),
  }
}

/**
 * Start time of a process, and the addresses of its arguments and environment, which change with each `exec`; null =
 * unknown.
 */
function identifyProgram(fields: readonly string[]): string | null {
  const [startTime, argumentsAt, environmentAt] = [fields[19], fields[45], fields[47]]
  return Number(environmentAt) > 0 ? `${startTime} ${argumentsAt} ${environmentAt}` : null
}

function readEnvironment(
  pid: number,
  program: string | null,
  before: ReadonlyMap<number, Environment>,
): string {
  const last = before.get(pid)
  const text = program !== null && last?.program === program ? last.text : readEnviron(pid)
  // An unreadable environment is not cached, so the next listing tries again.
  if (program !== null && text !== '') known.set(pid, { program, text })
  return text
}

function readEnviron(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}

function readCwd(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function listFromPs(): RunningProcess[] {
  const text = execFileSync('ps', ['-axEww', '-o', 'pid=,ppid=,pgid=,sess=,stat=,command='], {
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

/** Pid and start time in clock ticks since boot, because pids are reused; outside Linux, the pid alone. */
export function identifyProcess(pid: number): string {
  return `${pid}@${readStat(pid)?.[19] ?? '-'}`
}

/** True if this exact process is still alive. */
export function isSameAlive(identity: string): boolean {
  const pid = Number(identity.split('@')[0])
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return identifyProcess(pid) === identity
}

/** Identifies this boot of the machine and of the container, whose pid 1 is new after a restart of either. */
export function identifyBoot(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${identifyProcess(1)}`
  } catch {
    return null
  }
}
