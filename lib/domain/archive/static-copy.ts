import { z } from 'zod'
import { canonicalJson, type Digest, digestBytes, digestSchema } from '../digest/index.ts'
import {
  findForeignHead,
  headText,
  type LedgerKey,
  ledgerKeySchema,
  signedHeadSchema,
} from '../ledger/index.ts'
import { instantSchema, relativePathSchema } from '../record/index.ts'
import { parseJson } from '../text/index.ts'
import { type Archive, type Flaw, manifestSchema } from './archive.ts'
import { checkArchive } from './check-archive.ts'
import { readArchive } from './read-archive.ts'

export const COPY_MANIFEST = 'manifest.json'
/** Folder of a copy with the artifacts behind its numbers, as written by `board export`. */
export const COPY_ARCHIVE = 'archive'
const COPY_KIND = 'proofboard-static-copy'

const bodySchema = z.strictObject({
  kind: z.literal(COPY_KIND),
  schemaVersion: z.literal(1),
  /** The moment that the copy shows: the time of the ledger's last entry. */
  at: instantSchema,
  /** Address of the server that it was made from. */
  original: z.string().max(2000),
  /** The last entry of the ledger; null = the ledger is empty. */
  ledger: z.strictObject({ sequence: z.number().int().positive(), hash: digestSchema }).nullable(),
  /** Every other file of the copy. */
  files: z.array(
    z.strictObject({
      path: relativePathSchema,
      bytes: z.number().int().nonnegative(),
      digest: digestSchema,
    }),
  ),
})
type CopyBody = z.infer<typeof bodySchema>

/** `manifest.json` of a static copy. */
const copyManifestSchema = bodySchema.extend({
  /** Digest of the canonical JSON of all members above. */
  digest: digestSchema,
  key: ledgerKeySchema,
  /** Ed25519 signature of the kind and that digest, with the key that signs the ledger's head. */
  signature: z.string().max(100),
})
export type CopyManifest = z.infer<typeof copyManifestSchema>

/** Prepares a manifest for signing; the caller adds the key and the signature over `copySignedText`. */
export function describeCopy(
  body: Omit<CopyBody, 'kind' | 'schemaVersion'>,
): CopyBody & { digest: Digest } {
  const whole: CopyBody = { kind: COPY_KIND, schemaVersion: 1, ...body }
  return { ...whole, digest: digestBytes(canonicalJson(whole)) }
}

/** The signed bytes of a manifest; they always differ from those of a ledger's head. */
export function copySignedText({ digest }: { digest: string }): string {
  return `${COPY_KIND} ${digest}`
}

/** Parses a manifest; null = not a manifest. */
export function parseCopyManifest(text: string): CopyManifest | null {
  return copyManifestSchema.safeParse(parseJson(text)).data ?? null
}

/** Access to a copy from outside: a folder on disk, or a site that a browser reads. */
export type CopyReader = {
  /** Null = no such file. */
  read: (path: string) => Promise<Uint8Array | null>
  digest: (bytes: Uint8Array) => Promise<string>
  /** Null = cannot be verified here. */
  verify: (text: string, signature: string, key: LedgerKey) => Promise<boolean | null>
  onFile?: (done: number, total: number) => void
}

export type CopyReport = {
  at: string | null
  files: number
  bytes: number
  entries: number
  episodes: number
  /** Evidence files that envelopes name: present and compared with the envelope, or not part of the copy. */
  evidence: { here: number; absent: number }
  keyId: string | null
  /** Null = no signature could be checked here. */
  isSigned: boolean | null
  flaws: Flaw[]
}

/**
 * Checks a static copy against itself: every file against the manifest, the manifest against its own digest and
 * signature, the ledger's chain, every envelope's seal, every run against what the ledger says was sealed.
 */
export async function checkCopy(reader: CopyReader): Promise<CopyReport> {
  const found = await reader.read(COPY_MANIFEST)
  const text = found && decode(found)
  const manifest = text === null ? null : parseCopyManifest(text)
  if (text === null || manifest === null) {
    const problem = text === null ? 'is missing' : 'is not the manifest of a static copy'
    return { ...NOTHING, flaws: [{ place: COPY_MANIFEST, problem }] }
  }
  const own = await checkManifest(text, manifest, reader)
  const files = await checkFiles(manifest, reader)
  const content = await checkContent(manifest, files.texts, reader)
  return {
    at: manifest.at,
    files: manifest.files.length,
    bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    keyId: manifest.key.keyId,
    isSigned: own.isSigned,
    ...content,
    flaws: [...own.flaws, ...files.flaws, ...content.flaws],
  }
}

