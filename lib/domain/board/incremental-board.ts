import {
  isConcerned,
  judgeRegistration,
  type KnownPrograms,
  type RegistrationKeys,
  type RowRegistration,
  registrationKeys,
} from '../eligibility/index.ts'
import type { RegistrationBook } from '../ledger/index.ts'
import type { Board, BoardRow } from './board-row.ts'
import { type BoardTexts, frameText, type RowText, rowText } from './board-texts.ts'
import { assembleBoard, describeOwner, type OwnedRow } from './build-board.ts'
import type { BuildBoardInput } from './build-board-input.ts'
import { decideRow, readSurroundings, type Surroundings } from './build-eligibility.ts'
import { buildRow } from './build-row.ts'
import { buildRowGroups } from './build-row-groups.ts'
import { applyStops } from './find-stops.ts'
import type { PoolMemory } from './rank-board.ts'
import type { RowGroup } from './row-group.ts'
import { type RowTraits, traitsOf } from './row-traits.ts'
import { joinPrograms, type RunSummary, summariseRuns } from './run-summary.ts'

/** The part of the input that all rows of a board share, by the current ledger. */
export type BoardFrame = Omit<BuildBoardInput, 'facts' | 'evaluations' | 'regradeDisagreements'>

/** The received episodes of one part of a board (`rowPartOf`), with their later evaluations and regrades. */
export type BoardPart = Required<
  Pick<BuildBoardInput, 'facts' | 'evaluations' | 'regradeDisagreements'>
> & {
  /** Summaries of the facts, if they are kept beside them. */
  summaries?: readonly RunSummary[]
}

/** Episodes that repeat another run's content, with that run's id: by part, then by episode id. */
export type CopiesByPart = ReadonlyMap<string, ReadonlyMap<string, string>>

type CachedRow = OwnedRow & {
  traits: RowTraits
  taken: string
  /** Result of comparing it with the registrations up to an entry of the ledger; null = not checked. */
  judged: { keys: RegistrationKeys; asOf: number; registration: RowRegistration } | null
  /** Its bytes on the last board, with the members that depend on the other rows. */
  shown: { among: string; text: RowText } | null
}
/** `given`: everything that other parts may use from this one, as a text to compare. */
type CachedPart = { rows: CachedRow[]; own: KnownPrograms; given: string }

/**
 * A board cached in parts: each row with its counts and figures, without its episodes. A part is rebuilt when its
 * episodes changed, or when the facts that its rows use from other rows did; the board is assembled from cached rows.
 * Its bytes equal those of `buildBoard` over all episodes; a test compares them.
 */
export class IncrementalBoard {
  readonly #parts = new Map<string, CachedPart>()
  #frame: { board: Board; text: string } | null = null
  #around: ((row: RowTraits) => Surroundings) | null = null
  /** True if what a part gives to others changed since the rows were last compared. */
  #hasChanged = true
  /** Other inputs of that comparison: the copies, and the ledger's last entry that changed the registrations. */
  #compared = { copies: '', changedBy: 0 }
  readonly #ranks: PoolMemory = new Map()

