import { database } from '#lib/db/database.ts'
import { findEpisode } from '#lib/db/episode-store.ts'
import { type Digest, digestBytes } from '#lib/domain/digest.ts'
import { AppError } from '#lib/errors.ts'
import { evidencePath } from './evidence-path.ts'
import { openPlain } from './open-plain.ts'
import { type PictureType, sniffPicture } from './sniff-picture.ts'

/** A larger picture is not served: a page of 4000 × 4000 pixels stays far below. */
const MOST_PICTURE_BYTES = 8_000_000

export type Screenshot = { type: PictureType; bytes: Uint8Array<ArrayBuffer>; digest: Digest }

/**
 * The picture of an episode's final page: the sealed bytes and no others. Null = no such episode, or none was kept.
 * Throws an AppError where the file is no picture, too large, or not the one that was sealed.
 */
export async function readScreenshot(episodeId: string): Promise<Screenshot | null> {
  const record = await findEpisode(database(), episodeId)
  const file = record?.episode.evidence.find(({ role }) => role === 'screenshot')
  const path = record && file ? evidencePath(record, file) : null
  const bytes = path === null ? null : await readWhole(path, episodeId)
  if (!file || !bytes) return null
  if (digestBytes(bytes) !== file.digest) {
    throw refuse(episodeId, 'is not the one that was sealed: the file was changed afterwards')
  }
  const type = sniffPicture(bytes)
  if (type === null) throw refuse(episodeId, 'is neither PNG, JPEG nor WebP')
  return { type, bytes, digest: file.digest }
}

async function readWhole(path: string, episodeId: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const handle = await openPlain(path)
  if (!handle) return null
  try {
    const { size } = await handle.stat()
    if (size > MOST_PICTURE_BYTES) {
      throw refuse(episodeId, `is larger than ${MOST_PICTURE_BYTES} bytes`)
    }
    const bytes = new Uint8Array(size)
    const { bytesRead } = await handle.read(bytes, 0, size, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function refuse(episodeId: string, why: string): AppError {
  return new AppError('invalid-episode', `the screenshot of ${episodeId} is not shown: it ${why}`)
}