const NOTHING: Omit<CopyReport, 'flaws'> = {
  at: null,
  files: 0,
  bytes: 0,
  entries: 0,
  episodes: 0,
  keyId: null,
  isSigned: null,
  evidence: { here: 0, absent: 0 },
}

async function checkManifest(text: string, manifest: CopyManifest, { verify }: CopyReader) {
  const { digest, key, signature, ...body } = manifest
  const flaws: Flaw[] = []
  const blame = (problem: string) => flaws.push({ place: COPY_MANIFEST, problem })
  if (canonicalJson(manifest) !== text) blame('is not written as the export wrote it')
  if (digestBytes(canonicalJson(body)) !== digest) blame('was changed after its digest was made')
  const isSigned = await verify(copySignedText({ digest }), signature, key)
  if (isSigned === false) blame('was changed after it was signed')
  return { isSigned, flaws }
}

/** Keeps the texts of the archive; all other bytes are dropped after their check. */
async function checkFiles({ files }: CopyManifest, reader: CopyReader) {
  const flaws: Flaw[] = []
  const texts = new Map<string, string>()
  for (const [place, { path, bytes, digest }] of files.entries()) {
    const found = await reader.read(path)
    if (found === null) flaws.push({ place: path, problem: 'is missing' })
    else if (found.length !== bytes || (await reader.digest(found)) !== digest)
      flaws.push({ place: path, problem: 'was changed: it is not the file that was exported' })
    if (found && path.startsWith(`${COPY_ARCHIVE}/`))
      texts.set(path.slice(COPY_ARCHIVE.length + 1), decode(found))
    reader.onFile?.(place + 1, files.length)
  }
  return { flaws, texts }
}

async function checkContent(
  { files, ledger }: CopyManifest,
  texts: ReadonlyMap<string, string>,
  reader: CopyReader,
) {
  const listed = manifestSchema.safeParse(parseJson(texts.get('manifest.json') ?? ''))
  const { archive, flaws } = readArchive(texts, listed.data?.currentSuites ?? {})
  const { entries, runs } = archive
  if (!listed.success) flaws.push({ place: 'manifest.json', problem: 'is not one of an archive' })
  const last = entries.at(-1)
  if (last?.hash !== ledger?.hash || last?.sequence !== ledger?.sequence)
    flaws.push({ place: 'ledger.json', problem: 'does not end with the entry of manifest.json' })
  flaws.push(...(await checkHead(texts.get('ledger-head.json'), archive, reader)))
  flaws.push(...checkArchive(archive))
  const digests = new Set(files.map(({ digest }) => digest))
  const named = runs.flatMap(({ episodes }) => episodes.flatMap(({ evidence }) => evidence))
  const here = named.filter(({ digest }) => digests.has(digest)).length
  return {
    entries: entries.length,
    episodes: runs.reduce((sum, { episodes }) => sum + episodes.length, 0),
    evidence: { here, absent: named.length - here },
    flaws: flaws.map(({ place, problem }) => ({ place: inArchive(place, texts), problem })),
  }
}

/** The head that the server signed has to be part of this chain. */
async function checkHead(
  text: string | undefined,
  { entries }: Archive,
  { verify }: CopyReader,
): Promise<Flaw[]> {
  if (text === undefined) return []
  const place = 'ledger-head.json'
  const head = signedHeadSchema.safeParse(parseJson(text)).data
  if (!head) return [{ place, problem: 'is not a signed head' }]
  if ((await verify(headText(head), head.signature, head.key)) === false)
    return [{ place, problem: 'was changed after it was signed' }]
  const foreign = findForeignHead(head, entries ?? [])
  return foreign === null ? [] : [{ place, problem: foreign }]
}

function inArchive(place: string, texts: ReadonlyMap<string, string>): string {
  const isFile = texts.has(place) || place === 'ledger.json' || place === 'manifest.json'
  return isFile ? `${COPY_ARCHIVE}/${place}` : place
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
