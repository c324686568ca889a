import {
  type Eligibility,
  judgeRegistration,
  type KnownPrograms,
  type RowRegistration,
} from '../eligibility/index.ts'
import type { RegistrationBook } from '../ledger/index.ts'
import type { Board, BoardRow } from './board-row.ts'
import { type BoardTexts, type RowText, rowText, splitBoard } from './board-texts.ts'
import { assembleBoard } from './build-board.ts'
import type { BuildBoardInput } from './build-board-input.ts'
import {
  decideAgainstCompetitors,
  decideAlone,
  ownOf,
  readSurroundings,
  type Surroundings,
} from './build-eligibility.ts'
import { buildRow } from './build-row.ts'
import { buildRowGroups } from './build-row-groups.ts'
import type { RankMemory } from './rank-board.ts'
import { programsOf, type RowTraits, traitsOf } from './row-traits.ts'

/** What all rows of a board share, by the current ledger. */
export type BoardFrame = Omit<BuildBoardInput, 'facts' | 'evaluations' | 'regradeDisagreements'>

/** The received episodes of one part of a board (`rowPartOf`), and what was found about them later. */
export type BoardPart = Required<
  Pick<BuildBoardInput, 'facts' | 'evaluations' | 'regradeDisagreements'>
>

/** Episodes whose content is another run's, with that run's id: by part, then by episode id. */
export type CopiesByPart = ReadonlyMap<string, ReadonlyMap<string, string>>

type CachedRow = {
  traits: RowTraits
  alone: Eligibility
  row: BoardRow
  taken: string
  /** What the registrations say of it, until they are changed by a later entry of the ledger. */
  judged?: { changedBy: number; registration: RowRegistration }
}
/** `built` = the cached row that `row` was decided from. */
type CachedText = { built: BoardRow; row: BoardRow; text: RowText }
/** `given`: all that other parts may take from this one, as a text to compare. */
type CachedPart = { rows: CachedRow[]; own: KnownPrograms; given: string }

/**
 * A board that is cached in parts: each row with its counts and figures, without its episodes. A part is built
 * again when its episodes changed, or when what its rows take from other rows did; the board is assembled from cached
 * rows. Its bytes equal those of `buildBoard` over all episodes; a test compares them.
 */
export class IncrementalBoard {
  readonly #parts = new Map<string, CachedPart>()
  /** By row id: the bytes of each row the last time. */
  #texts = new Map<string, CachedText>()
  #around: ((row: RowTraits) => Surroundings) | null = null
  /** Since the rows were compared, a part gives something else. */
  #hasChanged = true
  /** All else that they were compared with. */
  #compared = ''
  readonly #ranks: RankMemory = new Map()

