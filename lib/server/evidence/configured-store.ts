import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bucketKeys, env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { processWide } from '../../process-wide.ts'
import { BucketObjects } from './bucket-objects.ts'
import { boardOf, claimBucket } from './bucket-owner.ts'
import { DiskStore } from './disk-store.ts'
import type { EvidenceStore } from './evidence-store.ts'
import { ObjectCache } from './object-cache.ts'
import { S3Client } from './s3-client.ts'
import { parseEvidenceUrl, type S3Settings } from './s3-settings.ts'
import { S3Store } from './s3-store.ts'

const buckets = processWide('buckets', () => new Map<string, Bucket>())

/**
 * Returns the store of this server: the bucket in PROOFBOARD_EVIDENCE_URL, else the data folder. Other data folders
 * have their files on the disk. Throws bad-configuration.
 */
export function evidenceStore(dataDir = env().dataDir): EvidenceStore {
  const bucket = dataDir === env().dataDir ? configuredBucket() : null
  return bucket?.store ?? new DiskStore(dataDir)
}

export type Bucket = { store: S3Store; client: S3Client; settings: S3Settings; board: string }

/** Returns the bucket of this server; null = evidence stays on the disk. Throws bad-configuration. */
export function configuredBucket(): Bucket | null {
  const { evidenceUrl, dataDir } = env()
  if (evidenceUrl === null) return null
  const key = `${dataDir} ${evidenceUrl}`
  const bucket = buckets.get(key) ?? openBucket(evidenceUrl, dataDir)
  buckets.set(key, bucket)
  return bucket
}

function openBucket(evidenceUrl: string, dataDir: string): Bucket {
  const settings = parseEvidenceUrl(evidenceUrl)
  const keys = bucketKeys()
  if (keys === null)
    throw new AppError(
      'bad-configuration',
      'PROOFBOARD_EVIDENCE_URL names a bucket and its keys are missing: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    )
  const client = new S3Client(settings, keys)
  const board = settings.board ?? boardOf(dataDir)
  const disk = new DiskStore(dataDir)
  const cache = new ObjectCache(join(dataDir, 'evidence-cache'))
  const objects = new BucketObjects(client, claimBucket(client, board))
  const store = new S3Store({ objects, disk, cache })
  return { store, client, settings, board }
}

/** Reuse of a probe, which writes to the bucket, while the endpoints that use it are public. */
const FRESH_MS = 30_000
/** Timeout of callers; a later result is used for the next caller. */
const WITHIN_MS = 3000
const log = createLog('evidence')

/** `refused`: a person has to change settings or permissions; `down`: it may be back in a moment. */
export type StoreState = 'ok' | 'down' | 'refused'

let probed: { at: number; name: string; state: Promise<StoreState> } | undefined

/** Returns whether the evidence store can be written and read, at most half a minute old. */
export async function askStore(now: Date): Promise<StoreState> {
  const { name, kind } = evidenceStore()
  // The database check covers whether the disk can be written.
  if (kind === 'disk') return 'ok'
  if (!probed || probed.name !== name || Math.abs(now.getTime() - probed.at) > FRESH_MS)
    probed = { at: now.getTime(), name, state: probe() }
  return Promise.race([probed.state, pause(WITHIN_MS, 'down' as const, { ref: false })])
}

async function probe(): Promise<StoreState> {
  try {
    await evidenceStore().probe()
    return 'ok'
  } catch (error) {
    log.warn('the evidence store does not work', { why: (error as Error).message })
    return error instanceof AppError && error.code !== 'evidence-unavailable' ? 'refused' : 'down'
  }
}
