import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Digest, digestJson } from '#lib/domain/digest/index.ts'
import { mayUseNetwork, type RepositoryTask } from '#lib/domain/tasks/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { refuseTaskLimits } from '../engine/declared-limits.ts'
import {
  ABANDONED_MS,
  makeFolder,
  removeAbandoned,
  removeTree,
  writeAtomic,
} from '../engine/files.ts'
import { createAttemptDirs } from '../engine/workspace.ts'
import { suiteError } from '../runner-error.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import type { ProcessEnding } from '../sandbox/process/run-process.ts'
import { shareWork } from '../share-work.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import { checkOutSource, suiteIdOf } from './check-out.ts'
import { giveHostNetwork } from './host-network.ts'
import { findBrokenLimit, partLimits, treeLimits } from './limits.ts'
import { type CommandPlace, runTaskCommand, type VerifySettings } from './run-command.ts'
import { withDownloads } from './shared-downloads.ts'
import { tellingLine } from './telling-line.ts'
import { copyTree, digestTree, readTree, type TreeEntry, type TreeLimits } from './tree.ts'
import { watchLog } from './watch-log.ts'

/** A repository in its state at the start of every attempt: its tree and the seal of it. */
export type PreparedBase = { folder: string; entries: readonly TreeEntry[]; digest: Digest }

/** Inputs of preparation; all attempts of a run share them. */
export type BaseSettings = VerifySettings & {
  /** Cache of prepared trees between runs. */
  cache: string
  /** A base with the same packages, from whose installed files the set-up starts; absent = it starts without any. */
  seed?: PreparedBase | null
}

const MAX_LOG_BYTES = 1 << 20
/** Number of cached trees; the least recently used are removed first. */
const MAX_BASES = 32
const DRAFT = 'draft-'

const sharePreparing = shareWork<PreparedBase>()

/**
 * Returns the prepared base of a task, built once for each source, set-up and isolation, and verified before each use:
 * a tree that differs from its seal is discarded and built again. Throws a RunnerError for a failed set-up.
 */
export async function prepareBase(
  task: LoadedRepository,
  settings: BaseSettings,
): Promise<PreparedBase> {
  const { source, setup, provide } = task.task
  const refusal = refuseTaskLimits(task, { agent: null, judging: settings.isolation.level })
  if (refusal !== null) throw suiteError(refusal)
  if (!('git' in source) && setup.length + provide.length === 0) return readPlainBase(task)
  const key = await keyOf(task, settings)
  const folder = join(settings.cache, key)
  return sharePreparing(folder, () => makeBase(task, folder, settings))
}

/** Uses the task's own folder; it was read with the task, so a change since then makes it another task. */
async function readPlainBase({ folder, task }: LoadedRepository): Promise<PreparedBase> {
  const root = join(folder, 'folder' in task.source ? (task.source.folder ?? '') : '')
  const entries = await readTree(root, treeLimits(task.limits))
  return { folder: root, entries, digest: digestTree(entries) }
}

async function keyOf(
  { folder, task }: LoadedRepository,
  { isolation }: BaseSettings,
): Promise<string> {
  const { source, setup, provide, network } = task
  const { isolation: level, containerImageDigest } = await isolation.record()
  const what =
    'git' in source
      ? { commit: source.commit, folder: source.folder ?? null, without: await suiteIdOf(folder) }
      : { tree: digestTree(await readTree(join(folder, source.folder), treeLimits(task.limits))) }
  const digest = digestJson({
    what,
    setup,
    provide: provide.map(describePackage),
    network,
    level,
    image: containerImageDigest,
  })
  return digest.slice('sha256:'.length, 'sha256:'.length + 40)
}

async function makeBase(
  task: LoadedRepository,
  folder: string,
  settings: BaseSettings,
): Promise<PreparedBase> {
  const limits = treeLimits(task.task.limits)
  const cached = await readCached(folder, limits)
  if (cached !== null) return cached
  await removeTree(folder)
  await makeFolder(settings.cache)
  await dropOldest(settings.cache)
  const draft = await mkdtemp(join(settings.cache, DRAFT))
  try {
    const tree = join(draft, 'tree')
    const entries = await buildTree(task, tree, settings)
    const digest = digestTree(entries)
    await writeAtomic(join(draft, 'seal.json'), JSON.stringify({ digest }))
    await rename(draft, folder).catch(async (error) => {
      // Another runner was faster: its result is verified like any other.
      if (!existsSync(folder)) throw error
    })
    const made = await readCached(folder, limits)
    if (made === null || made.digest !== digest)
      throw suiteError(`the prepared repository of ${task.task.taskId} was changed on disk`)
    return made
  } finally {
    await removeTree(draft)
  }
}

/** Null = missing, or different from its seal. */
async function readCached(folder: string, limits: TreeLimits): Promise<PreparedBase | null> {
  const text = await readFile(join(folder, 'seal.json'), 'utf8').catch(() => null)
  if (text === null) return null
  const tree = join(folder, 'tree')
  const entries = await readTree(tree, limits).catch(() => null)
  if (entries === null) return null
  const digest = digestTree(entries)
  const sealed = parseJson(text) as { digest?: unknown } | undefined
  if (sealed?.digest !== digest) return null
  const now = new Date()
  await utimes(folder, now, now).catch(() => {})
  return { folder: tree, entries, digest }
}

/**
 * Removes the trees beyond the maximum. An attempt reads its base again when it is judged, so trees used within a day
 * are kept.
 */
