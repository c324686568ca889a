import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Digest } from '#lib/domain/digest.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { docker, LABEL, lastWord } from './docker-client.ts'
import { findImage, IMAGE_TAG } from './find-daemon.ts'
import { ImageError } from './image-error.ts'
import { makeBase } from './make-base.ts'

const MOST_MS = 30 * 60_000
const BASE_TAG = 'proofboard-base'
const DOCKERFILE = join(PROJECT_ROOT, 'runner', 'isolation', 'docker', 'Dockerfile')

/**
 * Builds the image that agents run in and answers its digest. `base` null = what the Dockerfile names, `debootstrap` =
 * this distribution's own packages, kept below `cache`; anything else is an image by digest. Throws ImageError.
 */
export async function buildImage(options: { base: string | null; cache: string }): Promise<Digest> {
  const { base, cache } = options
  if (base !== null && base !== 'debootstrap' && !/@sha256:[0-9a-f]{64}$/.test(base))
    throw new ImageError(
      `--base takes debootstrap or an image by digest (name@sha256:…), not "${base}"`,
    )
  const answers = await docker(['version', '--format', '{{.Server.Version}}'])
  if (answers.code !== 0)
    throw new ImageError(
      `the Docker daemon does not answer ("${lastWord(answers)}"): start it, or name its socket in DOCKER_HOST`,
    )
  const words = base === 'debootstrap' ? await importBase(cache) : ofRegistry(base)
  const context = await mkdtemp(join(tmpdir(), 'proofboard-image-'))
  try {
    const label = `--label=${LABEL.image}=1`
    const args = ['build', `--tag=${IMAGE_TAG}`, label, `--file=${DOCKERFILE}`, ...words, context]
    const built = await docker(args, MOST_MS)
    const digest = built.code === 0 ? await findImage() : null
    if (digest !== null) return digest
    throw new ImageError(
      `the image could not be built ("${lastWord(built)}"): where no registry can be reached, use --base debootstrap`,
    )
  } finally {
    await rm(context, { recursive: true, force: true })
  }
}

const ofRegistry = (base: string | null): string[] =>
  base === null ? [] : [`--build-arg=BASE=${base}`]

/** Everything is in the base already: the build needs no network, and gets none. */
async function importBase(cache: string): Promise<string[]> {
  const path = await makeBase(cache)
  const imported = await docker(['import', path, BASE_TAG], MOST_MS)
  if (imported.code !== 0)
    throw new ImageError(
      `docker did not take ${path} ("${lastWord(imported)}"): remove that file and run this again`,
    )
  return ['--network=none', `--build-arg=BASE=${BASE_TAG}`]
}
