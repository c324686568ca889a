export type ErrorCode = 'SYNTAX' | 'NAME' | 'ARGS' | 'TYPE' | 'DIV0' | 'NUM' | 'CYCLE'

export interface FormulaError {
  readonly error: ErrorCode
  readonly cell: string | null
  readonly position: number
}

export type Value = number | boolean | FormulaError

/** Cell name in upper case to the text of its formula. */
export type Sheet = Readonly<Record<string, string>>

// ---------------------------------------------------------------------------------------------
// Deep formulas and long chains of cells must not exhaust the call stack. All recursive functions
// are therefore generators that yield the calls they need, and `run` keeps a stack of its own.

type Steps<T> = Generator<Steps<unknown>, T, unknown>

function run<T>(main: Steps<T>): T {
  const stack: Steps<unknown>[] = [main]
  let answer: unknown
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const step = top.next(answer)
    if (step.done) {
      stack.pop()
      answer = step.value
    } else {
      stack.push(step.value)
      answer = undefined
    }
  }
  return answer as T
}

function* call<T>(steps: Steps<T>): Steps<T> {
  return (yield steps) as T
}

// ---------------------------------------------------------------------------------------------
// Tokens

type TokenKind = 'number' | 'name' | 'symbol' | 'invalid' | 'end'

interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly position: number
}

const SPACE = /[ \t\r\n]*/y
const TOKEN = /([0-9]+(?:\.[0-9]+)?)|([A-Za-z][A-Za-z0-9]*)|(<>|<=|>=|[-+*/^=<>(),])/y

/** Ends with a token of the kind `end` or `invalid`. */
function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  for (;;) {
    SPACE.lastIndex = position
    SPACE.exec(text)
    position = SPACE.lastIndex
    if (position >= text.length) {
      tokens.push({ kind: 'end', text: '', position: text.length })
      return tokens
    }
    TOKEN.lastIndex = position
    const match = TOKEN.exec(text)
    if (match === null) {
      tokens.push({ kind: 'invalid', text: text[position] ?? '', position })
      return tokens
    }
    const kind = match[1] !== undefined ? 'number' : match[2] !== undefined ? 'name' : 'symbol'
    tokens.push({ kind, text: match[0], position })
    position = TOKEN.lastIndex
  }
}

// ---------------------------------------------------------------------------------------------
// Parser

type Expression =
  | { readonly kind: 'number'; readonly value: number; readonly position: number }
  | { readonly kind: 'name'; readonly name: string; readonly position: number }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: readonly Expression[]
      readonly position: number
    }
  | { readonly kind: 'negate'; readonly operand: Expression; readonly position: number }
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
      readonly position: number
    }

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

class SyntaxProblem {
  constructor(readonly position: number) {}
}

class Parser {
  readonly #tokens: readonly Token[]
  #index = 0

  constructor(text: string) {
    this.#tokens = tokenize(text)
  }

  *parse(): Steps<Expression> {
    const expression = yield* call(this.#comparison())
    if (this.#current.kind !== 'end') this.#refuse()
    return expression
  }

  get #current(): Token {
    return this.#tokens[this.#index]!
  }

  #refuse(): never {
    throw new SyntaxProblem(this.#current.position)
  }

  #take(): Token {
    return this.#tokens[this.#index++]!
  }

