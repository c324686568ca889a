import { randomBytes } from 'node:crypto'
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Digest, digestSchema } from '#lib/domain/digest/index.ts'
import type { HarborTask } from '#lib/domain/tasks/index.ts'
import { shellWord } from '#lib/domain/text/index.ts'
import { createSandboxFiles, writeStdin } from '../sandbox/isolation/create-sandbox-files.ts'
import { docker } from '../sandbox/isolation/docker/docker-client.ts'
import { holdNetwork } from '../sandbox/isolation/docker/hold-network.ts'
import { runContainer, writeEnvFile } from '../sandbox/isolation/docker/run-container.ts'
import { makeRunImage } from '../sandbox/isolation/docker/run-image.ts'
import { networkArgv } from '../sandbox/isolation/docker/run-options.ts'
import {
  type EncloseRequest,
  type Enclosure,
  INSIDE_GATEWAY,
  INSIDE_NODE,
  INSIDE_PROOFBOARD,
  type Isolation,
  insideProgram,
  type Mount,
  type Places,
  type ProgramFolder,
} from '../sandbox/isolation/isolation.ts'
import { MARKER_VARIABLE } from '../sandbox/process/process-tree.ts'
import { toArgv } from '../sandbox/process/run-tool.ts'
import type { TaskImage } from './image.ts'
import type { RunningServices } from './services/start-services.ts'

/** Home folder in a task's image; the workspace is the image's working folder. */
const INSIDE_HOME = '/home/agent'
const INSIDE_TEMPORARY = '/run/proofboard-tmp'

/** The file system of an attempt, passed from program to program. */
export type FileSystem = {
  image: Digest
  /** Images committed so far. */
  made: Digest[]
  /** Identifies the programs copied into it for the agent; null = none. */
  programs: string | null
  /** Paths that were added, changed or deleted, with docker's letter for it. */
  changed: Map<string, string>
  /** Folders of this machine that the image's users can write to. */
  opened: Set<string>
}

/** The file system before an attempt's first program. */
export function newFiles(image: Digest): FileSystem {
  return { image, made: [], programs: null, changed: new Map(), opened: new Set() }
}

/** Configuration of one part of a task. */
export type Container = {
  task: HarborTask
  image: TaskImage
  files: FileSystem
  /** True if the next program starts from the files of the previous one. */
  keeps: boolean
  /** True if its programs are the subject's, for which the runner writes files. */
  isSubject: boolean
  user: string | null
  env: Record<string, string>
  /** Waits in each container until the image's own program is ready; null = nothing has to be. */
  wait: string | null
  /** The services beside it; null = there are none. */
  services: RunningServices | null
  /** The docker isolation of the runner, which has the daemon. */
  docker: Isolation
}

/**
 * Runs each program in a new container, from the file system that the previous one left: files survive, processes do
 * not. Unlike an exercise's container, the root is writable, because the task is the whole image.
 */
export function containerIsolation(container: Container): Isolation {
  const { image } = container
  return {
    ...container.docker,
    available: async () => null,
    inside: () => ({ workspace: image.workdir, home: INSIDE_HOME, temporary: INSIDE_TEMPORARY }),
    path: `${image.path}:${INSIDE_NODE}/bin`,
    programPath: insideProgram,
    gatewayPort: () => INSIDE_GATEWAY.port,
    enclose: (request) => enclose(request, container),
  }
}

