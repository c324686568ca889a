import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from '#lib/db/read-kept.ts'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import { auditLineText } from '#lib/domain/audit-line.ts'
import type { LedgerEntry } from '#lib/domain/ledger/ledger-entry.ts'
import {
  findForeignHead,
  type SignedHead,
  signedHeadSchema,
} from '#lib/domain/ledger/signed-head.ts'
import { AppError } from '#lib/errors.ts'
import { readInstant } from './compare-columns.ts'
import { isSignedRightly } from './ledger-key.ts'
import { readTextFile } from './read-text-file.ts'

/** The heads that this server signed so far, one a line, oldest first. */
export const HEADS_FILE = 'ledger-heads.ndjson'
/** A signed head in an archive. */
export const HEAD_FILE = 'ledger-head.json'

/** Adds a signed head to those that this server keeps. */
export function storeHead(head: SignedHead, dataDir: string): void {
  appendFileSync(join(dataDir, HEADS_FILE), `${JSON.stringify(head)}\n`, { mode: 0o600 })
}

/** The heads that this server keeps; null in the place of a line that cannot be read. */
export function readHeads(dataDir: string): (SignedHead | null)[] {
  const file = join(dataDir, HEADS_FILE)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map(parseHead)
}

/** A head as text, or the name of a file that holds one. Throws an AppError. */
export function readHead(textOrFile: string): SignedHead {
  const text = textOrFile.trimStart().startsWith('{') ? textOrFile : readTextFile(textOrFile)
  const head = parseHead(text)
  if (head) return head
  const message = 'this is not a signed head: make one with proofboard ledger head'
  throw new AppError('invalid-request', message)
}

function parseHead(text: string): SignedHead | null {
  try {
    return signedHeadSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** What speaks against one head and the chain that should continue it. */
export function checkHead(
  head: SignedHead,
  entries: readonly LedgerEntry[],
  { place = 'signed head', keyId }: { place?: string; keyId?: string | undefined } = {},
): Flaw[] {
  if (!isSignedRightly(head))
    return [{ place, problem: 'its signature does not fit: it was changed after it was signed' }]
  const foreign = findForeignHead(head, entries)
  if (foreign) return [{ place, problem: foreign }]
  if (keyId === undefined || head.key.keyId === keyId) return []
  return [
    { place, problem: `it was signed with another key (${head.key.keyId}) than this server's` },
  ]
}

type Stored = { dataDir: string; entries: readonly LedgerEntry[]; audit: readonly Row[] }

/** Every head that a server keeps against its own chain, and the audit log against the digests in them. */
export function checkStoredHeads({ dataDir, entries, audit }: Stored): Flaw[] {
  const heads = readHeads(dataDir)
  if (heads.length === 0) return []
  const digests = digestAudit(audit)
  return heads.flatMap((head, index) => {
    const place = `${HEADS_FILE} line ${index + 1}`
    if (!head) return [{ place, problem: 'cannot be read' }]
    const flaws = checkHead(head, entries, { place })
    if (head.audit === null || digests[head.audit.lines] === head.audit.digest) return flaws
    const problem = `the first ${head.audit.lines} lines of the audit log are not those that were signed in ${place}`
    return [...flaws, { place: 'audit log', problem }]
  })
}

/** The digest of the first n lines, for every n. */
function digestAudit(rows: readonly Row[]): string[] {
  const hash = createHash('sha256')
  const digests = [`sha256:${hash.copy().digest('hex')}`]
  for (const row of rows) {
    const line = { ...row, at: readInstant(row.at) ?? '' } as Parameters<typeof auditLineText>[0]
    hash.update(auditLineText(line))
    digests.push(`sha256:${hash.copy().digest('hex')}`)
  }
  return digests
}