async function dropOldest(cache: string): Promise<void> {
  await removeAbandoned(cache, [DRAFT])
  const names = (await readdir(cache)).filter((name) => !name.startsWith(DRAFT))
  const aged = names.flatMap((name) => {
    const at = statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs
    return at !== undefined && Date.now() - at > ABANDONED_MS ? [{ name, at }] : []
  })
  aged.sort((a, b) => a.at - b.at)
  for (const { name } of aged.slice(0, Math.max(0, names.length - MAX_BASES + 1)))
    await rm(join(cache, name), { recursive: true, force: true })
}

/** Runs source and set-up in a fresh place; copies the result to `target` and lists it. */
async function buildTree(
  loaded: LoadedRepository,
  target: string,
  { isolation, runMark, signal, temporary, onStep, seed }: BaseSettings,
): Promise<TreeEntry[]> {
  const { folder, task } = loaded
  const place = await createAttemptDirs(temporary, null, 'workspace')
  const log = new CappedLog(join(place.folder, 'setup.log'), MAX_LOG_BYTES)
  const { source, provide, taskId } = task
  const limits = treeLimits(task.limits)
  try {
    if ('git' in source) {
      const suiteId = await suiteIdOf(folder)
      await checkOutSource(source, place.workspace, {
        taskFolder: folder,
        suiteId,
        temporary,
        limits,
      })
    } else {
      const from = join(folder, source.folder)
      await copyTree(await readTree(from, limits), from, place.workspace)
    }
    for (const name of provide) await copyPackage(name, place.workspace)
    if (seed) await copyInstalled(seed, place.workspace)
    const setupPlace = { ...place, isolation, runMark, signal, marker: '' }
    await runSetup(loaded, setupPlace, { log, onStep, temporary })
    const seenAs = isolation.inside(place).workspace
    const entries = await readTree(place.workspace, limits, seenAs).catch((error: Error) => {
      throw suiteError(`task ${taskId}: the prepared repository ${error.message}`)
    })
    await mkdir(target, { recursive: true })
    await copyTree(entries, place.workspace, target)
    return entries
  } finally {
    log.close()
    await place.remove()
  }
}

/** Folders that a set-up fills, at any depth. */
const INSTALLED = /(^|\/)(node_modules|\.venv|\.gocache)\//

async function copyInstalled({ entries, folder }: PreparedBase, workspace: string): Promise<void> {
  const installed = entries.filter(
    ({ path }) => INSTALLED.test(path) && !existsSync(join(workspace, path)),
  )
  await copyTree(installed, folder, workspace)
}

/** Runs the commands of a set-up; with a network, on the settings of this machine and earlier downloads. */
async function runSetup(
  task: LoadedRepository,
  place: CommandPlace,
  how: Pick<BaseSettings, 'temporary' | 'onStep'> & { log: CappedLog },
): Promise<void> {
  if (!mayUseNetwork(task.task, 'setup')) return runCommands(task.task, place, how, {})
  const { home } = place
  const inside = place.isolation.inside(place).home
  const host = await giveHostNetwork(home, inside)
  const { temporary } = how
  const commands = task.task.setup
  const downloads = { suite: dirname(task.folder), temporary, home, inside, commands }
  await withDownloads(downloads, (env, baseBytes) =>
    runCommands(task.task, { ...place, baseBytes }, how, { ...host, ...env }),
  )
}

/** Runs the commands one after the other; throws a RunnerError for the first that fails. */
async function runCommands(
  task: RepositoryTask,
  place: CommandPlace,
  { log, onStep }: { log: CappedLog; onStep?: BaseSettings['onStep'] },
  given: Record<string, string>,
): Promise<void> {
  const network = mayUseNetwork(task, 'setup')
  // npm is silent without a terminal, unless it names its downloads.
  const env = onStep ? { npm_config_loglevel: 'http', ...given } : given
  for (const [at, command] of task.setup.entries()) {
    const part = task.setup.length > 1 ? `set-up ${at + 1} of ${task.setup.length}` : 'set-up'
    onStep?.(`${part}: ${command}`)
    const unwatch = watchLog(log.path, onStep && ((line) => onStep(`${part}: ${line}`)))
    const ending = await runTaskCommand(
      { ...place, marker: `setup-${task.taskId}-${process.pid}` },
      { command, limits: partLimits(task, 'setup'), network, log, env },
    ).finally(unwatch)
    if (ending.cause === 'exited' && ending.exitCode === 0) continue
    log.flush()
    const how = describeFailure(task, ending, await readFile(log.path, 'utf8'))
    throw suiteError(`task ${task.taskId}: the setup command "${command}" ${how}`)
  }
}

/** Describes an exceeded limit with the field that raises it, else the exit code with the most informative line. */
function describeFailure(task: RepositoryTask, ending: ProcessEnding, log: string): string {
  const broken = findBrokenLimit(task, 'setup', { ending, log })
  if (broken !== null) return broken
  const how = ending.cause === 'exited' ? `exited with ${ending.exitCode}` : ending.cause
  return `${how}${tellingLine(log)}`
}

type Provided = RepositoryTask['provide'][number]

const MODULES = join(PROJECT_ROOT, 'node_modules')

/** Returns name and version of a package of this installation. */
function describePackage(name: Provided): string {
  const text = readFileSync(join(MODULES, name, 'package.json'), 'utf8')
  return `${name}@${(JSON.parse(text) as { version: string }).version}`
}

/** Copies a package of this installation, with its program for this machine, into a repository. */
async function copyPackage(name: Provided, root: string): Promise<void> {
  const program = join(`@${name}`, `${process.platform}-${process.arch}`)
  for (const folder of [name, program]) {
    const from = join(MODULES, folder)
    if (!existsSync(from)) throw new Error(`${folder} is not installed here`)
    const to = join(root, 'node_modules', folder)
    await mkdir(to, { recursive: true })
    await copyTree(await readTree(from), from, to)
  }
}
