import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseRow } from '../../db/read-stored.ts'
import {
  type Archive,
  checkArchive,
  type Flaw,
  parseLedger,
  rebuildBoard,
} from '../../domain/archive/index.ts'
import { digestBoard, serializeBoard, splitBoard } from '../../domain/board/index.ts'
import { changesBoards, type LedgerEntry, type SignedHead } from '../../domain/ledger/index.ts'
import type { Suite } from '../../domain/tasks/index.ts'
import { AppError } from '../../errors.ts'
import type { JudgeFile } from '../evidence/judge-file.ts'
import { checkServerEvidence } from './archive-evidence.ts'
import { checkHead, checkStoredHeads, HEAD_FILE, knownKeyIds, readHead } from './ledger-heads.ts'
import { checkFolders, type ReadExport, readExport } from './read-export.ts'
import { readServer } from './read-server.ts'
import { readUtf8File } from './read-utf8-file.ts'

/**
 * Result of a ledger check; `head` is the last entry's hash, to be compared with a copy elsewhere. `elsewhere` is the
 * number of evidence files that are not in the data folder and not expected there; null = evidence was not checked.
 */
export type Verification = {
  ok: boolean
  entries: number
  head: string | null
  problems: Flaw[]
  elsewhere: number | null
}

type Checks = Expected & {
  /** Checks the evidence files; null = they are not checked. Default: by the contents of the evidence store. */
  judge?: JudgeFile | null
}

/** Checks a server's whole database: the chain, and that the content matches it. */
export async function verifyServer(
  dataDir: string,
  { head = null, judge }: Checks = {},
): Promise<Verification> {
  const server = await readServer(dataDir)
  const { archive, flaws, columnFlaws, tables } = server
  const entries = archive.entries ?? []
  const evidence = judge === null ? null : await checkServerEvidence(server, judge)
  const problems = [
    ...flaws,
    ...columnFlaws,
    ...checkStoredHeads({ dataDir, entries, audit: tables.audit }),
    ...(head ? checkHead(head, entries, { keyIds: knownKeyIds(dataDir) }) : []),
    ...checkFolders(server),
    ...(evidence?.flaws ?? []),
    ...checkBoards(archive, tables.boards),
  ]
  return conclude(entries, problems, evidence?.elsewhere)
}

/** A head that was saved earlier: the chain has to continue it. */
type Expected = { head?: SignedHead | null }

const LOOKS = 8
const BETWEEN_LOOKS_MS = 500

/**
 * Checks a server that may be running. Its boards follow new episodes a moment later, so the check is repeated for up
 * to four seconds while only boards differ.
 */
export async function verifyBusyServer(
  dataDir: string,
  expected: Expected = {},
): Promise<Verification> {
  let elsewhere: number | null = null
  for (let look = 1; ; look++) {
    const again = look === 1 ? {} : { judge: null }
    const found = await verifyServer(dataDir, { ...expected, ...again })
    elsewhere ??= found.elsewhere
    const mayFollow = found.problems.every(({ place }) => place.startsWith('board of '))
    if (found.ok || !mayFollow || look === LOOKS) return { ...found, elsewhere }
    await pause(BETWEEN_LOOKS_MS)
  }
}

/** Checks a downloaded ledger file (its chain only) or an exported archive (all of it). */
export function verifyCopy(path: string, { head = null }: Expected = {}): Verification {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new AppError('not-found', `there is nothing at ${path}`)
  if (!found.isDirectory()) {
    const { entries, flaws } = parseLedger(readUtf8File(path))
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

/** Checks the head in an archive, if it has one; older archives have none. */
function checkOwnHead(text: string | undefined, entries: readonly LedgerEntry[]): Flaw[] {
  return text === undefined ? [] : checkHead(readHead(text), entries, { place: HEAD_FILE })
}

function conclude(
  entries: readonly LedgerEntry[],
  problems: Flaw[],
  elsewhere: number | null = null,
): Verification {
  const head = entries.at(-1)?.hash ?? null
  return { ok: problems.length === 0, entries: entries.length, head, problems, elsewhere }
}

/**
 * Checks that every stored board equals, byte for byte, the one rebuilt from its artifacts, and that every suite with
 * episodes has one.
 */
function checkBoards(archive: Archive, boards: readonly DatabaseRow[]): Flaw[] {
  const stored = new Map(boards.map((row) => [row.suiteDigest, row]))
  const known = new Set<unknown>(archive.suites.map(({ digest }) => digest))
  const unknown = boards.flatMap(({ suiteId, suiteDigest }) =>
    known.has(suiteDigest)
      ? []
      : [{ place: `board of ${suiteId}`, problem: `its suite version ${suiteDigest} is not here` }],
  )
  return [
    ...unknown,
    ...archive.suites.flatMap((suite) => checkBoard(archive, suite, stored.get(suite.digest))),
  ]
}

function checkBoard(archive: Archive, suite: Suite, row: DatabaseRow | undefined): Flaw[] {
  const place = `board of ${suite.suiteId}`
  if (!row) {
    const hasEpisodes = archive.runs.some(
      ({ plan, episodes }) => plan.suiteDigest === suite.digest && episodes.length > 0,
    )
    const problem = `none is stored for version ${suite.digest}: the worker has not computed it yet`
    return hasEpisodes ? [{ place, problem }] : []
  }
  const board = rebuildBoard(archive, suite)
  if (row.board !== serializeBoard(board)) {
    return [{ place, problem: describeDeviation(archive, suite, row) }]
  }
  return row.digest === digestBoard(splitBoard(board)) && row.suiteId === suite.suiteId
    ? []
    : [{ place, problem: 'its digest or its suite was changed' }]
}

/** Describes a difference, and how to tell it from a board that is about to be recomputed. */
function describeDeviation({ entries }: Archive, { digest }: Suite, row: DatabaseRow): string {
  const deviates = `the stored board of version ${digest} is not what its episodes and the ledger give`
  const last = (entries ?? []).findLast(({ action }) => changesBoards(action.kind))
  if (last && Number(row.ledgerSequence) < last.sequence)
    return `${deviates}: it does not reflect entry ${last.sequence} yet; the worker updates it when it runs`
  return `${deviates}; while a run is under way ask again in a few seconds`
}

/** Checks that the exported boards equal those rebuilt from the exported artifacts. */
function checkBoardFiles({ archive, texts }: ReadExport): Flaw[] {
  return archive.suites.flatMap((suite) => {
    if (archive.current.get(suite.suiteId) !== suite.digest) return []
    const place = `leaderboard/${suite.suiteId}.json`
    if (texts.get(place) === serializeBoard(rebuildBoard(archive, suite))) return []
    return [{ place, problem: 'is not what the archive gives' }]
  })
}
