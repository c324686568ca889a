import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type Hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOnce } from '../../create-once.ts'
import { listAuditAfter } from '../../db/audit-store.ts'
import type { Db } from '../../db/database.ts'
import { findLastOfAll } from '../../db/ledger-store.ts'
import { type DatabaseRow, readInstant } from '../../db/read-stored.ts'
import type { Flaw } from '../../domain/archive/index.ts'
import { type Digest, digestBytes } from '../../domain/digest/index.ts'
import {
  auditLineText,
  describeHead,
  findForeignHead,
  headText,
  type LedgerEntry,
  type LedgerKey,
  type SignedHead,
  signedHeadSchema,
  type UnsignedHead,
} from '../../domain/ledger/index.ts'
import { countOf, parseJson, pluralForm } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { readLeftOut } from '../evidence/left-out.ts'
import { readUtf8File } from './read-utf8-file.ts'

/** The heads that this server has signed, one per line, oldest first. */
export const HEADS_FILE = 'ledger-heads.ndjson'
/** A signed head in an archive. */
export const HEAD_FILE = 'ledger-head.json'

/** Appends a signed head to the stored ones. */
export function storeHead(head: SignedHead, dataDir: string): void {
  appendFileSync(join(dataDir, HEADS_FILE), `${JSON.stringify(head)}\n`, { mode: 0o600 })
}

/** Reads the stored heads; null in the place of a line that cannot be read. */
function readHeads(dataDir: string): (SignedHead | null)[] {
  const file = join(dataDir, HEADS_FILE)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map(parseHead)
}

/** Parses a head from a text, or from the file of that name. Throws an AppError. */
export function readHead(textOrFile: string): SignedHead {
  const text = textOrFile.trimStart().startsWith('{') ? textOrFile : readUtf8File(textOrFile)
  const head = parseHead(text)
  if (head) return head
  const message = 'this is not a signed head: make one with proofboard server ledger head'
  throw new AppError('invalid-request', message)
}

function parseHead(text: string): SignedHead | null {
  return signedHeadSchema.safeParse(parseJson(text)).data ?? null
}

/** Lists contradictions between one head and the chain that should continue it. */
export function checkHead(
  head: SignedHead,
  entries: readonly LedgerEntry[],
  { place = 'signed head', keyIds = [] }: { place?: string; keyIds?: readonly string[] } = {},
): Flaw[] {
  if (!isSignedRightly(head))
    return [{ place, problem: 'its signature does not fit: it was changed after it was signed' }]
  const foreign = findForeignHead(head, entries)
  if (foreign) return [{ place, problem: foreign }]
  if (keyIds.length === 0 || keyIds.includes(head.key.keyId)) return []
  return [
    { place, problem: `it was signed with another key (${head.key.keyId}) than this server's` },
  ]
}

type Stored = { dataDir: string; entries: readonly LedgerEntry[]; audit: readonly DatabaseRow[] }

/** Checks every stored head against the chain, and the audit log against the digests in them. */
export function checkStoredHeads({ dataDir, entries, audit }: Stored): Flaw[] {
  const heads = readHeads(dataDir)
  if (heads.length === 0) return []
  const digests = digestAudit(audit)
  return heads.flatMap((head, index) => {
    const place = `${HEADS_FILE} line ${index + 1}`
    if (!head) return [{ place, problem: 'cannot be read' }]
    const flaws = checkHead(head, entries, { place })
    if (head.audit === null || digests[head.audit.lines] === head.audit.digest) return flaws
    const problem = `the first ${countOf(head.audit.lines, 'line')} of the audit log ${pluralForm(head.audit.lines, 'is not the one that was', 'are not those that were')} signed in ${place}`
    return [...flaws, { place: 'audit log', problem }]
  })
}

/** Returns the digest of the first n lines, for every n. */
function digestAudit(rows: readonly DatabaseRow[]): string[] {
  const hash = createHash('sha256')
  const digests = [`sha256:${hash.copy().digest('hex')}`]
  for (const row of rows) {
    const line = { ...row, at: readInstant(row.at) ?? '' } as Parameters<typeof auditLineText>[0]
    hash.update(auditLineText(line))
    digests.push(`sha256:${hash.copy().digest('hex')}`)
  }
  return digests
}

/** The private key, in the folder of secrets. */
export const LEDGER_KEY_FILE = 'ledger-key'

/** Returns the key's file. Other data folders, such as an example board's, have their own key. */
function keyFile(dataDir: string): string {
  const folder = dataDir === env().dataDir ? env().secretsDir : dataDir
  return join(folder, LEDGER_KEY_FILE)
}