  /** Rebuilds one part; without episodes it is removed. */
  put(
    name: string,
    frame: BoardFrame,
    { summaries, ...part }: BoardPart,
    copies: CopiesByPart,
  ): void {
    const runs = summaries ?? summariseRuns(part.facts)
    const around = this.#around ?? readSurroundings([], [])
    const found = copies.get(name) ?? NO_COPIES
    const input = { ...frame, ...part }
    const rows = buildRowGroups(input, runs).map((bare): CachedRow => {
      const traits = traitsOf(bare)
      const surroundings = around(traits)
      const { stopped, ...taken } = surroundings
      const group = applyStops(bare, stopped)
      const eligibility = decideRow(input, group, { ...taken, copies: found })
      const row = buildRow(group, eligibility, part.evaluations)
      return {
        ...describeOwner(row, group),
        traits,
        taken: describeTaken(traits, surroundings, found),
        judged: judgedOf(group, frame),
        shown: null,
      }
    })
    const local = runs.filter(({ first }) => first.provenance === 'local')
    const own = joinPrograms(local.map(({ programs }) => programs))
    const given = describeGiven(rows, own)
    if (this.#parts.get(name)?.given !== given) this.#hasChanged = true
    if (part.facts.length === 0) this.#parts.delete(name)
    else this.#parts.set(name, { rows, own, given })
  }

  /** Lists parts with a row that uses outdated facts from others: each has to be put again. */
  listOutdated({ registrations }: BoardFrame, copies: CopiesByPart): string[] {
    const before = this.#compared
    const compared = { copies: describeCopies(copies), changedBy: registrations?.changedBy ?? 0 }
    const isJudged = (row: CachedRow) =>
      before.changedBy === compared.changedBy || hasSameRegistration(row, registrations)
    this.#compared = compared
    // One more episode of a row rarely changes what it gives and takes.
    const isTaken =
      this.#hasChanged || before.copies !== compared.copies ? this.#compareAll(copies) : () => true
    this.#hasChanged = false
    return [...this.#parts].flatMap(([name, { rows }]) =>
      rows.every((row) => isTaken(name, row) && isJudged(row)) ? [] : [name],
    )
  }

  /** Returns a check whether a row still uses current facts from the other rows of the board. */
  #compareAll(copies: CopiesByPart): (part: string, row: CachedRow) => boolean {
    const parts = [...this.#parts.values()]
    const around = readSurroundings(
      parts.flatMap(({ rows }) => rows.map((row) => row.traits)),
      parts.map(({ own }) => own),
    )
    this.#around = around
    return (part, row) =>
      describeTaken(row.traits, around(row.traits), copies.get(part) ?? NO_COPIES) === row.taken
  }

  /** Returns the part of a row, by its current id or an alias; null = no such row. */
  findPart(rowId: string): string | null {
    for (const [name, { rows }] of this.#parts)
      if (rows.some(({ row }) => row.rowId === rowId || row.aliases?.includes(rowId))) return name
    return null
  }

  get partNames(): string[] {
    return [...this.#parts.keys()]
  }

  /** Assembles the board of all parts, and its bytes; none of the parts may be outdated. */
  build(frame: BoardFrame): { board: Board; texts: BoardTexts } {
    const cached = [...this.#parts.values()].flatMap(({ rows }) => rows)
    cached.sort((a, b) => (a.row.rowId < b.row.rowId ? -1 : 1))
    const board = assembleBoard(frame, cached, this.#ranks)
    const byId = new Map(cached.map((one) => [one.row.rowId, one]))
    const texts = board.rows.map((row) => textOf(row, byId.get(row.rowId) as CachedRow))
    return { board, texts: { frame: this.#frameOf(board), rows: texts } }
  }

  #frameOf(board: Board): string {
    const before = this.#frame
    const text = before && hasSameFrame(before.board, board) ? before.text : frameText(board)
    this.#frame = { board, text }
    return text
  }
}

/** Unchanged rows keep their bytes: validating and printing them is most of a board's cost. */
function textOf(row: BoardRow, cached: CachedRow): RowText {
  const among = JSON.stringify([row.siblings, row.rank])
  if (cached.shown?.among !== among) cached.shown = { among, text: rowText(row) }
  return cached.shown.text
}

function hasSameFrame({ rows: _, ...one }: Board, { rows: __, ...other }: Board): boolean {
  return isSameJson(one, other)
}

function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

const NO_PROGRAMS: KnownPrograms = { versions: new Set(), verifiers: new Set() }
const NO_COPIES: ReadonlyMap<string, string> = new Map()

/** Everything that a part's rows give to others, besides their ids. */
function describeGiven(rows: readonly CachedRow[], own: KnownPrograms): string {
  const shown = rows.map(({ traits }) => {
    const { rowId, identity, sender, account, order, isOld, isStress, solved } = traits
    const arms = traits.arms.length > 0 ? [traits.arms, traits.isWhole] : []
    const stops = traits.stops.map(({ key, side, ends, costMicroUsd }) => [
      ...[key, side, ends, costMicroUsd],
    ])
    return [
      rowId,
      identity,
      sender,
      account,
      order,
      isOld,
      isStress,
      [...solved].sort(),
      ...arms,
      stops,
    ]
  })
  return JSON.stringify([shown, [...own.versions].sort(), [...own.verifiers].sort()])
}

function describeCopies(copies: CopiesByPart): string {
  return JSON.stringify([...copies].map(([part, own]) => [part, [...own].sort()]).sort())
}

/** Everything that a row's decision uses from outside of its part except the registrations, as a text to compare. */
function describeTaken(
  traits: RowTraits,
  { imitation, knownPrograms, passedWithoutFault, unfinishedArms, stopped }: Surroundings,
  copies: ReadonlyMap<string, string>,
): string {
  // Programs of runs on this server are not checked.
  const { versions, verifiers } = traits.sender === null ? NO_PROGRAMS : traits.programs
  return JSON.stringify([
    imitation,
    [...versions].filter((version) => knownPrograms.versions.has(version)).sort(),
    [...verifiers].filter((digest) => knownPrograms.verifiers.has(digest)).sort(),
    [...passedWithoutFault].sort(),
    unfinishedArms,
    stopped,
    [...copies].sort(([a], [b]) => (a < b ? -1 : 1)),
  ])
}

function judgedOf(group: RowGroup, { registrations }: BoardFrame): CachedRow['judged'] {
  const { identity, starts, registration } = group
  if (registration === null || !registrations) return null
  const keys = registrationKeys({ ...identity, facts: starts }, registrations)
  return { keys, asOf: registrations.changedBy, registration }
}

/** True if the registrations have not changed for a row. The runs of a cached row were received before. */
function hasSameRegistration({ traits, judged }: CachedRow, book?: RegistrationBook): boolean {
  if (judged === null || book === undefined) return judged === null && book === undefined
  const isAsBefore = !isConcerned(judged.keys, book, judged.asOf)
  judged.asOf = book.changedBy
  if (isAsBefore) return true
  const row = { ...traits.identity, facts: traits.starts }
  judged.keys = registrationKeys(row, book)
  return isSameJson(judgeRegistration(row, book), judged.registration)
}
