import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Digest, digestJson, digestSchema } from '#lib/domain/digest/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { digestChanges, readOverlay } from '../repository/overlay.ts'
import { suiteError } from '../runner-error.ts'
import { checkImage } from '../sandbox/isolation/docker/check-image.ts'
import { docker, lastWord } from '../sandbox/isolation/docker/docker-client.ts'
import { TASK_REPOSITORY } from '../sandbox/isolation/docker/sweep-containers.ts'
import { shareWork } from '../share-work.ts'
import { type LoadedHarbor, stepsOf } from './harbor-folder.ts'
import type { Build } from './services/service.ts'
import { servicesOf } from './services/task-services.ts'

/** A task's image on this machine. */
export type TaskImage = {
  digest: Digest
  workdir: string
  path: string
  /** The user that its programs are started as; null = root. */
  user: string | null
  /** The program that it starts by itself, such as a service; empty = none. */
  entrypoint: readonly string[]
}

const configSchema = z.object({
  WorkingDir: z.string().optional(),
  User: z.string().optional(),
  Entrypoint: z.array(z.string()).nullish(),
  Env: z.array(z.string()).nullish(),
})

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const sharePreparing = shareWork<TaskImage>()

/**
 * Pulls or builds the image of a task, once per content of its environment. A build can reach the network, as usual;
 * the task's tests and solution are not in its context. Throws a RunnerError with one sentence.
 */
export async function prepareImage(task: LoadedHarbor): Promise<TaskImage> {
  const { taskId, image, place } = task.task
  const build = servicesOf(task)?.main.build ?? null
  const found = await share(task, { image: build === null ? image : null, ...environmentOf(build) })
  const users = stepsOf(task).flatMap(({ task: { agent, verifier } }) => [
    agent.user,
    verifier.user,
  ])
  await checkImage(found.digest, { what: `the image of ${taskId}`, needsNode: false, users })
  return { ...found, workdir: place.workdir ?? found.workdir }
}

/**
 * Prepares the image of a task's verifier: its own one, pulled or built from its tests, otherwise the image that the
 * agent's work started from. Throws a RunnerError.
 */
export async function prepareVerifierImage(
  task: LoadedHarbor,
  start: TaskImage,
): Promise<TaskImage> {
  const { testsFolder, folder } = task
  const { separate } = task.task.verifier
  if (separate === undefined) return start
  const hasOwn = existsSync(join(folder, testsFolder, 'Dockerfile'))
  if (separate.image === null && !hasOwn) return start
  const found = await share(task, { image: separate.image, folder: testsFolder })
  const what = `the verifier’s image of ${task.task.taskId}`
  await checkImage(found.digest, { what, needsNode: false, users: [task.task.verifier.user] })
  return found
}

/**
 * Pulls or builds the images of the services beside `main`, and returns their digests by service. Throws a RunnerError.
 */
export async function prepareServiceImages(task: LoadedHarbor): Promise<Map<string, Digest>> {
  const images = new Map<string, Digest>()
  for (const { name, image, build } of servicesOf(task)?.services ?? []) {
    const source = { image: build === null ? image : null, ...environmentOf(build) }
    const { digest } = await share(task, source)
    const what = `the image of service ${name} of ${task.task.taskId}`
    await checkImage(digest, { what, needsNode: false, needsShell: false })
    images.set(name, digest)
  }
  return images
}

/** An image to pull; null = it is built from a folder of the task. */
type Source = { image: string | null; folder: string; build?: Build | null }

const environmentOf = (build: Build | null) => ({
  folder: join('environment', build?.context ?? ''),
  build,
})

function share(task: LoadedHarbor, source: Source): Promise<TaskImage> {
  const tag = source.image ?? tagOf(join(task.folder, source.folder), source.build ?? null)
  return sharePreparing(tag, () => make(task, tag, source))
}

function tagOf(folder: string, build: Build | null): string {
  const files = digestChanges(readOverlay(folder))
  const digest = digestJson(build === null ? files : { files, build })
  return `${TASK_REPOSITORY}:${digest.slice('sha256:'.length, 'sha256:'.length + 40)}`
}

async function make(
  task: LoadedHarbor,
  tag: string,
  { image, folder, build }: Source,
): Promise<TaskImage> {
  const known = await inspect(tag)
  // Records its use: `sweepImages` removes images that were built here and are not used any more.
  if (known !== null && image === null) await docker(['tag', known.digest, tag])
  if (known !== null) return known
  const { taskId, limits } = task.task
  const args =
    image === null
      ? buildArgv(tag, join(task.folder, folder), build ?? null)
      : ['pull', '--', image]
  const ending = await docker(args, limits.buildMs)
  const found = ending.code === 0 ? await inspect(tag) : null
  if (found !== null) return found
  const file = join(folder, build?.dockerfile ?? 'Dockerfile')
  const what = image === null ? `built from ${file}` : `pulled (${image})`
  throw suiteError(`the image of ${taskId} could not be ${what}: ${lastWord(ending)}`)
}

function buildArgv(tag: string, folder: string, build: Build | null): string[] {
  const { dockerfile = null, args = {}, target = null } = build ?? {}
  return [
    ...['build', '--force-rm', `--tag=${tag}`],
    ...(dockerfile === null ? [] : [`--file=${join(folder, dockerfile)}`]),
    ...(target === null ? [] : [`--target=${target}`]),
    ...Object.entries(args).map(([name, value]) => `--build-arg=${name}=${value}`),
    ...['--', folder],
  ]
}

async function inspect(tag: string): Promise<TaskImage | null> {
  const ask = (format: string) => docker(['image', 'inspect', '--format', format, tag])
  const [id, config] = [await ask('{{.Id}}'), await ask('{{json .Config}}')]
  const digest = digestSchema.safeParse(id.stdout.trim())
  const parsed = configSchema.safeParse(parseJson(config.stdout))
  if (id.code !== 0 || !digest.success || !parsed.success) return null
  const { WorkingDir: workdir, Env: env, User: user, Entrypoint: entrypoint } = parsed.data
  const path = env?.find((line) => line.startsWith('PATH='))?.slice('PATH='.length)
  return {
    digest: digest.data,
    workdir: workdir || '/',
    path: path || DEFAULT_PATH,
    user: user || null,
    entrypoint: entrypoint ?? [],
  }
}
