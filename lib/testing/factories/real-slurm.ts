import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type RealSlurm = {
  /** The variable by which Slurm's commands find it. */
  env: { SLURM_CONF: string }
  /** Folder shared between this machine and the only node. */
  shared: string
  stop: () => Promise<void>
}

const PROGRAMS = ['munged', 'slurmctld', 'slurmd', 'sbatch', 'squeue', 'scancel', 'scontrol']
const READY_MS = 60_000

/**
 * Starts Slurm's controller and node daemon with a separate munge, on loopback ports, configured in a temporary folder.
 * A string = why it cannot be started here.
 */
export async function startSlurm(): Promise<RealSlurm | string> {
  const missing = PROGRAMS.find((name) => findProgram(name) === null)
  if (missing !== undefined) return `${missing} is not installed (apt-get install slurm-wlm)`
  if (process.getuid?.() !== 0) return 'slurmd has to be started by root'
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-slurm-'))
  const children: ChildProcess[] = []
  let message = ''
  const start = (name: string, args: string[], env: Record<string, string> = {}) => {
    const child = spawn(findProgram(name) ?? name, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        message += `${name}: ${text}`
      })
    children.push(child)
    return child
  }
  const stop = async () => {
    for (const child of children.reverse()) await end(child)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const shared = join(folder, 'shared')
  for (const name of ['state', 'spool', 'shared', 'munge']) mkdirSync(join(folder, name))
  const env = await configure(folder)
  start('munged', [
    '--foreground',
    '--force',
    `--key-file=${join(folder, 'munge', 'key')}`,
    `--socket=${join(folder, 'munge', 'socket')}`,
    `--pid-file=${join(folder, 'munge', 'pid')}`,
    `--log-file=${join(folder, 'munge', 'log')}`,
    `--seed-file=${join(folder, 'munge', 'seed')}`,
  ])
  await until(() => existsSync(join(folder, 'munge', 'socket')), 10_000)
  start('slurmctld', ['-D', '-i', '-f', env.SLURM_CONF], env)
  start('slurmd', ['-D', '-N', NODE, '-f', env.SLURM_CONF], env)
  const isUp = await until(() => {
    const { stdout } = spawnSync('sinfo', ['--noheader', '--format=%T'], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
      timeout: 5000,
    })
    return /^(idle|mixed)/m.test(stdout)
  }, READY_MS)
  if (isUp) return { env, shared, stop }
  await stop()
  return `its node did not become ready: ${message.trim().split('\n').slice(-4).join(' · ')}`
}

const NODE = 'proofboard'

async function configure(folder: string): Promise<{ SLURM_CONF: string }> {
  writeFileSync(join(folder, 'munge', 'key'), randomBytes(1024), { mode: 0o400 })
  const [control, node] = [await freePort(), await freePort()]
  const file = join(folder, 'slurm.conf')
  const lines = [
    'ClusterName=proofboard',
    `SlurmctldHost=${hostname()}(127.0.0.1)`,
    'SlurmUser=root',
    'SlurmdUser=root',
    'AuthType=auth/munge',
    // A requeued job starts again once its credential has expired.
    `AuthInfo=socket=${join(folder, 'munge', 'socket')},cred_expire=5`,
    'CredType=cred/munge',
    `SlurmctldPort=${control}`,
    `SlurmdPort=${node}`,
    `StateSaveLocation=${join(folder, 'state')}`,
    `SlurmdSpoolDir=${join(folder, 'spool')}`,
    `SlurmctldPidFile=${join(folder, 'ctld.pid')}`,
    `SlurmdPidFile=${join(folder, 'd.pid')}`,
    'ProctrackType=proctrack/linuxproc',
    'TaskPlugin=task/none',
    'SelectType=select/cons_tres',
    'SelectTypeParameters=CR_Core',
    'JobRequeue=1',
    'KillWait=10',
    'MinJobAge=300',
    'SchedulerParameters=sched_interval=2,bf_interval=2',
    'ReturnToService=2',
    'SwitchType=switch/none',
    'MpiDefault=none',
    'AccountingStorageType=accounting_storage/none',
    'JobAcctGatherType=jobacct_gather/none',
    `NodeName=${NODE} NodeHostname=${hostname()} NodeAddr=127.0.0.1 CPUs=${availableParallelism()} RealMemory=2000 State=UNKNOWN`,
    `PartitionName=main Nodes=${NODE} Default=YES MaxTime=INFINITE State=UP`,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  writeFileSync(join(folder, 'cgroup.conf'), 'CgroupPlugin=cgroup/v1\nConstrainCores=no\n')
  return { SLURM_CONF: file }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return typeof address === 'object' && address ? address.port : 0
}

function findProgram(name: string): string | null {
  const places = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']
  return places.map((place) => join(place, name)).find((path) => existsSync(path)) ?? null
}

async function until(isTrue: () => boolean, withinMs: number): Promise<boolean> {
  for (const last = Date.now() + withinMs; Date.now() < last; await sleep(250))
    if (isTrue()) return true
  return false
}

/** Sends SIGTERM first, then kills a daemon that does not exit. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  await Promise.race([gone, sleep(15_000)])
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
}