async function enclose(request: EncloseRequest, container: Container): Promise<Enclosure> {
  const { places, folder, gateway, programs } = request
  // The task's own scripts need none.
  if (gateway !== null || programs.length > 0) await addPrograms(container, programs)
  const sandboxFiles = await createSandboxFiles(join(folder, 'sandbox'), { uid: 0, gid: 0 })
  await writeStdin(sandboxFiles, request.stdin)
  await openToUsers(places, container)
  const envFile = join(sandboxFiles.folder, `env-${randomBytes(6).toString('hex')}`)
  const own = { ...container.task.env, ...container.env, ...request.env }
  await writeEnvFile(envFile, { ...own, [MARKER_VARIABLE]: request.marker })
  const name = `proofboard-${randomBytes(12).toString('hex')}`
  const mounts = listMounts(request, sandboxFiles.programs)
  const { services } = container
  const targets = new Set([...mounts.map(({ inside }) => inside), ...(services?.targets ?? [])])
  const shared = services?.network ?? null
  // Not of `files`: an image cannot be removed while a container has it.
  const isAlone = shared === null && !request.network
  const held = isAlone ? await holdNetwork(container.image.digest) : null
  const network = [...(shared ?? networkArgv(request, held)), ...(services?.mounts ?? [])]
  const { image, files, keeps } = container
  const user = container.user ?? image.user
  const enclosure = runContainer(request, {
    name,
    image: files.image,
    envFile,
    held,
    options: [...network, ...(user === null ? [] : [`--user=${user}`])],
    mounts,
    workdir: image.workdir,
    words: [...serviceWords(container), ...toArgv(request.command)],
  })
  return {
    ...enclosure,
    end: async () => {
      await docker(['kill', name])
      if (keeps) await keep(name, files, targets)
      await rm(envFile, { force: true })
      return enclosure.end()
    },
  }
}

/**
 * Opens the attempt's folders, and what the runner wrote into them, to the image's own users; the parent folder is closed
 * to users of this machine. Done once, before the subject's first program, because later files have owners of their own.
 */
async function openToUsers(
  { home, temporary }: Places,
  { files: { opened }, isSubject }: Container,
): Promise<void> {
  for (const folder of [home, temporary]) {
    await chmod(folder, 0o777)
    if (!isSubject || opened.has(folder)) continue
    await openTree(folder)
    opened.add(folder)
  }
}

async function openTree(folder: string): Promise<void> {
  await chmod(folder, 0o777)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openTree(path)
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode | 0o666)
  }
}

/** Adds node and the agent to the image of its first program; later programs inherit them. */
async function addPrograms(
  { files, task }: Container,
  programs: readonly ProgramFolder[],
): Promise<void> {
  const key = JSON.stringify(programs)
  if (files.programs === key) return
  files.image = await makeRunImage(files.image, programs, `the image of task ${task.taskId}`)
  files.programs = key
}

const MAX_COMMIT_MS = 10 * 60_000

/**
 * Commits the files of a container that ended to the image of the next program. Empty files and folders that docker
 * creates at the `targets` of mounts do not count as changes.
 */
async function keep(name: string, files: FileSystem, targets: ReadonlySet<string>): Promise<void> {
  const { stdout } = await docker(['diff', name])
  for (const line of stdout.split('\n')) {
    const [, letter, path] = /^([ACD]) (\/.*)$/.exec(line) ?? []
    if (letter && path && !targets.has(path)) files.changed.set(path, letter)
  }
  const committed = await docker(['commit', '--pause=false', name], MAX_COMMIT_MS)
  const digest = digestSchema.safeParse(committed.stdout.trim())
  // A container that never started has nothing to commit, and its ending reports that.
  if (committed.code !== 0 || !digest.success) return
  files.image = digest.data
  files.made.push(digest.data)
}

/**
 * Mounts of the attempt's folders and of files written for it. `programs` is the folder of the entrance and the bridge.
 */
function listMounts({ places, mounts = [] }: EncloseRequest, programs: string): Mount[] {
  return [
    { host: places.home, inside: INSIDE_HOME, writable: true },
    { host: places.temporary, inside: INSIDE_TEMPORARY, writable: true },
    ...mounts,
    { host: programs, inside: INSIDE_PROOFBOARD, writable: false },
  ]
}

/** An image's own program is started as in Harbor, where it gets a command that never ends. */
const ENDLESS = ['sh', '-c', 'sleep infinity']

function serviceWords({ image: { entrypoint }, wait }: Container): string[] {
  if (entrypoint.length === 0 && wait === null) return []
  const service = entrypoint.length === 0 ? [] : [...entrypoint, ...ENDLESS]
  const words = [service.map(shellWord).join(' '), wait ?? '']
  return ['/bin/sh', `${INSIDE_PROOFBOARD}/serve.sh`, ...words]
}