  #isAt(...symbols: string[]): boolean {
    return this.#current.kind === 'symbol' && symbols.includes(this.#current.text)
  }

  #expect(symbol: string): void {
    if (!this.#isAt(symbol)) this.#refuse()
    this.#index++
  }

  *#comparison(): Steps<Expression> {
    const left = yield* call(this.#sum())
    if (this.#current.kind !== 'symbol' || !COMPARISONS.has(this.#current.text)) return left
    const { text: operator, position } = this.#take()
    const right = yield* call(this.#sum())
    return { kind: 'binary', operator, left, right, position }
  }

  *#sum(): Steps<Expression> {
    let left = yield* call(this.#product())
    while (this.#isAt('+', '-')) {
      const { text: operator, position } = this.#take()
      const right = yield* call(this.#product())
      left = { kind: 'binary', operator, left, right, position }
    }
    return left
  }

  *#product(): Steps<Expression> {
    let left = yield* call(this.#unary())
    while (this.#isAt('*', '/')) {
      const { text: operator, position } = this.#take()
      const right = yield* call(this.#unary())
      left = { kind: 'binary', operator, left, right, position }
    }
    return left
  }

  *#unary(): Steps<Expression> {
    if (!this.#isAt('-')) return yield* call(this.#power())
    const { position } = this.#take()
    const operand = yield* call(this.#unary())
    return { kind: 'negate', operand, position }
  }

  *#power(): Steps<Expression> {
    const left = yield* call(this.#primary())
    if (!this.#isAt('^')) return left
    const { text: operator, position } = this.#take()
    const right = yield* call(this.#unary())
    return { kind: 'binary', operator, left, right, position }
  }

  *#primary(): Steps<Expression> {
    const { kind, text, position } = this.#current
    if (kind === 'number') {
      this.#index++
      return { kind, value: Number(text), position }
    }
    if (kind === 'name') {
      this.#index++
      const name = text.toUpperCase()
      if (!this.#isAt('(')) return { kind, name, position }
      return { kind: 'call', name, args: yield* call(this.#args()), position }
    }
    this.#expect('(')
    const inner = yield* call(this.#comparison())
    this.#expect(')')
    return inner
  }

  *#args(): Steps<Expression[]> {
    const args: Expression[] = []
    this.#expect('(')
    if (!this.#isAt(')')) {
      args.push(yield* call(this.#comparison()))
      while (this.#isAt(',')) {
        this.#index++
        args.push(yield* call(this.#comparison()))
      }
    }
    this.#expect(')')
    return args
  }
}

function parse(text: string): Expression | SyntaxProblem {
  try {
    return run(new Parser(text).parse())
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return problem
    throw problem
  }
}

// ---------------------------------------------------------------------------------------------
// Evaluation

const CELL = /^[A-Z]{1,2}[1-9][0-9]*$/

const ARGUMENT_COUNTS: ReadonlyMap<string, readonly [min: number, max: number]> = new Map([
  ['SUM', [0, Infinity]],
  ['MIN', [1, Infinity]],
  ['IF', [3, 3]],
  ['IFERROR', [2, 2]],
])

function isError(value: Value): value is FormulaError {
  return typeof value === 'object'
}

/** A formula that is being evaluated; `cell` is null for the one given to `evaluate`. */
interface Frame {
  readonly cell: string | null
  meetsCycle: boolean
}

class Evaluator {
  readonly #sheet: Sheet
  /** The values of the cells whose evaluation has met no cycle. */
  readonly #values = new Map<string, Value>()
  readonly #parsed = new Map<string, Expression | SyntaxProblem | undefined>()
  readonly #frames: Frame[] = []
  readonly #active = new Set<string>()

  constructor(sheet: Sheet) {
    this.#sheet = sheet
  }

  *formula(cell: string | null, parsed: Expression | SyntaxProblem): Steps<Value> {
    if (parsed instanceof SyntaxProblem) return { error: 'SYNTAX', cell, position: parsed.position }
    return yield* call(this.#evaluate(parsed, cell))
  }

  #cellFormula(name: string): Expression | SyntaxProblem | undefined {
    if (!this.#parsed.has(name)) {
      const text: string | undefined = this.#sheet[name]
      this.#parsed.set(name, text === undefined ? undefined : parse(text))
    }
    return this.#parsed.get(name)
  }

  *#cellValue(name: string, reference: FormulaError): Steps<Value> {
    if (this.#active.has(name)) {
      // Whatever is being evaluated now may be worth something else at another time.
      for (let i = this.#frames.length - 1; i >= 0 && !this.#frames[i]!.meetsCycle; i--) {
        this.#frames[i]!.meetsCycle = true
      }
      return reference
    }
    const known = this.#values.get(name)
    if (known !== undefined) return known

    const parsed = this.#cellFormula(name)
    let value: Value = 0
    const frame: Frame = { cell: name, meetsCycle: false }
    if (parsed !== undefined) {
      this.#frames.push(frame)
      this.#active.add(name)
      value = yield* call(this.formula(name, parsed))
      this.#active.delete(name)
      this.#frames.pop()
    }
    if (!frame.meetsCycle) this.#values.set(name, value)
    return value
  }

  *#evaluate(expression: Expression, cell: string | null): Steps<Value> {
    const { position } = expression
    const fail = (error: ErrorCode): FormulaError => ({ error, cell, position })
    const finite = (result: number): Value => (Number.isFinite(result) ? result + 0 : fail('NUM'))

    switch (expression.kind) {
      case 'number':
        return finite(expression.value)

      case 'name': {
        const { name } = expression
        if (name === 'TRUE') return true
        if (name === 'FALSE') return false
        if (!CELL.test(name)) return fail('NAME')
        return yield* call(this.#cellValue(name, fail('CYCLE')))
      }

      case 'negate': {
        const operand = yield* call(this.#evaluate(expression.operand, cell))
        if (isError(operand)) return operand
        return typeof operand === 'number' ? finite(-operand) : fail('TYPE')
      }

      case 'binary': {
        const left = yield* call(this.#evaluate(expression.left, cell))
        const right = yield* call(this.#evaluate(expression.right, cell))
        if (isError(left)) return left
        if (isError(right)) return right
        const { operator } = expression
        if (operator === '=' || operator === '<>') {
          if (typeof left !== typeof right) return fail('TYPE')
          return (left === right) === (operator === '=')
        }
        if (typeof left === 'boolean' || typeof right === 'boolean') return fail('TYPE')
        switch (operator) {
          case '<':
            return left < right
          case '<=':
            return left <= right
          case '>':
            return left > right
          case '>=':
            return left >= right
          case '+':
            return finite(left + right)
          case '-':
            return finite(left - right)
          case '*':
            return finite(left * right)
          case '/':
            return right === 0 ? fail('DIV0') : finite(left / right)
          default:
            return left === 0 && right < 0 ? fail('DIV0') : finite(left ** right)
        }
      }

      case 'call': {
        const { name, args } = expression
        const counts = ARGUMENT_COUNTS.get(name)
        if (counts === undefined) return fail('NAME')
        if (args.length < counts[0] || args.length > counts[1]) return fail('ARGS')

        if (name === 'IF') {
          const condition = yield* call(this.#evaluate(args[0]!, cell))
          if (isError(condition)) return condition
          if (typeof condition !== 'boolean') return fail('TYPE')
          return yield* call(this.#evaluate(condition ? args[1]! : args[2]!, cell))
        }
        if (name === 'IFERROR') {
          const value = yield* call(this.#evaluate(args[0]!, cell))
          return isError(value) ? yield* call(this.#evaluate(args[1]!, cell)) : value
        }

        const values: Value[] = []
        for (const arg of args) values.push(yield* call(this.#evaluate(arg, cell)))
        const error = values.find(isError)
        if (error !== undefined) return error
        let result = name === 'SUM' ? 0 : Infinity
        for (const value of values) {
          if (typeof value !== 'number') return fail('TYPE')
          if (name === 'SUM') result += value
          else if (value < result) result = value
        }
        return finite(result)
      }
    }
  }
}

export function evaluate(formula: string, sheet: Sheet = {}): Value {
  return run(new Evaluator(sheet).formula(null, parse(formula)))
}
