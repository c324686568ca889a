import { database } from '../../db/database.ts'
import { findEpisode } from '../../db/episode-store.ts'
import { type Digest, digestBytes } from '../../domain/digest/index.ts'
import { filmPath, finalScreenshot } from '../../domain/record/index.ts'
import { AppError } from '../../errors.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import { type EvidenceRef, evidenceRef } from '../evidence/evidence-store.ts'

/** Larger images are not served. A page of 4000 × 4000 pixels is far smaller. */
const MAX_PICTURE_BYTES = 8_000_000

type Screenshot = { type: PictureType; bytes: Uint8Array<ArrayBuffer>; digest: Digest }

/**
 * Reads the screenshot of an episode's final page, or frame `frame` of its filmstrip: exactly the sealed bytes. Null =
 * no such episode, or none was stored. Throws an AppError when the file is not an image, too large, or differs from the
 * sealed one.
 */
export async function readScreenshot(
  episodeId: string,
  frame?: number,
): Promise<Screenshot | null> {
  const record = await findEpisode(database(), episodeId)
  const evidence = record?.episode.evidence ?? []
  const file =
    frame === undefined
      ? finalScreenshot(evidence)
      : evidence.find(({ role, path }) => role === 'screenshot' && path === filmPath(frame))
  const ref = record && file ? evidenceRef(record.directory, file) : null
  const bytes = ref === null ? null : await readWhole(ref, episodeId)
  if (!file || !bytes) return null
  if (digestBytes(bytes) !== file.digest) {
    throw refuse(episodeId, 'is not the one that was sealed: the file was changed afterwards')
  }
  const type = sniffImageType(bytes)
  if (type === null) throw refuse(episodeId, 'is neither PNG, JPEG nor WebP')
  return { type, bytes, digest: file.digest }
}

async function readWhole(
  ref: EvidenceRef,
  episodeId: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const file = await evidenceStore().open(ref)
  if (!file) return null
  try {
    if (file.sizeBytes > MAX_PICTURE_BYTES) {
      throw refuse(episodeId, `is larger than ${MAX_PICTURE_BYTES} bytes`)
    }
    return new Uint8Array(await file.read(Buffer.alloc(file.sizeBytes), 0))
  } finally {
    await file.close()
  }
}

function refuse(episodeId: string, why: string): AppError {
  return new AppError('invalid-episode', `the screenshot of ${episodeId} is not shown: it ${why}`)
}

type PictureType = 'image/png' | 'image/jpeg' | 'image/webp'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]
const RIFF = [0x52, 0x49, 0x46, 0x46]
const WEBP = [0x57, 0x45, 0x42, 0x50]

/**
 * Detects the image type from the first bytes, whatever the file's name; null = not a bitmap. SVG can contain scripts,
 * so null.
 */
export function sniffImageType(bytes: Uint8Array): PictureType | null {
  if (begins(bytes, PNG)) return 'image/png'
  if (begins(bytes, JPEG)) return 'image/jpeg'
  return begins(bytes, RIFF) && begins(bytes.subarray(8), WEBP) ? 'image/webp' : null
}

function begins(bytes: Uint8Array, wanted: readonly number[]): boolean {
  return wanted.every((byte, place) => bytes[place] === byte)
}
