import { z } from 'zod'
import { type Digest, digestSchema } from '#lib/domain/digest/index.ts'
import { placeError } from '../../../runner-error.ts'
import { RUNNER_ENV } from '../../process/own-env.ts'
import { runTool, type ToolEnding } from '../../process/run-tool.ts'

// Variables by which the docker program finds its daemon; DOCKER_HOST chooses another socket.
const PASSED_ON = [
  'PATH',
  'HOME',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_CERT_PATH',
  'DOCKER_TLS_VERIFY',
  'XDG_RUNTIME_DIR',
] as const

export const LABEL = {
  image: 'org.proofboard.image',
  runImage: 'org.proofboard.run-image',
  run: 'org.proofboard.run',
  host: 'org.proofboard.host',
  runner: 'org.proofboard.runner',
  network: 'org.proofboard.network',
} as const

export function dockerEnv(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (RUNNER_ENV[name] ? [[name, RUNNER_ENV[name] as string]] : [])),
  )
}

/** Runs one docker command and returns how it ended. Never throws. */
export function docker(args: readonly string[], timeoutMs = 120_000): Promise<ToolEnding> {
  return runTool(['docker', ...args], { env: dockerEnv(), timeoutMs })
}

/** A hint that docker appends to its error messages. */
const HELP = /\n+Run 'docker .*--help' for more information\s*$/

/** The last line of a failed tool's stderr, shortened to fit into a sentence. */
export function lastWord({ stderr }: Pick<ToolEnding, 'stderr'>): string {
  return stderr.replace(HELP, '').trim().split('\n').at(-1)?.trim().slice(0, 300) || 'nothing'
}

/** Says what to do about a daemon that does not respond. */
export function describeSilence(ending: ToolEnding): string {
  return `the Docker daemon does not respond ("${lastWord(ending)}"): start it, or name its socket in DOCKER_HOST`
}

/** Tag of the image that `proofboard image build` makes; used only to look up its digest. */
export const IMAGE_TAG = 'proofboard-subject'

export type Daemon = {
  version: string
  /** True if root in the container is an ordinary user of this machine. */
  rootless: boolean
  /** Digest of the subject image. */
  image: Digest
}

type FoundDaemon = { ok: true; daemon: Daemon } | { ok: false; refusal: string }

const refuse = (refusal: string): FoundDaemon => ({ ok: false, refusal })

/**
 * Finds the daemon that DOCKER_HOST or the user's context names, and the subject image in it. Otherwise, one sentence
 * says what is missing.
 */
export async function findDaemon(): Promise<FoundDaemon> {
  const ending = await docker(['version', '--format', '{{.Server.Version}}'])
  if (ending.stderr.includes('ENOENT'))
    return refuse(
      'docker is not installed: install the package docker.io (apt-get install docker.io)',
    )
  if (ending.code !== 0) return refuse(describeSilence(ending))
  const info = await docker(['info', '--format', '{{json .SecurityOptions}}'])
  const image = await findImage()
  if (image === null)
    return refuse('there is no image to run agents in: make it with "proofboard image build"')
  const daemon = {
    version: ending.stdout.trim(),
    rootless: info.stdout.includes('name=rootless'),
    image,
  }
  return { ok: true, daemon }
}

/** The digest of an image by its tag, by default the current subject image; null = there is none. */
export async function findImage(tag = IMAGE_TAG): Promise<Digest | null> {
  const found = await docker(['image', 'inspect', '--format', '{{.Id}}', tag])
  const digest = digestSchema.safeParse(found.stdout.trim())
  return found.code === 0 && digest.success ? digest.data : null
}

type SubjectImage = { digest: Digest; createdAt: string; size: string; used: boolean }

const lineSchema = z.tuple([digestSchema, z.string(), z.string()])

/** Lists the images of `proofboard image build`; `used` marks the one for the next run. Throws a RunnerError. */
export async function listImages(): Promise<SubjectImage[]> {
  const format = '{{.ID}}\t{{.CreatedAt}}\t{{.Size}}'
  const filter = `label=${LABEL.image}=1`
  const listed = await docker(['image', 'ls', '--no-trunc', '--filter', filter, '--format', format])
  if (listed.code !== 0) throw placeError(describeSilence(listed))
  const current = await findImage()
  return listed.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => lineSchema.parse(line.split('\t')))
    .map(([digest, createdAt, size]) => ({ digest, createdAt, size, used: digest === current }))
}
