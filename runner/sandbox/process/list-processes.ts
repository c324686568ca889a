import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'

/** One running process, with what is needed to find its ancestors. */
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

/** Processes that have ended and that their parent did not take leave of yet. Linux only; elsewhere none is known. */
export function listZombies(): { identity: string; parent: number }[] {
  if (process.platform !== 'linux') return []
  return listPids().flatMap((pid) => {
    const stat = readStat(pid)
    if (stat?.[0] !== 'Z') return []
    return [{ identity: `${pid}@${stat[19]}`, parent: Number(stat[1]) }]
  })
}

/** What a process was started with, and the program that it was read of: it changes when another one is executed. */
type Environment = { program: string; text: string }

/** The environment of each process of the last look: to read all of them again was most of what a look costs. */
let known = new Map<number, Environment>()

function listFromProc(): RunningProcess[] {
  const before = known
  known = new Map()
  return listPids().flatMap((pid) => readProc(pid, before) ?? [])
}

function listPids(): number[] {
  return readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? [Number(entry)] : []))
}

/** A line of `/proc/<pid>/stat` has about 300 characters. */
const line = Buffer.alloc(4096)

/** The fields behind the command's name: state, parent, group, session; null when the process is gone. */
function readStat(pid: number): string[] | null {
  try {
    const file = openSync(`/proc/${pid}/stat`, 'r')
    try {
      const stat = line.toString('latin1', 0, readSync(file, line))
      // The command name is in parentheses and may itself contain any character: count from the last one.
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

/** In the field of flags: a thread of the kernel, which has neither environment nor folder. */
const OF_KERNEL = 0x0020_0000

/** Null when the process is gone or a zombie: both are beyond killing. */
function readProc(pid: number, before: ReadonlyMap<number, Environment>): RunningProcess | null {
  const fields = readStat(pid)
  if (!fields) return null
  const [state, parent, group, session] = fields
  if (state === 'Z' || state === 'X') return null
  const isOfKernel = (Number(fields[6]) & OF_KERNEL) !== 0
  return {
    pid,
    identity: `${pid}@${fields[19]}`,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    environment: isOfKernel ? '' : readEnvironment(pid, nameProgram(fields), before),
    cwd: isOfKernel ? '' : linkQuietly(pid),
  }
}

/** When a process began, and where the kernel put its arguments and environment, which is new with each `exec`; null = not told. */
function nameProgram(fields: readonly string[]): string | null {
  const [began, argumentsAt, environmentAt] = [fields[19], fields[45], fields[47]]
  return Number(environmentAt) > 0 ? `${began} ${argumentsAt} ${environmentAt}` : null
}

function readEnvironment(
  pid: number,
  program: string | null,
  before: ReadonlyMap<number, Environment>,
): string {
  const last = before.get(pid)
  const text = program !== null && last?.program === program ? last.text : readQuietly(pid)
  // One that could not be read is asked for again.
  if (program !== null && text !== '') known.set(pid, { program, text })
  return text
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

/** Pid and start time in clock ticks since boot, as pids are used again; elsewhere than on Linux the pid alone must do. */
export function identifyProcess(pid: number): string {
  return `${pid}@${readStat(pid)?.[19] ?? '-'}`
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
