import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { relativePathSchema } from '#lib/domain/record/index.ts'
import { readPlainFile } from '../engine/read-plain-file.ts'
import { createAttemptDirs, type Workspace } from '../engine/workspace.ts'
import { once } from '../repository/once.ts'
import type { Change } from '../repository/overlay.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import { machineError, suiteError } from '../runner-error.ts'
import { docker, lastWord } from '../sandbox/isolation/docker/docker-client.ts'
import { bind, bindReadOnly } from '../sandbox/isolation/docker/run-options.ts'
import { labelArgv } from '../sandbox/isolation/docker/sweep-containers.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { addArtifacts, addLogs } from './artifacts.ts'
import { type Container, containerIsolation, type FileSystem, newFiles } from './container.ts'
import { type LoadedHarbor, stepsOf } from './harbor-folder.ts'
import { prepareImage, prepareVerifierImage } from './image.ts'
import type { HarborPlace, HarborSettings, VerifierRun } from './place.ts'
import { layStep, waitCommand, waitUntilHealthy } from './prepare-step.ts'
import { runSolution, runVerifier } from './run-script.ts'
import { collectFrom, findArtifacts } from './services/collect.ts'
import { startServices } from './services/start-services.ts'

/**
 * Opens an environment in the task's image. The whole file system counts as work. The verifier runs in a fresh
 * container with the subject's files, so that none of its processes is left.
 */
export async function openImagePlace(
  task: LoadedHarbor,
  settings: HarborSettings,
  name: string | null,
): Promise<HarborPlace> {
  const image = await prepareImage(task)
  const steps = stepsOf(task)
  for (const step of steps) await prepareVerifierImage(step, image)
  const files = newFiles(await addLogs(image.digest))
  const { healthcheck } = task.task
  const wait = healthcheck === undefined ? null : waitCommand(healthcheck)
  const own = await createAttemptDirs(settings.temporary, name, task.task.taskId)
  const opened = [own]
  const services = await startServices(task, own, settings).catch(async (error: unknown) => {
    await own.remove()
    throw error
  })
  const common = { task: task.task, image, files, docker: settings.judging, wait, services }
  const [first = task] = steps
  let current = openStep(first, own, common, settings)
  let at = 0
  const leave = async () => {
    try {
      await services?.stop()
    } finally {
      for (const made of files.made.toReversed()) await docker(['rmi', '--force', made])
      for (const place of opened) await place.remove()
    }
  }
  const prepare = () => prepareCurrent(task, { at, current, common, settings })
  try {
    const checking = { ...common, keeps: false, isSubject: false, user: null, env: {}, wait: null }
    const isolation = containerIsolation(checking)
    const where = { place: own, isolation, settings, network: isOnline(first) }
    const problem = (await waitUntilHealthy(task, healthcheck, where)) ?? (await prepare())
    if (problem !== null) throw suiteError(`${task.task.taskId} cannot be started: ${problem}`)
  } catch (error) {
    await leave()
    throw error
  }
  return {
    get step() {
      return current.step
    },
    get at() {
      return at
    },
    get folder() {
      return current.place.folder
    },
    get workspace() {
      return current.place.workspace
    },
    get home() {
      return current.place.home
    },
    get temporary() {
      return current.place.temporary
    },
    get isolation() {
      return current.isolation
    },
    description: `a container of ${task.task.image ?? 'its Dockerfile'} (${image.digest})`,
    solve: (log) => runSolution(current.step, { ...current, settings }, log),
    take: () => takeFiles(files, own.temporary),
    verify: (_work, tests = current.step.tests) => verify(current, { tests, common, settings }),
    before: async () => null,
    advance: async () => {
      const next = steps[at + 1]
      if (next === undefined) throw new Error(`${task.task.taskId} has no further step`)
      const place = await createAttemptDirs(settings.temporary, null, task.task.taskId)
      opened.push(place)
      at += 1
      current = openStep(next, place, common, settings)
      return prepare()
    },
    leave,
  }
}

/** The current step, in its own new folders. `collect` runs its hooks once. */
type Current = {
  step: LoadedHarbor
  place: Workspace
  isolation: Isolation
  collect: () => Promise<string>
}

function openStep(
  step: LoadedHarbor,
  place: Workspace,
  common: Common,
  settings: HarborSettings,
): Current {
  const { user } = step.task.agent
  const own = { ...common, keeps: true, isSubject: true, user, env: {} }
  const collect = once(() => collectFiles(step, place, common, settings))
  return { step, place, isolation: containerIsolation(own), collect }
}

/** Runs what the step collects before its verifier. Files that it adds to `main` are not the agent's work. */
async function collectFiles(
  step: LoadedHarbor,
  place: Workspace,
  common: Common,
  settings: HarborSettings,
): Promise<string> {
  const before = new Map(common.files.changed)
  const collected = await collectFrom(step, common.services, (user) => {
    const own = { ...common, keeps: true, isSubject: false, user, env: {} }
    return { place, isolation: containerIsolation(own), settings, network: isOnline(step) }
  })
  common.files.changed = before
  return collected
}

type Common = Pick<Container, 'task' | 'image' | 'files' | 'docker' | 'wait' | 'services'>

const isOnline = ({ task }: LoadedHarbor) => task.agent.network === 'on'

