export type ErrorCode = 'SYNTAX' | 'NAME' | 'ARGS' | 'TYPE' | 'DIV0' | 'NUM' | 'CYCLE'

export interface FormulaError {
  readonly error: ErrorCode
  readonly cell: string | null
  readonly position: number
}

export type Value = number | boolean | FormulaError

/** Cell name in upper case to the text of its formula. */
export type Sheet = Readonly<Record<string, string>>

export function evaluate(formula: string, sheet: Sheet = {}): Value {
  return new Evaluation(sheet).formula(formula, null)
}

// --- Parsing ---------------------------------------------------------------

type Arithmetic = '+' | '-' | '*' | '/' | '^'
type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

type Node = { position: number } & (
  | { kind: 'literal'; value: number | boolean }
  | { kind: 'cell'; name: string }
  | { kind: 'unknown-name' }
  | { kind: 'negate'; operand: Node }
  | { kind: 'arithmetic'; operator: Arithmetic; left: Node; right: Node }
  | { kind: 'comparison'; operator: Comparison; left: Node; right: Node }
  | { kind: 'call'; name: string; args: Node[] }
)

interface Token {
  kind: 'number' | 'name' | 'sign' | 'end'
  text: string
  position: number
}

class SyntaxProblem {
  constructor(readonly position: number) {}
}

const TOKEN = /(?<number>\d+(?:\.\d+)?)|(?<name>[A-Za-z][A-Za-z0-9]*)|<>|<=|>=|[-+*/^=<>(),]/y
const CELL = /^[A-Z]{1,2}[1-9][0-9]*$/
const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='] as const
const SUMS = ['+', '-'] as const
const PRODUCTS = ['*', '/'] as const

class Parser {
  private token: Token

  constructor(private readonly text: string) {
    this.token = this.read(0)
  }

  parse(): Node {
    const node = this.comparison()
    if (this.token.kind !== 'end') throw new SyntaxProblem(this.token.position)
    return node
  }

  /** Tokens are read one at a time, so that a bad character is reported only when it is reached. */
  private read(from: number): Token {
    let position = from
    while (/^[ \t\r\n]$/.test(this.text.charAt(position))) position++
    if (position === this.text.length) return { kind: 'end', text: '', position }
    TOKEN.lastIndex = position
    const match = TOKEN.exec(this.text)
    if (!match) throw new SyntaxProblem(position)
    const kind = match.groups?.number ? 'number' : match.groups?.name ? 'name' : 'sign'
    return { kind, text: match[0].toUpperCase(), position }
  }

  private advance(): Token {
    const token = this.token
    this.token = this.read(token.position + token.text.length)
    return token
  }

  private accept<S extends string>(signs: readonly S[]): { sign: S; position: number } | undefined {
    const sign = signs.find((candidate) => candidate === this.token.text)
    if (this.token.kind !== 'sign' || sign === undefined) return undefined
    return { sign, position: this.advance().position }
  }

  private expect(sign: string): void {
    if (!this.accept([sign])) throw new SyntaxProblem(this.token.position)
  }

  private comparison(): Node {
    const left = this.sum()
    const operator = this.accept(COMPARISONS)
    if (!operator) return left
    const right = this.sum()
    return {
      kind: 'comparison',
      operator: operator.sign,
      left,
      right,
      position: operator.position,
    }
  }

  private sum(): Node {
    return this.leftToRight(SUMS, () => this.product())
  }

  private product(): Node {
    return this.leftToRight(PRODUCTS, () => this.unary())
  }

  private leftToRight(operators: readonly Arithmetic[], operand: () => Node): Node {
    let left = operand()
    for (;;) {
      const operator = this.accept(operators)
      if (!operator) return left
      left = {
        kind: 'arithmetic',
        operator: operator.sign,
        left,
        right: operand(),
        position: operator.position,
      }
    }
  }

  private unary(): Node {
    const minus = this.accept(['-'])
    if (!minus) return this.power()
    return { kind: 'negate', operand: this.unary(), position: minus.position }
  }

  private power(): Node {
    const left = this.primary()
    const operator = this.accept(['^'])
    if (!operator) return left
    const right = this.unary()
    return { kind: 'arithmetic', operator: '^', left, right, position: operator.position }
  }

  private primary(): Node {
    if (this.accept(['('])) {
      const inner = this.comparison()
      this.expect(')')
      return inner
    }
    const { kind, text, position } = this.token
    if (kind === 'number') {
      this.advance()
      return { kind: 'literal', value: Number(text), position }
    }
    if (kind !== 'name') throw new SyntaxProblem(position)
    this.advance()
    if (this.accept(['('])) return { kind: 'call', name: text, args: this.args(), position }
    if (text === 'TRUE' || text === 'FALSE') {
      return { kind: 'literal', value: text === 'TRUE', position }
    }
    return CELL.test(text)
      ? { kind: 'cell', name: text, position }
      : { kind: 'unknown-name', position }
  }