  /** Builds one part again; without episodes it is removed. */
  put(name: string, frame: BoardFrame, part: BoardPart, copies: CopiesByPart): void {
    const around = this.#around ?? readSurroundings([], [])
    const found = copies.get(name) ?? NO_COPIES
    const input = { ...frame, ...part }
    const rows = buildRowGroups(input).map((group): CachedRow => {
      const traits = traitsOf(group)
      const surroundings = around(traits)
      const alone = decideAlone(input, group, { ...surroundings, copies: found })
      const row = buildRow(group, alone, part.evaluations)
      const built = { traits, alone, row, taken: '' }
      return { ...built, taken: describeTaken(built, surroundings, found, frame.registrations) }
    })
    const own = programsOf(ownOf(part.facts))
    const given = describeGiven(rows, own)
    if (this.#parts.get(name)?.given !== given) this.#hasChanged = true
    if (part.facts.length === 0) this.#parts.delete(name)
    else this.#parts.set(name, { rows, own, given })
  }

  /** Parts with a row that took from others what they do not give any more: each has to be put again. */
  listOutdated({ registrations }: BoardFrame, copies: CopiesByPart): string[] {
    // One more episode of a row nearly always leaves what it gives and takes as it was.
    const compared = JSON.stringify([registrations?.changedBy, describeCopies(copies)])
    if (!this.#hasChanged && this.#compared === compared) return []
    this.#compared = compared
    this.#hasChanged = false
    const parts = [...this.#parts]
    const around = readSurroundings(
      parts.flatMap(([, { rows }]) => rows.map((row) => row.traits)),
      parts.map(([, { own }]) => own),
    )
    this.#around = around
    const isOutdated = (name: string, row: CachedRow) => {
      const found = copies.get(name) ?? NO_COPIES
      return describeTaken(row, around(row.traits), found, registrations) !== row.taken
    }
    return parts.flatMap(([name, { rows }]) =>
      rows.some((row) => isOutdated(name, row)) ? [name] : [],
    )
  }

  /** The part of a row, by its id or one that it had before; null = no such row. */
  findPart(rowId: string): string | null {
    const found = [...this.#parts].find(([, { rows }]) =>
      rows.some(({ row }) => row.rowId === rowId || row.aliases?.includes(rowId)),
    )
    return found?.[0] ?? null
  }

  get partNames(): string[] {
    return [...this.#parts.keys()]
  }

  /** The board of all parts, and its bytes; none of them may be outdated. */
  build(frame: BoardFrame): { board: Board; texts: BoardTexts } {
    const cached = [...this.#parts.values()].flatMap(({ rows }) => rows)
    cached.sort((a, b) => (a.row.rowId < b.row.rowId ? -1 : 1))
    const decided = decideAgainstCompetitors(cached)
    const rows = cached.map(({ row, traits }, index) => {
      const { label, refusals } = decided[index] as Eligibility
      return { row: { ...row, label, refusals }, sender: traits.sender }
    })
    const board = assembleBoard(frame, rows, this.#ranks)
    return { board, texts: this.#split(board, cached) }
  }

  /** Rows that are as they were keep their bytes: most of a board's cost is to check and print them. */
  #split(board: Board, cached: readonly CachedRow[]): BoardTexts {
    const bases = new Map(cached.map(({ row }) => [row.rowId, row]))
    const before = this.#texts
    this.#texts = new Map()
    return splitBoard(board, (row) => {
      const built = bases.get(row.rowId) ?? row
      const known = before.get(row.rowId)
      const isSame = known?.built === built && isDecidedAlike(known.row, row)
      const text = isSame ? known.text : rowText(row)
      this.#texts.set(row.rowId, { built, row, text })
      return text
    })
  }
}

/** Whether what a board decides about a row, besides its own figures, is the same. */
function isDecidedAlike(a: BoardRow, b: BoardRow): boolean {
  // Refusals are the longest part, and nearly always the very same list.
  return (
    a.label === b.label &&
    a.siblings?.own === b.siblings?.own &&
    a.siblings?.others === b.siblings?.others &&
    isSameJson(a.refusals, b.refusals) &&
    isSameJson(a.rank, b.rank)
  )
}

function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

const NO_PROGRAMS: KnownPrograms = { versions: new Set(), verifiers: new Set() }
const NO_COPIES: ReadonlyMap<string, string> = new Map()

/** All that a part's rows show to others, besides their ids. */
function describeGiven(rows: readonly CachedRow[], own: KnownPrograms): string {
  const shown = rows.map(({ traits }) => {
    const { rowId, identity, sender, order, isOld, isStress, solved } = traits
    return [rowId, identity, sender, order, isOld, isStress, [...solved].sort()]
  })
  return JSON.stringify([shown, [...own.versions].sort(), [...own.verifiers].sort()])
}

function describeCopies(copies: CopiesByPart): string {
  return JSON.stringify([...copies].map(([part, own]) => [part, [...own].sort()]).sort())
}

/** All that a row's decision took from outside of its part, as a text to compare. */
function describeTaken(
  cached: CachedRow,
  { imitation, knownPrograms, passedWithoutFault }: Surroundings,
  copies: ReadonlyMap<string, string>,
  registrations: RegistrationBook | undefined,
): string {
  // Programs of runs on this server are not checked.
  const { versions, verifiers } =
    cached.traits.sender === null ? NO_PROGRAMS : cached.traits.programs
  return JSON.stringify([
    imitation,
    [...versions].filter((version) => knownPrograms.versions.has(version)).sort(),
    [...verifiers].filter((digest) => knownPrograms.verifiers.has(digest)).sort(),
    [...passedWithoutFault].sort(),
    [...copies].sort(([a], [b]) => (a < b ? -1 : 1)),
    registrations ? judgeOnce(cached, registrations) : null,
  ])
}

function judgeOnce(cached: CachedRow, book: RegistrationBook): RowRegistration {
  const { changedBy } = book
  // The runs of a cached row came in before.
  if (cached.judged?.changedBy === changedBy) return cached.judged.registration
  const { identity, starts } = cached.traits
  const { suiteDigest, subject, settings } = identity
  const registration = judgeRegistration({ suiteDigest, subject, settings, facts: starts }, book)
  cached.judged = { changedBy, registration }
  return registration
}
