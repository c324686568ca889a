import { z } from 'zod'
import { type Digest, digestSchema } from '#lib/domain/record/index.ts'
import { placeError } from '../../../runner-error.ts'
import { RUNNER_ENV } from '../../process/own-env.ts'
import { runTool, type ToolEnding } from '../../process/run-tool.ts'

// What the docker program needs to find its daemon; DOCKER_HOST chooses another socket.
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
} as const

export function dockerEnv(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (RUNNER_ENV[name] ? [[name, RUNNER_ENV[name] as string]] : [])),
  )
}

/** One docker command; answers how it ended, never throws. */
export function docker(args: readonly string[], timeoutMs = 120_000): Promise<ToolEnding> {
  return runTool(['docker', ...args], { env: dockerEnv(), timeoutMs })
}

/** What docker adds to the reason. */
const HELP = /\n+Run 'docker .*--help' for more information\s*$/

/** What a failed tool said last, short enough for one sentence. */
export function lastWord({ stderr }: Pick<ToolEnding, 'stderr'>): string {
  return stderr.replace(HELP, '').trim().split('\n').at(-1)?.trim().slice(0, 300) || 'nothing'
}

/** What `proofboard image build` tags; only ever asked for the digest behind it. */
export const IMAGE_TAG = 'proofboard-subject'

export type Daemon = {
  version: string
  /** The daemon's root is an ordinary user: root inside is that user, and any other is unmapped. */
  rootless: boolean
  /** The image by its content. */
  image: Digest
}

type FoundDaemon = { ok: true; daemon: Daemon } | { ok: false; refusal: string }

const refuse = (refusal: string): FoundDaemon => ({ ok: false, refusal })

/** The daemon that DOCKER_HOST or the user's context names, and our image in it; or one sentence about what lacks. */
export async function findDaemon(): Promise<FoundDaemon> {
  const asked = await docker(['version', '--format', '{{.Server.Version}}'])
  if (asked.stderr.includes('ENOENT'))
    return refuse(
      'docker is not installed: install the package docker.io (apt-get install docker.io)',
    )
  if (asked.code !== 0)
    return refuse(
      `the Docker daemon does not answer ("${lastWord(asked)}"): start it, or name its socket in DOCKER_HOST`,
    )
  const info = await docker(['info', '--format', '{{json .SecurityOptions}}'])
  const image = await findImage()
  if (image === null)
    return refuse('there is no image to run agents in: make it with "proofboard image build"')
  const daemon = {
    version: asked.stdout.trim(),
    rootless: info.stdout.includes('name=rootless'),
    image,
  }
  return { ok: true, daemon }
}

/** The digest of the image that would be used; null when none was built. */
export async function findImage(): Promise<Digest | null> {
  const found = await docker(['image', 'inspect', '--format', '{{.Id}}', IMAGE_TAG])
  const digest = digestSchema.safeParse(found.stdout.trim())
  return found.code === 0 && digest.success ? digest.data : null
}

type SubjectImage = { digest: Digest; createdAt: string; size: string; used: boolean }

const lineSchema = z.tuple([digestSchema, z.string(), z.string()])

/** Images that `proofboard image build` made; `used` marks the one that the next run takes. Throws a RunnerError. */
export async function listImages(): Promise<SubjectImage[]> {
  const format = '{{.ID}}\t{{.CreatedAt}}\t{{.Size}}'
  const filter = `label=${LABEL.image}=1`
  const listed = await docker(['image', 'ls', '--no-trunc', '--filter', filter, '--format', format])
  if (listed.code !== 0)
    throw placeError(
      `the Docker daemon does not answer ("${lastWord(listed)}"): start it, or name its socket in DOCKER_HOST`,
    )
  const current = await findImage()
  return listed.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => lineSchema.parse(line.split('\t')))
    .map(([digest, createdAt, size]) => ({ digest, createdAt, size, used: digest === current }))
}
