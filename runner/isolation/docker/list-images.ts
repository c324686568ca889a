import { z } from 'zod'
import { type Digest, digestSchema } from '#lib/domain/digest.ts'
import { docker, LABEL, lastWord } from './docker-client.ts'
import { findImage } from './find-daemon.ts'
import { ImageError } from './image-error.ts'

export type SubjectImage = { digest: Digest; createdAt: string; size: string; used: boolean }

const lineSchema = z.tuple([digestSchema, z.string(), z.string()])

/** Images that `proofboard image build` made; `used` marks the one that the next run takes. Throws ImageError. */
export async function listImages(): Promise<SubjectImage[]> {
  const format = '{{.ID}}\t{{.CreatedAt}}\t{{.Size}}'
  const filter = `label=${LABEL.image}`
  const listed = await docker(['image', 'ls', '--no-trunc', '--filter', filter, '--format', format])
  if (listed.code !== 0)
    throw new ImageError(
      `the Docker daemon does not answer ("${lastWord(listed)}"): start it, or name its socket in DOCKER_HOST`,
    )
  const current = await findImage()
  return listed.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => lineSchema.parse(line.split('\t')))
    .map(([digest, createdAt, size]) => ({ digest, createdAt, size, used: digest === current }))
}
