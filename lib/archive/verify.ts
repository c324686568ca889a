import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import { checkArchive } from '#lib/domain/archive/check-archive.ts'
import { parseLedger } from '#lib/domain/archive/ledger-document.ts'
import type { LedgerEntry } from '#lib/domain/ledger/ledger-entry.ts'
import type { SignedHead } from '#lib/domain/ledger/signed-head.ts'
import { AppError } from '#lib/errors.ts'
import { checkKeptEvidence } from './archive-evidence.ts'
import { checkBoards } from './check-boards.ts'
import { checkFolders } from './check-folders.ts'
import { checkHead, checkStoredHeads, HEAD_FILE, readHead } from './check-heads.ts'
import { knownKeyId } from './ledger-key.ts'
import { checkBoardFiles, readExport } from './read-export.ts'
import { readServer } from './read-server.ts'
import { readTextFile } from './read-text-file.ts'

/** What a check of the ledger found; `head` is the last entry's hash, to be compared with one noted elsewhere. */
export type Verification = { ok: boolean; entries: number; head: string | null; problems: Flaw[] }

/** Checks a server's whole database: the chain, and that the content stands behind it. */
export function verifyServer(
  dataDir: string,
  { head = null, withEvidence = true }: Expected & { withEvidence?: boolean } = {},
): Verification {
  const server = readServer(dataDir)
  const { archive, flaws, columnFlaws, kept } = server
  const entries = archive.entries ?? []
  return conclude(entries, [
    ...flaws,
    ...columnFlaws,
    ...checkStoredHeads({ dataDir, entries, audit: kept.audit }),
    ...(head ? checkHead(head, entries, { keyId: knownKeyId(dataDir) }) : []),
    ...checkFolders(server),
    ...(withEvidence ? checkKeptEvidence(server) : []),
    ...checkBoards(archive, kept.boards),
  ])
}

/** A head that somebody kept from earlier: the chain has to continue it. */
type Expected = { head?: SignedHead | null }

const LOOKS = 8
const BETWEEN_LOOKS_MS = 500

/**
 * The same for a server that may be at work: its boards follow new episodes a moment later, so when nothing but boards
 * deviates it looks again, for four seconds at most.
 */
export async function verifyBusyServer(
  dataDir: string,
  expected: Expected = {},
): Promise<Verification> {
  for (let look = 1; ; look++) {
    const found = verifyServer(dataDir, { ...expected, withEvidence: look === 1 })
    const mayFollow = found.problems.every(({ place }) => place.startsWith('board of '))
    if (found.ok || !mayFollow || look === LOOKS) return found
    await pause(BETWEEN_LOOKS_MS)
  }
}

/** Checks what somebody was given: a ledger file (its chain only) or an exported archive (all of it). */
export function verifyCopy(path: string, { head = null }: Expected = {}): Verification {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new AppError('not-found', `there is nothing at ${path}`)
  if (!found.isDirectory()) {
    const { entries, flaws } = parseLedger(readTextFile(path))
    return conclude(entries, [...flaws, ...(head ? checkHead(head, entries) : [])])
  }
  const copy = readExport(path)
  const entries = copy.archive.entries ?? []
  return conclude(entries, [
    ...copy.flaws,
    ...checkOwnHead(copy.texts.get(HEAD_FILE), entries),
    ...(head ? checkHead(head, entries) : []),
    ...checkArchive(copy.archive),
    ...checkBoardFiles(copy),
  ])
}

/** The head that an archive carries itself; archives from before heads were signed have none. */
function checkOwnHead(text: string | undefined, entries: readonly LedgerEntry[]): Flaw[] {
  return text === undefined ? [] : checkHead(readHead(text), entries, { place: HEAD_FILE })
}

function conclude(entries: readonly LedgerEntry[], problems: Flaw[]): Verification {
  const head = entries.at(-1)?.hash ?? null
  return { ok: problems.length === 0, entries: entries.length, head, problems }
}
