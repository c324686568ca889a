import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { evaluate } from '../formula-evaluator.ts'

const CELLS = ['A1', 'B1', 'Z9', 'AB12', 'ZZ100']
const ODD = 'A0 A01 AAA1 x SUM IF(1) MIN() IFERROR(1) SUMM(1) A1(2) TRUE(1) toString(1) B'.split(
  ' ',
)
const PIECES = '+ - * / ^ = <> < <= > >= ( ) , . 1 2.5 .5 5. A1 b TRUE $ & é ! SUM( " : %'.split(
  ' ',
)

/** Random formulas, with and without cells, with and without cycles, and texts that are no formulas. */
export const scenario: Scenario = (context) => {
  const { random, attempt } = context
  const alone = (text: string): void => {
    attempt(JSON.stringify(text), () => evaluate(text))
  }
  for (let round = 0; round < 220; round++) {
    const text = spaced(random, random.chance(0.7) ? number(random, 0) : boolean(random, 0))
    alone(text)
    if (round % 2 === 0) alone(spoil(random, text))
  }
  for (let round = 0; round < 100; round++) alone(spaced(random, flat(random)))
  for (let round = 0; round < 100; round++) {
    alone(random.list(0, 5, () => random.pick(PIECES)).join(random.pick(['', ' '])))
  }
  for (let round = 0; round < 70; round++) withCells(context, false)
  for (let round = 0; round < 70; round++) withCells(context, true)
  withManyUses(context)
}

/** A number most of the time; now and then a boolean or something that is an error. */
function number(random: Random, depth: number): string {
  if (random.chance(0.03)) return boolean(random, depth + 1)
  if (random.chance(0.04)) return random.pick(ODD)
  if (depth > 3 || random.chance(0.25)) return atom(random)
  const next = (): string => number(random, depth + 1)
  const kind = random.int(0, 9)
  if (kind < 5) return `${next()} ${random.pick(['+', '-', '*', '/', '^'])} ${next()}`
  if (kind === 5) return `( ${next()} )`
  if (kind === 6) return `- ${next()}`
  if (kind === 7) return call(random, random.pick(['SUM', 'MIN']), random.list(0, 3, next))
  if (kind === 8) return call(random, 'IF', [boolean(random, depth + 1), next(), next()])
  return call(random, 'IFERROR', [next(), next()])
}

function boolean(random: Random, depth: number): string {
  if (random.chance(0.03)) return atom(random)
  if (depth > 3 || random.chance(0.3)) return random.pick(['TRUE', 'FALSE', 'true', 'False'])
  const next = (): string => `( ${boolean(random, depth + 1)} )`
  const compare = ['<', '<=', '>', '>=', '=', '<>']
  const kind = random.int(0, 6)
  if (kind < 4)
    return `${number(random, depth + 1)} ${random.pick(compare)} ${number(random, depth + 1)}`
  if (kind === 4) return `${next()} ${random.pick(compare)} ${next()}`
  if (kind === 5) return call(random, 'IF', [next(), next(), next()])
  return call(random, 'IFERROR', [next(), next()])
}

function call(random: Random, name: string, args: string[]): string {
  const given = random.chance(0.05) ? args.slice(1) : args
  const written = random.pick([name, name, name.toLowerCase()])
  return `${written} ( ${given.join(' , ')} )`
}

function atom(random: Random): string {
  if (random.chance(0.3))
    return random.chance(0.7) ? random.pick(CELLS) : random.pick(CELLS).toLowerCase()
  if (random.chance(0.2)) return `${random.int(0, 99)}.${random.int(0, 99)}`
  return `${random.pick([0, 0, 1, 2, 3, random.int(0, 12), random.int(100, 400)])}`
}

/** Operators of all levels in a row, to be grouped by their precedence. */
function flat(random: Random): string {
  const operand = (): string =>
    random.pick(['', '', '- ', '- - ']) + random.pick(['1', '2', '3', '0.5', '7'])
  const rest = random.list(
    1,
    6,
    () => `${random.pick(['+', '-', '*', '/', '^', '^'])} ${operand()}`,
  )
  const compared = random.chance(0.3) ? ` ${random.pick(['<', '>=', '=', '<>'])} ${operand()}` : ''
  return `${operand()} ${rest.join(' ')}${compared}`
}

/** Tokens come one space apart; here the spaces become any amount of any white space. */
function spaced(random: Random, text: string): string {
  const wide = random.chance(0.2)
  return text.replace(/ /g, () => (wide ? random.text(' \t\n', 0, 3) : random.text(' ', 0, 1)))
}

function spoil(random: Random, text: string): string {
  const at = random.int(0, text.length)
  const kind = random.int(0, 3)
  if (kind === 0) return text.slice(0, at)
  if (kind === 1) return text.slice(0, at) + text.slice(at + 1)
  return text.slice(0, at) + random.pick(PIECES) + text.slice(at)
}

/** Counts how often each cell is read. */
function createSheet(formulas: Record<string, string>) {
  const reads = new Map<string, number>()
  const sheet: Record<string, string> = {}
  for (const [name, text] of Object.entries(formulas)) {
    const get = (): string => {
      reads.set(name, (reads.get(name) ?? 0) + 1)
      return text
    }
    Object.defineProperty(sheet, name, { get, enumerable: true })
  }
  return { sheet, mostReads: () => Math.max(1, ...reads.values()) }
}

function withCells({ random, attempt, record }: ScenarioContext, cycles: boolean): void {
  const formulas: Record<string, string> = {}
  const names = random.shuffle(CELLS).slice(0, random.int(1, 4))
  names.forEach((name, index) => {
    const usable = cycles ? names : names.slice(0, index)
    const inner = random.chance(0.8) ? number(random, 2) : boolean(random, 2)
    formulas[name] = random.chance(0.04) ? spoil(random, inner) : use(random, inner, usable)
  })
  record('cells', formulas)
  for (const name of random.list(1, 3, () => random.pick(names))) {
    const text = spaced(random, use(random, random.chance(0.3) ? name : number(random, 2), names))
    const { sheet, mostReads } = createSheet(formulas)
    attempt(JSON.stringify(text), () => evaluate(text, sheet))
    if (!cycles) record('most reads of a cell', mostReads())
  }
}

/** Replaces every cell in a formula by one of the given names, or by a number without any. */
function use(random: Random, text: string, names: string[]): string {
  const guarded =
    random.chance(0.2) && names.length > 0 ? `IFERROR( ${random.pick(names)} , ${text} )` : text
  return guarded.replace(/\b(A1|B1|Z9|AB12|ZZ100)\b/gi, () => {
    if (names.length === 0) return random.pick(['7', 'C3', '0'])
    return random.chance(0.5) ? random.pick(names) : random.pick(names).toLowerCase()
  })
}

/** Each cell uses the one before it several times. */
function withManyUses({ random, attempt, record }: ScenarioContext): void {
  const formulas: Record<string, string> = { C1: `${random.int(1, 9)}` }
  for (let row = 2; row <= 24; row++) {
    formulas[`C${row}`] = `(C${row - 1} + c${row - 1}) / ${random.int(1, 4)}`
  }
  const { sheet, mostReads } = createSheet(formulas)
  attempt('many uses', () => evaluate(`C24 - C${random.int(1, 23)}`, sheet))
  record('most reads of a cell', mostReads())
}
