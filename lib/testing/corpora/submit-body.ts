import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { saveSubmission } from '#lib/db/submission-store.ts'
import { type Committed, commitResults } from '#lib/server/ingest/commit-results.ts'
import { readUploadBody } from '#lib/server/ingest/read-body.ts'
import type { Db } from '../../db/db.ts'

export const CONSOLE = { kind: 'console', id: null, name: 'console' } as const

export type SubmissionBody = Parameters<typeof commitResults>[1]

/** Receives a body in pieces, as a sender would send it, onto disk and ready for the commit. */
export async function receiveBody(
  dir: string,
  bytes: Uint8Array | string,
  changes: Partial<SubmissionBody> & { contentType?: string } = {},
): Promise<SubmissionBody> {
  const { contentType = '', ...more } = changes
  const file = join(dir, `body-${randomBytes(6).toString('hex')}`)
  const buffer = Buffer.from(bytes as Uint8Array)
  async function* pieces() {
    for (let at = 0; at < buffer.length; at += 65_536) yield buffer.subarray(at, at + 65_536)
  }
  const body = await readUploadBody(Readable.from(pieces()), { file, contentType })
  return { body, actor: CONSOLE, provenance: 'manual', now: new Date(), ...more }
}

/** Receives and commits. */
export async function submitBody(
  { db, dir }: { db: Db; dir: string },
  bytes: Uint8Array | string,
  changes: Partial<SubmissionBody> & { contentType?: string } = {},
): Promise<Committed> {
  const order = await receiveBody(dir, bytes, changes)
  return commitResults(db, { ...asSubmission(order), ...order })
}

/** Describes a submission as the API does: its sender and its body. */
function asSubmission({
  provenance,
  actor,
  body,
  now,
}: SubmissionBody): Pick<SubmissionBody, 'alsoWrite'> {
  if (provenance !== 'token' && provenance !== 'oidc') return {}
  const alsoWrite: SubmissionBody['alsoWrite'] = async (tx, { runs }) => {
    const runIds = runs.filter(({ counts }) => counts.new > 0).map(({ runId }) => runId)
    const who = { provenance, actor: actor.name, vouched: null, requestId: 'handed-in' }
    const sent = { bodyDigest: body.digest, bytes: body.sentBytes }
    await saveSubmission(tx, { ...sent, ...who, runIds }, now)
  }
  return { alsoWrite }
}
