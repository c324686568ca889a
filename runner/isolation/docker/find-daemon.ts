import type { Digest } from '#lib/domain/digest.ts'
import { digestSchema } from '#lib/domain/digest.ts'
import { docker, lastWord } from './docker-client.ts'

/** What `proofboard image build` tags; only ever asked for the digest behind it. */
export const IMAGE_TAG = 'proofboard-subject'

export type Daemon = {
  version: string
  /** The daemon's root is an ordinary user: root inside is that user, and any other is nobody. */
  rootless: boolean
  /** The image by its content. */
  image: Digest
}

export type FoundDaemon = { ok: true; daemon: Daemon } | { ok: false; refusal: string }

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
