import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestBytes } from '#lib/domain/digest.ts'
import {
  headText,
  type LedgerKey,
  type SignedHead,
  type UnsignedHead,
} from '#lib/domain/ledger/signed-head.ts'
import { AppError } from '#lib/errors.ts'

/** The private key, in the data folder. */
export const LEDGER_KEY_FILE = 'ledger-key'

/** Bytes before the raw key in an Ed25519 public key in SPKI form (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * The key that a server signs its ledger's head with: made once, stored in the data folder, readable by its owner alone.
 * A copy of the ledger cannot be rewritten unseen by whoever does not have it. Throws an AppError.
 */
function ownKey(dataDir: string): KeyObject {
  const file = join(dataDir, LEDGER_KEY_FILE)
  try {
    mkdirSync(dataDir, { recursive: true })
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    // Two processes may start at once: the first one's key stands.
    writeFileSync(file, pem, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  try {
    return createPrivateKey(readFileSync(file))
  } catch (cause) {
    const message = `${file} is not a key: restore it from a backup, or remove it to get a new one`
    throw new AppError('bad-configuration', message, { cause })
  }
}

/** The public half of this server's key; made on first use. */
export function ledgerKey(dataDir: string): LedgerKey {
  return describeKey(createPublicKey(ownKey(dataDir)))
}

/** The id of a server's key without making one; undefined = it has none yet. */
export function knownKeyId(dataDir: string): string | undefined {
  return existsSync(join(dataDir, LEDGER_KEY_FILE)) ? ledgerKey(dataDir).keyId : undefined
}

function describeKey(key: KeyObject): LedgerKey {
  const raw = key.export({ type: 'spki', format: 'der' }).subarray(SPKI_PREFIX.length)
  return { algorithm: 'ed25519', keyId: digestBytes(raw), publicKey: raw.toString('base64') }
}

/** Signs a head with this server's key. Ed25519 is deterministic: the same head has the same signature. */
export function signHead(head: UnsignedHead, dataDir: string): SignedHead {
  const key = ownKey(dataDir)
  const signature = sign(null, Buffer.from(headText(head)), key).toString('base64')
  return { ...head, key: describeKey(createPublicKey(key)), signature }
}

/** Whether a head was signed with the very key that it names. */
export function isSignedRightly(head: SignedHead): boolean {
  const { keyId, publicKey } = head.key
  const raw = Buffer.from(publicKey, 'base64')
  if (raw.length !== 32 || digestBytes(raw) !== keyId) return false
  const der = Buffer.concat([SPKI_PREFIX, raw])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(headText(head)), key, Buffer.from(head.signature, 'base64'))
}
