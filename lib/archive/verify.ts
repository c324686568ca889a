import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import { checkArchive } from '#lib/domain/archive/check-archive.ts'
import { parseLedger } from '#lib/domain/archive/ledger-document.ts'
import type { LedgerEntry } from '#lib/domain/ledger/ledger-entry.ts'
import { AppError } from '#lib/errors.ts'
import { checkBoards } from './check-boards.ts'
import { checkFolders } from './check-folders.ts'
import { checkBoardFiles, readExport } from './read-export.ts'
import { readServer } from './read-server.ts'
import { readTextFile } from './read-text-file.ts'

/** What a check of the ledger found; `head` is the last entry's hash, to be compared with one noted elsewhere. */
export type Verification = { ok: boolean; entries: number; head: string | null; problems: Flaw[] }

/** Checks a server's whole database: the chain, and that the content stands behind it. */
export function verifyServer(dataDir: string): Verification {
  const server = readServer(dataDir)
  const { archive, flaws, columnFlaws, kept } = server
  return conclude(archive.entries ?? [], [
    ...flaws,
    ...columnFlaws,
    ...checkFolders(server),
    ...checkBoards(archive, kept.boards),
  ])
}

const LOOKS = 8
const BETWEEN_LOOKS_MS = 500

/**
 * The same for a server that may be at work: its boards follow new episodes a moment later, so when nothing but boards
 * deviates it looks again, for four seconds at most.
 */
export async function verifyBusyServer(dataDir: string): Promise<Verification> {
  for (let look = 1; ; look++) {
    const found = verifyServer(dataDir)
    const mayFollow = found.problems.every(({ place }) => place.startsWith('board of '))
    if (found.ok || !mayFollow || look === LOOKS) return found
    await pause(BETWEEN_LOOKS_MS)
  }
}

/** Checks what somebody was given: a ledger file (its chain only) or an exported archive (all of it). */
export function verifyCopy(path: string): Verification {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new AppError('not-found', `there is nothing at ${path}`)
  if (!found.isDirectory()) {
    const { entries, flaws } = parseLedger(readTextFile(path))
    return conclude(entries, flaws)
  }
  const copy = readExport(path)
  return conclude(copy.archive.entries ?? [], [
    ...copy.flaws,
    ...checkArchive(copy.archive),
    ...checkBoardFiles(copy),
  ])
}

function conclude(entries: readonly LedgerEntry[], problems: Flaw[]): Verification {
  const head = entries.at(-1)?.hash ?? null
  return { ok: problems.length === 0, entries: entries.length, head, problems }
}