/** Prepares the files of a step and waits for its healthcheck. None of it counts as work. */
async function prepareCurrent(
  task: LoadedHarbor,
  {
    at,
    current: { step, place },
    common,
    settings,
  }: { at: number; current: Current; common: Common; settings: HarborSettings },
): Promise<string | null> {
  const about = task.task.steps?.[at]
  const files = task.steps[at]
  if (about === undefined || files === undefined) return null
  const before = new Map(common.files.changed)
  const { user } = step.task.agent
  const own = { ...common, isSubject: false, user, env: {} }
  const isolation = containerIsolation({ ...own, keeps: true })
  const where = { place, isolation, settings, network: isOnline(step) }
  const idle = { image: { ...common.image, entrypoint: [] }, wait: null }
  const asRoot = containerIsolation({ ...own, ...idle, keeps: true, user: '0' })
  const problem = await layStep(step, files, where, asRoot)
  common.files.changed = before
  if (problem !== null) return problem
  const looking = { ...where, isolation: containerIsolation({ ...own, keeps: false }) }
  return waitUntilHealthy(step, about.healthcheck, looking)
}

async function verify(
  { step, place, collect }: Current,
  {
    tests,
    common,
    settings,
  }: { tests: readonly Change[]; common: Common; settings: HarborSettings },
): Promise<VerifierRun> {
  const collected = await collect()
  const fresh = await createAttemptDirs(settings.temporary, null, 'workspace')
  const { image, files, services } = common
  const { separate, user } = step.task.verifier
  const own = { ...common, keeps: false, isSubject: false, user, env: {} }
  try {
    if (separate !== undefined) {
      const verifierImage = await prepareVerifierImage(step, image)
      const given = await addArtifacts(verifierImage.digest, {
        work: files.image,
        paths: separate.artifacts,
        others: await findArtifacts(separate.ofServices ?? [], services),
        runMark: settings.runMark,
      })
      files.made.push(given)
      const alone = {
        image: verifierImage,
        files: newFiles(given),
        wait: null,
        services: null,
      }
      const isolation = containerIsolation({ ...own, ...alone })
      const where = { place: fresh, isolation, settings, hasArtifacts: true }
      const run = await runVerifier(step, tests, where)
      return { ...run, log: collected + run.log }
    }
    // HOME is part of the files. It is copied, so that one run cannot find files of another.
    await copyHome(place.home, fresh.home, { image: image.digest, runMark: settings.runMark })
    const isolation = containerIsolation(own)
    // Files that the agent left in the other folders of /logs are part of its work.
    const where = { place: fresh, isolation, settings, hasArtifacts: true }
    const run = await runVerifier(step, tests, where)
    return { ...run, log: collected + run.log }
  } finally {
    await fresh.remove()
  }
}

/** Copies as the image's root, because this machine's user cannot read files of the image's users. */
async function copyHome(
  from: string,
  to: string,
  { image, runMark }: { image: string; runMark: string },
): Promise<void> {
  await chmod(to, 0o777) // the image has other users than this machine
  const ending = await docker([
    ...['run', '--rm', '--pull=never', '--network=none', '--user=0', ...labelArgv(runMark)],
    ...[bindReadOnly(from, '/from'), bind(to, '/to'), '--entrypoint=/bin/sh'],
    ...[image, '-c', 'cp -a /from/. /to/'],
  ])
  if (ending.code !== 0)
    throw machineError(`the HOME of the task could not be copied: ${lastWord(ending)}`)
}

/** Limits for changed files that are stored as evidence. */
const MAX_FILES = 200
const MAX_FILE_BYTES = 1 << 20

/**
 * Lists the changes that docker reports, with the bytes of the first files. For the record only: the verifier sees
 * everything.
 */
async function takeFiles({ image, changed }: FileSystem, temporary: string): Promise<TakenWork> {
  const work: TakenWork = { changes: [], touched: [], findings: [], problem: null }
  const paths = [...changed.keys()].sort()
  const folders = new Set(paths.flatMap(foldersAbove))
  const leaves = paths.filter((path) => !folders.has(path))
  if (leaves.length === 0) return work
  const created = await docker(['create', '--pull=never', image, '/bin/true'])
  const id = created.stdout.trim()
  if (created.code !== 0) return work
  const folder = await mkdtemp(join(temporary, 'taken-'))
  try {
    for (const path of leaves) {
      if (work.changes.length >= MAX_FILES) break
      const change = await takeFile({ id, folder, path }, changed.get(path) === 'D')
      if (change !== null) work.changes.push(change)
    }
    return work
  } finally {
    await docker(['rm', '--force', id])
    await rm(folder, { recursive: true, force: true })
  }
}

/** `/a/b/c` → `/a`, `/a/b`. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(2).map((_, at) => parts.slice(0, at + 2).join('/'))
}

type FileAddress = { id: string; folder: string; path: string }

async function takeFile(
  { id, folder, path }: FileAddress,
  isGone: boolean,
): Promise<Change | null> {
  const plain = relativePathSchema.safeParse(path.slice(1))
  if (!plain.success) return null
  if (isGone) return { path: plain.data, bytes: null, executable: false }
  await rm(join(folder, 'file'), { recursive: true, force: true })
  const copied = await docker(['cp', `${id}:${path}`, join(folder, 'file')])
  if (copied.code !== 0) return null
  const found = await readPlainFile(folder, 'file', MAX_FILE_BYTES)
  return found.kind === 'read' ? { path: plain.data, bytes: found.bytes, executable: false } : null
}