  private args(): Node[] {
    if (this.accept([')'])) return []
    const args = [this.comparison()]
    while (this.accept([','])) args.push(this.comparison())
    this.expect(')')
    return args
  }
}

// --- Evaluation ------------------------------------------------------------

const isError = (value: Value): value is FormulaError => typeof value === 'object'

const ARGUMENT_COUNTS = new Map<string, { least: number; most: number }>([
  ['SUM', { least: 0, most: Infinity }],
  ['MIN', { least: 1, most: Infinity }],
  ['IF', { least: 3, most: 3 }],
  ['IFERROR', { least: 2, most: 2 }],
])

class Evaluation {
  private readonly finished = new Map<string, Value>()
  private readonly running = new Set<string>()
  private cyclesMet = 0

  constructor(private readonly sheet: Sheet) {}

  formula(text: string, cell: string | null): Value {
    try {
      return this.node(new Parser(text).parse(), cell)
    } catch (problem) {
      if (!(problem instanceof SyntaxProblem)) throw problem
      return { error: 'SYNTAX', cell, position: problem.position }
    }
  }

  private node(node: Node, cell: string | null): Value {
    const fail = (error: ErrorCode): FormulaError => ({ error, cell, position: node.position })
    const finite = (result: number): Value => (Number.isFinite(result) ? result : fail('NUM'))

    switch (node.kind) {
      case 'literal':
        return typeof node.value === 'number' ? finite(node.value) : node.value
      case 'unknown-name':
        return fail('NAME')
      case 'cell':
        return this.running.has(node.name) ? this.cycle(fail('CYCLE')) : this.cell(node.name)
      case 'negate': {
        const value = this.node(node.operand, cell)
        if (isError(value)) return value
        return typeof value === 'number' ? 0 - value : fail('TYPE')
      }
      case 'arithmetic': {
        const [left, right] = [this.node(node.left, cell), this.node(node.right, cell)]
        if (isError(left)) return left
        if (isError(right)) return right
        if (typeof left !== 'number' || typeof right !== 'number') return fail('TYPE')
        if (node.operator === '/' && right === 0) return fail('DIV0')
        if (node.operator === '^' && left === 0 && right < 0) return fail('DIV0')
        return finite(calculate(node.operator, left, right))
      }
      case 'comparison': {
        const [left, right] = [this.node(node.left, cell), this.node(node.right, cell)]
        if (isError(left)) return left
        if (isError(right)) return right
        if (typeof left !== typeof right) return fail('TYPE')
        if (node.operator === '=') return left === right
        if (node.operator === '<>') return left !== right
        if (typeof left !== 'number') return fail('TYPE')
        return compare(node.operator, left, Number(right))
      }
      case 'call': {
        const counts = ARGUMENT_COUNTS.get(node.name)
        if (!counts) return fail('NAME')
        const { args } = node
        if (args.length < counts.least || args.length > counts.most) return fail('ARGS')
        if (node.name === 'IFERROR') {
          const value = this.node(args[0], cell)
          return isError(value) ? this.node(args[1], cell) : value
        }
        if (node.name === 'IF') {
          const condition = this.node(args[0], cell)
          if (isError(condition)) return condition
          if (typeof condition !== 'boolean') return fail('TYPE')
          return this.node(condition ? args[1] : args[2], cell)
        }
        const values = args.map((arg) => this.node(arg, cell))
        const error = values.find(isError)
        if (error) return error
        const numbers = values.filter((value) => typeof value === 'number')
        if (numbers.length < values.length) return fail('TYPE')
        if (node.name === 'MIN') return numbers.reduce((a, b) => Math.min(a, b))
        return finite(numbers.reduce((a, b) => a + b, 0))
      }
    }
  }

  private cycle(error: FormulaError): FormulaError {
    this.cyclesMet++
    return error
  }

  private cell(name: string): Value {
    const known = this.finished.get(name)
    if (known !== undefined) return known
    const text = this.sheet[name]
    if (text === undefined) return 0

    const cyclesBefore = this.cyclesMet
    this.running.add(name)
    const value = this.formula(text, name)
    this.running.delete(name)
    // What was found while going round in a circle depends on where the circle was entered.
    if (this.cyclesMet === cyclesBefore) this.finished.set(name, value)
    return value
  }
}

function calculate(operator: Arithmetic, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
    case '^':
      return left ** right
  }
}

function compare(operator: '<' | '<=' | '>' | '>=', left: number, right: number): boolean {
  switch (operator) {
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left > right
  }
}
