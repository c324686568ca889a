import { CALL_PART, isLiteral, type Span, spoil, type WrongSpan } from './literals.ts'

/** Rows whose expected value can be altered. */
export type CaseTable = {
  at: number
  /** Each row is a separate test; else one test iterates over all of them. */
  isPerRow: boolean
  rows: WrongSpan[][]
}

/** A bracket, its comma-separated parts, and the brackets inside it. */
type Group = Span & { parts: Span[]; inner: Group[] }

/**
 * Finds tables of cases (`test.each`, `parametrize`, loops, Go's structs) with the value of each row that a test
 * compares with: the column whose name occurs alone in an assertion. Inputs are never changed, so that work which is
 * right for the tests' inputs returns the same results as before.
 */
export function findTables(text: string, compared: ReadonlySet<string>): CaseTable[] {
  if (compared.size === 0) return []
  const lists = nameLists(text)
  return [...text.matchAll(TABLE_HEAD)].flatMap(({ index, 0: head }): CaseTable[] => {
    const at = index + head.length - 1
    const table = readGroup(text, at)
    if (table === null) return []
    const rows = table.inner
      .filter((row) => ROW_START.test(text.slice(table.at, row.at)))
      .map((row) => expectedOf(text, row, { lists, compared }))
      .filter((places) => places.length > 0)
    const after = text.slice(table.end, table.end + REACH)
    const isPerRow = /each|parametrize/.test(head) || MAKES_TESTS.test(after)
    return rows.length > 0 ? [{ at, isPerRow, rows }] : []
  })
}

const TABLE_HEAD =
  /(?:\beach(?:<[^<>()]{0,100}>)?\(|\bparametrize\([^[\]]{1,200},|\bof\b|\bin\b|(?<![=!<>])=|\[\]struct\s*\{[^{}]{1,1000}\})\s*[[{(]/g
const ROW_START = /[[{(,]\s*(?:pytest\.param)?$/
const MAKES_TESTS = /\b(?:test|it|Run|subTest)\s*\(/
/** Maximum distance from a table to the start of its test. */
const REACH = 300
const MAX_DEPTH = 50
const MAX_TABLE_LENGTH = 50_000

/** Reads the bracket that opens at `from`; null if it does not close. */
function readGroup(text: string, from: number): Group | null {
  const open: Group[] = []
  for (const { index, 0: part } of text.slice(from, from + MAX_TABLE_LENGTH).matchAll(CALL_PART)) {
    const at = from + index
    if (part === ',') endPart(open.at(-1), at)
    else if (OPENING.has(part))
      open.push({ at, end: at, parts: [{ at: at + 1, end: at }], inner: [] })
    else if (CLOSING.has(part)) {
      const closed = closeGroup(open, at)
      if (open.length === 0) return closed
    }
    if (open.length > MAX_DEPTH) return null
  }
  return null
}

const [OPENING, CLOSING] = [new Set('([{'), new Set(')]}')]

function closeGroup(open: Group[], at: number): Group | null {
  const group = open.pop() ?? null
  endPart(group, at)
  group?.parts.pop()
  if (group === null) return null
  group.end = at + 1
  open.at(-1)?.inner.push(group)
  return group
}

/** Ends a part at a comma or at the closing bracket; the next one begins after it. */
function endPart(group: Group | null | undefined, at: number): void {
  const last = group?.parts.at(-1)
  if (last) last.end = at
  group?.parts.push({ at: at + 1, end: at + 1 })
}

/** Finds lists of names: parameters, destructured values, the fields of a struct. */
function nameLists(text: string): string[][] {
  const lists = [...text.matchAll(/\b[A-Za-z_]\w*(?:['"]?\s*,\s*['"]?[A-Za-z_]\w*)+/g)]
  const structs = [...text.matchAll(/\[\]struct\s*\{([^{}]*)\}/g)].map(([, body = '']) =>
    body
      .split(/[\n;]/)
      .map((line) => /^\s*(\w+)\s/.exec(`${line} `)?.[1] ?? '')
      .filter((name) => name !== ''),
  )
  return [...lists.map(([list]) => list.split(/['"\s]*,['"\s]*/)), ...structs]
}

function expectedOf(
  text: string,
  { parts }: Group,
  { lists, compared }: { lists: readonly string[][]; compared: ReadonlySet<string> },
): WrongSpan[] {
  const filled = parts.filter(({ at, end }) => !/^\s*(?:\w+=|$)/.test(text.slice(at, end)))
  for (const { at, end } of filled) {
    const [key, name] = /^\s*['"]?(\w+)['"]?\s*:/.exec(text.slice(at, end)) ?? []
    if (key !== undefined && name !== undefined && compared.has(name))
      return spoiledCell(text, at + key.length, end)
  }
  const columns = new Set(
    lists
      .filter(({ length }) => length === filled.length)
      .map((list) => list.findIndex((name) => compared.has(name)))
      .filter((column) => column !== -1),
  )
  const [column] = columns
  const cell = columns.size === 1 && column !== undefined ? filled[column] : undefined
  return cell === undefined ? [] : spoiledCell(text, cell.at, cell.end)
}

function spoiledCell(text: string, at: number, end: number): WrongSpan[] {
  const value = text.slice(at, end)
  return isLiteral(value) ? spoil(value, at) : []
}
