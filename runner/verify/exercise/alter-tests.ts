import { randomInt } from 'node:crypto'
import type { Expectation, Literal } from './types/type-messages.ts'
import type { SourceFile } from './verifier-types.ts'

/** About every third expectation: enough that some fail, too few for "all fail" to be a good guess. */
const SHARE = 3
/** A failed comparison costs time to describe. */
const MOST = 12

export type AlteredTests = { tests: SourceFile[]; altered: number }
type Edit = { file: number; start: number; end: number; text: string }

/**
 * Alters some expectations of the tests: another literal, or the opposite. The choice is random each time. Null if
 * there is nothing to alter.
 */
export function alterTests(
  tests: readonly SourceFile[],
  expectations: readonly Expectation[],
  draw: (below: number) => number = randomInt,
): AlteredTests | null {
  if (expectations.length === 0) return null
  const chosen = choose(expectations, draw)
  const edits = chosen.map((one) => alter(tests, one, draw))
  return { tests: applyEdits(tests, edits), altered: edits.length }
}

/** Inverts every expectation of the tests: a test that still passes has nothing to alter. */
export function oppositeTests(
  tests: readonly SourceFile[],
  expectations: readonly Expectation[],
): SourceFile[] {
  return applyEdits(
    tests,
    expectations.map(({ file, negation }) => ({ file, ...negation })),
  )
}

function applyEdits(tests: readonly SourceFile[], edits: readonly Edit[]): SourceFile[] {
  return tests.map((file, index) => {
    const own = edits.filter((edit) => edit.file === index).sort((a, b) => b.start - a.start)
    const text = own.reduce(
      (text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end),
      file.text,
    )
    return { path: file.path, text }
  })
}

/** Chooses at least one; never one inside another. */
function choose(
  expectations: readonly Expectation[],
  draw: (below: number) => number,
): Expectation[] {
  const wanted = Math.min(MOST, Math.max(1, Math.ceil(expectations.length / SHARE)))
  const left = [...expectations]
  const chosen: Expectation[] = []
  while (chosen.length < wanted && left.length > 0) {
    const [one] = left.splice(draw(left.length), 1)
    if (one && !chosen.some((other) => overlap(one, other))) chosen.push(one)
  }
  return chosen
}

function overlap(a: Expectation, b: Expectation): boolean {
  const places = (one: Expectation) => [one.negation, ...one.literals]
  const span = (one: Expectation) => ({
    start: Math.min(...places(one).map(({ start }) => start)),
    end: Math.max(...places(one).map(({ end }) => end)),
  })
  return a.file === b.file && span(a).start <= span(b).end && span(b).start <= span(a).end
}

function alter(
  tests: readonly SourceFile[],
  { file, negation, literals }: Expectation,
  draw: (below: number) => number,
): Edit {
  const literal = literals.length > 0 && draw(4) > 0 ? literals[draw(literals.length)] : undefined
  if (!literal) return { file, ...negation }
  const text = tests[file]?.text.slice(literal.start, literal.end) ?? ''
  const { start, end } = literal
  return { file, start, end, text: another(literal.kind, text, draw) }
}

/** Returns text that no honest answer contains by chance, or a number far from any tolerance. */
function another(kind: Literal['kind'], text: string, draw: (below: number) => number): string {
  switch (kind) {
    case 'true':
      return 'false'
    case 'false':
      return 'true'
    case 'number':
      return `(${text} + ${7 + draw(900)})`
    case 'text': {
      const close = text.at(-1)
      return `${text.slice(0, -1)}\\u00a7${draw(1_000_000)}${close}`
    }
  }
}
