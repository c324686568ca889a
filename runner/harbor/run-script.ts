import { chmod, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MAX_TEST_REPORT_BYTES } from '#lib/domain/formats/index.ts'
import { MAX_REWARD_BYTES } from '#lib/domain/tasks/index.ts'
import { readPlainFile } from '../engine/read-plain-file.ts'
import type { Workspace } from '../engine/workspace.ts'
import { applyChanges, type Change } from '../repository/overlay.ts'
import { machineError } from '../runner-error.ts'
import type { Isolation, Mount } from '../sandbox/isolation/isolation.ts'
import { runEnclosed } from '../sandbox/isolation/run-enclosed.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import type { ProcessEnding } from '../sandbox/process/run-process.ts'
import { PINNED_NAMES, subjectEnv } from '../subjects/agents/agent-program.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import type { HarborSettings, VerifierRun } from './place.ts'
import { placeLimits } from './place-limits.ts'

/** Limit of bytes that a script may write if the task declares none. */
const DEFAULT_DISK_BYTES = 2 * 2 ** 30
const MAX_LOG_BYTES = 4 << 20
/** Time limit of a solution if the task gives its agent none. */
const DEFAULT_MS = 3_600_000

/** Place in which a script runs, with the isolation of the environment. */
export type ScriptPlace = {
  /** True if `/logs/artifacts` already exists; absent = all of `/logs` is new. */
  hasArtifacts?: boolean
  place: Workspace
  isolation: Isolation
  settings: HarborSettings
}

/** Runs `solve.sh`. The solution is mounted only for this. */
export async function runSolution(
  task: LoadedHarbor,
  { place, isolation, settings }: ScriptPlace,
  log: CappedLog,
): Promise<ProcessEnding> {
  const { solution, task: about } = task
  if (solution === null) throw new Error(`${about.taskId} has no solution/solve.sh`)
  const mount = await showFiles(place, 'solution', solution)
  return runScript(
    task,
    { place, isolation: withMounts(isolation, [mount]), settings },
    {
      path: '/solution/solve.sh',
      timeoutMs: about.agent.timeoutMs ?? DEFAULT_MS,
      log,
      env: about.solutionEnv,
      network: about.agent.network === 'on',
    },
  )
}

/** Runs `test.sh` with `/tests` and an empty `/logs`, which contains no earlier reward, and reads its output files. */
export async function runVerifier(
  task: LoadedHarbor,
  files: readonly Change[],
  where: ScriptPlace,
): Promise<VerifierRun> {
  const { place, isolation, settings } = where
  const log = new CappedLog(join(place.folder, 'verify.log'), MAX_LOG_BYTES)
  try {
    const tests = await showFiles(place, 'tests', files)
    const logs = await makeLogs(place)
    const inVerifier = { ...logs, host: join(logs.host, 'verifier'), inside: '/logs/verifier' }
    const mounts = [tests, where.hasArtifacts ? inVerifier : logs]
    const { timeoutMs, env, network } = task.task.verifier
    const shown = { place, isolation: withMounts(isolation, mounts), settings }
    const ending = await runScript(task, shown, {
      path: '/tests/test.sh',
      timeoutMs,
      env,
      network: network === 'on',
      log,
    })
    log.flush()
    const written = await readRewardFiles(join(logs.host, 'verifier'))
    return { ending, log: await readFile(log.path, 'utf8'), ...written }
  } finally {
    log.close()
  }
}

/** Reads files of a verifier, which may be hostile: only regular files in its own folder, of limited size. */
async function readRewardFiles(
  folder: string,
): Promise<Pick<VerifierRun, 'txt' | 'json' | 'ctrf' | 'problem'>> {
  const problems: string[] = []
  const read = async (name: string, max: number) => {
    const found = await readPlainFile(folder, name, max)
    if (found.kind === 'refused') problems.push(`${name} ${found.reason}`)
    return found.kind === 'read' ? found.bytes.toString('utf8') : null
  }
  const txt = await read('reward.txt', MAX_REWARD_BYTES)
  const json = await read('reward.json', MAX_REWARD_BYTES)
  const problem = problems[0] ?? null
  // The report of tests is shown but decides nothing.
  return { txt, json, problem, ctrf: await read('ctrf.json', MAX_TEST_REPORT_BYTES) }
}

/** Makes a fresh `/logs` with the folders that scripts of this format write to. */
export async function makeLogs(place: Workspace): Promise<Mount> {
  const host = join(place.folder, 'logs')
  for (const name of ['.', 'agent', 'verifier', 'artifacts']) {
    await mkdir(join(host, name), { recursive: true })
    await chmod(join(host, name), 0o777) // the run's umask permits only its owner
  }
  return { host, inside: '/logs', writable: true }
}

/** Adds folders that the isolation shows to every program. */
export function withMounts(isolation: Isolation, more: readonly Mount[]): Isolation {
  return {
    ...isolation,
    enclose: (request) =>
      isolation.enclose({ ...request, mounts: [...(request.mounts ?? []), ...more] }),
  }
}

/** Mounts files of the task read-only at a path of their own; all scripts are executable, whatever their mode. */
export async function showFiles(
  place: Workspace,
  name: 'tests' | 'solution' | 'step' | 'environment',
  files: readonly Change[],
): Promise<Mount> {
  const host = join(place.folder, `shown-${name}`)
  await mkdir(host)
  const shown = files.map((file) => ({
    ...file,
    executable: file.executable || file.path.endsWith('.sh'),
  }))
  await applyChanges(host, shown)
  await openToRead(host, shown)
  return { host, inside: `/${name}`, writable: false }
}

/** Makes files readable, whatever the umask is: in a sandbox another user reads them. */
async function openToRead(root: string, files: readonly Change[]): Promise<void> {
  const folders = new Set(['.'])
  for (const { path, executable } of files) {
    await chmod(join(root, path), executable ? 0o755 : 0o644)
    for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.add(at)
  }
  for (const folder of folders) await chmod(join(root, folder), 0o755)
}

export type HowToRun = {
  /** A path, or a command of the shell. */
  path: string
  timeoutMs: number
  env: Record<string, string>
  network: boolean
  log: CappedLog
}

/** Runs a program of the task in an environment. Throws if it could not be started, or the run was stopped. */
export async function runScript(
  { task }: LoadedHarbor,
  { place, isolation, settings: { runMark, signal } }: ScriptPlace,
  { path, timeoutMs, env: own, network, log }: HowToRun,
): Promise<ProcessEnding> {
  const inside = isolation.inside(place)
  const common = subjectEnv({ ...inside, runMark }, RUNNER_ENV)
  // An image has its own time zone and locale, pinned by its digest.
  if (isolation.level === 'docker') for (const name of PINNED_NAMES) delete common[name]
  const env = { ...common, ...own }
  const marker = `harbor-${task.taskId}-${place.folder.split('-').at(-1)}`
  const ending = await runEnclosed(
    {
      ...place,
      isolation,
      runMark,
      signal,
      log,
      network,
      marker,
      settings: { diskQuotaBytes: DEFAULT_DISK_BYTES, ...placeLimits(task), timeoutMs },
    },
    { command: path, env },
  )
  if (ending.cause === 'spawn-failed' || !ending.clean)
    throw machineError(`${path} could not be started or ended on this machine`)
  // The output of a stopped script says nothing about the work.
  if (ending.cause === 'cancelled') throw new Error('stopped')
  return ending
}