/** Bytes before the raw key in an Ed25519 public key in SPKI form (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * Returns the key that signs the ledger's head: created once, stored in the folder of secrets, readable only by its
 * owner. Without it a copy of the ledger cannot be rewritten unnoticed. Throws an AppError.
 */
function ownKey(dataDir: string): KeyObject {
  const file = keyFile(dataDir)
  const pem = createOnce(file, makeKey)
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    const message = `${file} is not a key: restore it from a backup, or remove it to get a new one`
    throw new AppError('bad-configuration', message, { cause })
  }
}

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Returns the public half of this server's key, which is created at first use. */
export function ledgerKey(dataDir: string): LedgerKey {
  return describeKey(createPublicKey(ownKey(dataDir)))
}

/**
 * Lists the ids of a server's keys: its own, and earlier ones that a restore left out. Empty when it has no key yet.
 */
export function knownKeyIds(dataDir: string): Digest[] {
  if (!existsSync(keyFile(dataDir))) return []
  return [ledgerKey(dataDir).keyId, ...readLeftOut(dataDir).ledgerKeys]
}

/** Lists the ids of all signing keys: the server's, earlier ones, and those of the heads stored in a data folder. */
export function signingKeyIds(dataDir: string): Digest[] {
  const stored = readHeads(dataDir).flatMap((head) => head?.key.keyId ?? [])
  return [...new Set([...knownKeyIds(dataDir), ...stored])]
}

function describeKey(key: KeyObject): LedgerKey {
  const raw = key.export({ type: 'spki', format: 'der' }).subarray(SPKI_PREFIX.length)
  return { algorithm: 'ed25519', keyId: digestBytes(raw), publicKey: raw.toString('base64') }
}

/** Signs a head with this server's key. */
export function signHead(head: UnsignedHead, dataDir: string): SignedHead {
  return { ...head, ...signText(headText(head), dataDir) }
}

/** Signs a text with this server's key. Ed25519 is deterministic: the same text has the same signature. */
export function signText(text: string, dataDir: string): Pick<SignedHead, 'key' | 'signature'> {
  const key = ownKey(dataDir)
  const signature = sign(null, Buffer.from(text), key).toString('base64')
  return { key: describeKey(createPublicKey(key)), signature }
}

/** Returns whether a head was signed with the key that it names. */
function isSignedRightly(head: SignedHead): boolean {
  return isSignedText(headText(head), head.signature, head.key)
}

/** Returns whether a text was signed with this key. */
export function isSignedText(
  text: string,
  signature: string,
  { keyId, publicKey }: LedgerKey,
): boolean {
  const raw = Buffer.from(publicKey, 'base64')
  if (raw.length !== 32 || digestBytes(raw) !== keyId) return false
  const der = Buffer.concat([SPKI_PREFIX, raw])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
}

const LINES_AT_ONCE = 1000
const log = createLog('ledger')

/**
 * Signs the ledger's head whenever it has grown, and stores every head. `ledger verify` then detects a change of the
 * ledger or the audit log without the server's key, or after an earlier head was copied elsewhere.
 */
export class HeadSigner {
  readonly #db: Db
  readonly #audit: Hash = createHash('sha256')
  #lines = 0
  #lastAuditId = 0
  #signed: number

  constructor(db: Db) {
    this.#db = db
    const heads = readHeads(env().dataDir)
    this.#signed = Math.max(0, ...heads.map((head) => head?.sequence ?? 0))
  }

  /** Stores a new head if the ledger has grown since the last one. */
  async sign(): Promise<void> {
    const last = await findLastOfAll(this.#db)
    if (!last || last.sequence === this.#signed) return
    if (last.sequence < this.#signed) {
      log.error(
        'the ledger ends before a head that was signed: see proofboard server ledger verify',
        {
          ends: last.sequence,
          signed: this.#signed,
        },
      )
      this.#signed = last.sequence
      return
    }
    await this.#readAudit()
    const digest: Digest = `sha256:${this.#audit.copy().digest('hex')}`
    const { dataDir } = env()
    storeHead(signHead(describeHead(last, { lines: this.#lines, digest }), dataDir), dataDir)
    this.#signed = last.sequence
  }

  async #readAudit(): Promise<void> {
    for (;;) {
      const rows = await listAuditAfter(this.#db, this.#lastAuditId, LINES_AT_ONCE)
      for (const row of rows) {
        this.#audit.update(auditLineText(row))
        this.#lines++
        this.#lastAuditId = row.id
      }
      if (rows.length < LINES_AT_ONCE) return
    }
  }
}
