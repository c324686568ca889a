import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '#lib/domain/text/index.ts'
import { createOnce } from '../../create-once.ts'
import { AppError } from '../../errors.ts'
import { readWholeBody, type S3Client } from './s3-client.ts'

const KEY = 'owner.json'
const CLAIM_MS = 60_000
const ownerSchema = z.object({ board: z.string().max(100), since: z.iso.datetime() })
type Owner = z.infer<typeof ownerSchema>

/**
 * Marks a bucket as this board's, and checks the mark every minute, so that two boards never sweep each other's
 * evidence. Throws when another board owns it.
 */
export function claimBucket(client: S3Client, board: string): () => Promise<void> {
  let claimed: { at: number; done: Promise<void> } | undefined
  return () => {
    if (claimed && performance.now() - claimed.at < CLAIM_MS) return claimed.done
    const done = claim(client, board)
    claimed = { at: performance.now(), done }
    done.catch(() => {
      claimed = undefined
    })
    return done
  }
}

async function claim(client: S3Client, board: string): Promise<void> {
  const owner = (await readOwner(client)) ?? (await writeOwner(client, board, { isNew: true }))
  if (owner.board === board) return
  const message = `${client.name} belongs to another board since ${owner.since}: nothing was written; choose another bucket or prefix, or take it over with proofboard server evidence adopt`
  throw new AppError('conflict', message)
}

/** Null = it has no owner. */
export async function readOwner(client: S3Client): Promise<Owner | null> {
  const { status, body } = await client.send({ method: 'GET', key: KEY })
  const text = await readWholeBody(body)
  if (status === 404 && !text.includes('NoSuchBucket')) return null
  const parsed = status === 200 ? ownerSchema.safeParse(parseJson(text)) : null
  if (parsed?.success) return parsed.data
  const why = status === 404 ? 'there is no such bucket' : `its marker returned status ${status}`
  throw new AppError('evidence-unavailable', `the evidence store ${client.name} failed: ${why}`)
}

/** Writes the owner and returns it. With `isNew`, an owner written meanwhile by another board stays and is returned. */
export async function writeOwner(
  client: S3Client,
  board: string,
  { isNew }: { isNew: boolean },
): Promise<Owner> {
  const owner: Owner = { board, since: new Date().toISOString() }
  const bytes = Buffer.from(JSON.stringify(owner))
  const hex = createHash('sha256').update(bytes).digest('hex')
  const headers: Record<string, string> = isNew ? { 'if-none-match': '*' } : {}
  const body = { hex, sizeBytes: bytes.length, bytes }
  const response = await client.send({ method: 'PUT', key: KEY, headers, body })
  await readWholeBody(response.body)
  if (response.status === 412 || response.status === 409) return (await readOwner(client)) ?? owner
  if (response.status < 300) return owner
  throw new AppError(
    'evidence-unavailable',
    `the evidence store ${client.name} failed: its marker returned status ${response.status}`,
  )
}

/** Returns the id of the board of a data folder, created at first use. */
export function boardOf(dataDir: string): string {
  return createOnce(join(dataDir, 'evidence-board'), randomUUID).trim()
}
