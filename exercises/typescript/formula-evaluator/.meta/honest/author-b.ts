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
  const evaluation: Evaluation = {
    sheet,
    formulas: new Map(),
    values: new Map(),
    active: new Set(),
    cyclesMet: 0,
  }
  return run(evaluateFormula(evaluation, { cell: null, formula: parse(formula) }))
}

// Recursion

/*
 * Formulas can be nested, and cells depend on each other, more deeply than the call stack allows,
 * and nothing may throw. Recursive functions are therefore generators: each call is handed to
 * `run`, which keeps the callers in a list of its own.
 */
type Recursive<T> = Generator<Recursive<unknown>, T, unknown>

function* call<T>(work: Recursive<T>): Recursive<T> {
  return (yield work) as T
}

function run<T>(work: Recursive<T>): T {
  const callers: Recursive<unknown>[] = [work]
  let answer: unknown
  for (let top = callers.at(-1); top !== undefined; top = callers.at(-1)) {
    const { done, value } = top.next(answer)
    if (done) {
      callers.pop()
      answer = value
    } else {
      callers.push(value)
      answer = undefined
    }
  }
  return answer as T
}

// Tokens

type TokenKind = 'number' | 'name' | 'symbol' | 'unknown' | 'end'

interface Token {
  readonly kind: TokenKind
  /** Names are in upper case. */
  readonly text: string
  readonly position: number
}

/** The tokens up to the end, or up to the first character that begins none. */
function readTokens(formula: string): readonly Token[] {
  const tokens: Token[] = []
  const pattern =
    /[ \t\r\n]*(?:(?<number>[0-9]+(?:\.[0-9]+)?)|(?<name>[A-Za-z][A-Za-z0-9]*)|(?<symbol><>|<=|>=|[=<>+\-*/^(),])|(?<end>$)|(?<unknown>[^]))/y
  for (;;) {
    const groups = Object.entries(pattern.exec(formula)?.groups ?? { end: '' })
    const [kind, text] = groups.find(([, text]) => text !== undefined) as [TokenKind, string]
    tokens.push({ kind, text: text.toUpperCase(), position: pattern.lastIndex - text.length })
    if (kind === 'end' || kind === 'unknown') return tokens
  }
}

// Syntax

type BinaryOperator = '=' | '<>' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '^'

type Node =
  | { readonly kind: 'number'; readonly value: number; readonly position: number }
  | { readonly kind: 'name'; readonly name: string; readonly position: number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[]; readonly position: number }
  | { readonly kind: 'minus'; readonly operand: Node; readonly position: number }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Node
      readonly right: Node
      readonly position: number
    }

/** The syntax of a formula, or the place where it has none. */
type Formula = { readonly root: Node } | { readonly errorAt: number }

type Parsed = Node | SyntaxProblem

class SyntaxProblem {
  constructor(readonly position: number) {}
}

interface Level {
  readonly operators: readonly string[]
  /** Whether more than one of the operators may follow each other on this level. */
  readonly repeated: boolean
}

/** The levels of operators that associate to the left, from loosest to tightest. */
const LEVELS: readonly Level[] = [
  { operators: ['=', '<>', '<', '<=', '>', '>='], repeated: false },
  { operators: ['+', '-'], repeated: true },
  { operators: ['*', '/'], repeated: true },
]

interface Cursor {
  readonly tokens: readonly Token[]
  index: number
}

function parse(text: string): Formula {
  const cursor: Cursor = { tokens: readTokens(text), index: 0 }
  const parsed = run(parseLevel(cursor, 0))
  if (parsed instanceof SyntaxProblem) return { errorAt: parsed.position }
  const rest = peek(cursor)
  return rest.kind === 'end' ? { root: parsed } : { errorAt: rest.position }
}

function peek({ tokens, index }: Cursor): Token {
  return tokens[Math.min(index, tokens.length - 1)]
}

function isSymbol({ kind, text }: Token, ...symbols: readonly string[]): boolean {
  return kind === 'symbol' && symbols.includes(text)
}

/** Steps over the next token if it is one of the symbols. */
function accept(cursor: Cursor, ...symbols: readonly string[]): Token | undefined {
  const token = peek(cursor)
  if (!isSymbol(token, ...symbols)) return undefined
  cursor.index += 1
  return token
}

function* parseLevel(cursor: Cursor, depth: number): Recursive<Parsed> {
  const level = LEVELS[depth]
  if (level === undefined) return yield* call(parseUnary(cursor))
  let left = yield* call(parseLevel(cursor, depth + 1))
  for (;;) {
    if (left instanceof SyntaxProblem) return left
    const operator = accept(cursor, ...level.operators)
    if (operator === undefined) return left
    left = binary(operator, left, yield* call(parseLevel(cursor, depth + 1)))
    if (!level.repeated) return left
  }
}

function* parseUnary(cursor: Cursor): Recursive<Parsed> {
  const minus = accept(cursor, '-')
  if (minus === undefined) return yield* call(parsePower(cursor))
  const operand = yield* call(parseUnary(cursor))
  return operand instanceof SyntaxProblem
    ? operand
    : { kind: 'minus', operand, position: minus.position }
}

/** What stands on the right may begin with a minus, which takes in all further powers. */
function* parsePower(cursor: Cursor): Recursive<Parsed> {
  const left = yield* call(parsePrimary(cursor))
  if (left instanceof SyntaxProblem) return left
  const operator = accept(cursor, '^')
  return operator === undefined
    ? left
    : binary(operator, left, yield* call(parseUnary(cursor)))
}

function binary({ text, position }: Token, left: Node, right: Parsed): Parsed {
  return right instanceof SyntaxProblem
    ? right
    : { kind: 'binary', operator: text as BinaryOperator, left, right, position }
}

function* parsePrimary(cursor: Cursor): Recursive<Parsed> {
  const token = peek(cursor)
  const { kind, text, position } = token
  if (kind === 'number') {
    cursor.index += 1
    return { kind, value: Number(text), position }
  }
  if (kind === 'name') {
    cursor.index += 1
    return accept(cursor, '(')
      ? yield* call(parseCall(cursor, token))
      : { kind, name: text, position }
  }
  if (accept(cursor, '(')) {
    const inner = yield* call(parseLevel(cursor, 0))
    if (inner instanceof SyntaxProblem || accept(cursor, ')')) return inner
    return new SyntaxProblem(peek(cursor).position)
  }
  return new SyntaxProblem(position)
}

/** The opening parenthesis has been read. */
function* parseCall(cursor: Cursor, { text: name, position }: Token): Recursive<Parsed> {
  const args: Node[] = []
  if (accept(cursor, ')')) return { kind: 'call', name, args, position }
  for (;;) {
    const argument = yield* call(parseLevel(cursor, 0))
    if (argument instanceof SyntaxProblem) return argument
    args.push(argument)
    if (accept(cursor, ')')) return { kind: 'call', name, args, position }
    if (!accept(cursor, ',')) return new SyntaxProblem(peek(cursor).position)
  }
}

// Evaluation

interface Evaluation {
  readonly sheet: Sheet
  /** The formulas of the cells that have been read so far, undefined for those that have none. */
  readonly formulas: Map<string, Formula | undefined>
  /** The values of those cells whose evaluation has met no cycle: they are the same everywhere. */
  readonly values: Map<string, Value>
  /** The cells that are being evaluated right now. */
  readonly active: Set<string>
  cyclesMet: number
}

/** The formula that is evaluated, and the name of its cell. */
interface Place {
  readonly cell: string | null
  readonly formula: Formula
}

type Fail = (error: ErrorCode, position: number) => FormulaError

function failIn(cell: string | null): Fail {
  return (error, position) => ({ error, cell, position })
}

function isError(value: Value): value is FormulaError {
  return typeof value === 'object'
}

function* evaluateFormula(evaluation: Evaluation, { cell, formula }: Place): Recursive<Value> {
  return 'errorAt' in formula
    ? failIn(cell)('SYNTAX', formula.errorAt)
    : yield* call(evaluateNode(evaluation, formula.root, failIn(cell)))
}

function* evaluateNode(evaluation: Evaluation, node: Node, fail: Fail): Recursive<Value> {
  const failHere: FailHere = (error) => fail(error, node.position)
  switch (node.kind) {
    case 'number':
      return finite(node.value, failHere)
    case 'name':
      return yield* call(evaluateName(evaluation, node.name, node.position, fail))
    case 'call':
      return yield* call(evaluateCall(evaluation, node.name, node.args, node.position, fail))
    case 'minus': {
      const operand = yield* call(evaluateNode(evaluation, node.operand, fail))
      if (isError(operand)) return operand
      return typeof operand === 'number'
        ? finite(-operand, failHere)
        : failHere('TYPE')
    }
    case 'binary': {
      const left = yield* call(evaluateNode(evaluation, node.left, fail))
      const right = yield* call(evaluateNode(evaluation, node.right, fail))
      if (isError(left)) return left
      if (isError(right)) return right
      return OPERATORS[node.operator](left, right, failHere)
    }
  }
}

/** There is no negative zero in a spreadsheet. */
function finite(result: number, fail: FailHere): Value {
  return Number.isFinite(result) ? result + 0 : fail('NUM')
}

type Plain = number | boolean
type FailHere = (error: ErrorCode) => FormulaError
type Apply = (left: Plain, right: Plain, fail: FailHere) => Value

const onNumbers =
  (apply: (left: number, right: number, fail: FailHere) => Value): Apply =>
  (left, right, fail) =>
    typeof left === 'number' && typeof right === 'number' ? apply(left, right, fail) : fail('TYPE')

const arithmetic = (
  apply: (left: number, right: number) => number,
  dividesByZero: (left: number, right: number) => boolean = () => false,
): Apply =>
  onNumbers((left, right, fail) =>
    dividesByZero(left, right) ? fail('DIV0') : finite(apply(left, right), fail),
  )

const ofOneType =
  (apply: (left: Plain, right: Plain) => boolean): Apply =>
  (left, right, fail) =>
    typeof left === typeof right ? apply(left, right) : fail('TYPE')

const OPERATORS: Readonly<Record<BinaryOperator, Apply>> = {
  '=': ofOneType((left, right) => left === right),
  '<>': ofOneType((left, right) => left !== right),
  '<': onNumbers((left, right) => left < right),
  '<=': onNumbers((left, right) => left <= right),
  '>': onNumbers((left, right) => left > right),
  '>=': onNumbers((left, right) => left >= right),
  '+': arithmetic((left, right) => left + right),
  '-': arithmetic((left, right) => left - right),
  '*': arithmetic((left, right) => left * right),
  '/': arithmetic(
    (left, right) => left / right,
    (_, right) => right === 0,
  ),
  '^': arithmetic(
    (left, right) => left ** right,
    (left, right) => left === 0 && right < 0,
  ),
}

// Names and cells

function* evaluateName(
  evaluation: Evaluation,
  name: string,
  position: number,
  fail: Fail,
): Recursive<Value> {
  if (name === 'TRUE' || name === 'FALSE') return name === 'TRUE'
  if (!/^[A-Z]{1,2}[1-9][0-9]*$/.test(name)) return fail('NAME', position)
  if (evaluation.active.has(name)) {
    evaluation.cyclesMet += 1
    return fail('CYCLE', position)
  }
  return evaluation.values.get(name) ?? (yield* call(evaluateCell(evaluation, name)))
}

function* evaluateCell(evaluation: Evaluation, cell: string): Recursive<Value> {
  const { active, values } = evaluation
  const formula = formulaOf(evaluation, cell)
  const cyclesBefore = evaluation.cyclesMet
  active.add(cell)
  const value =
    formula === undefined ? 0 : yield* call(evaluateFormula(evaluation, { cell, formula }))
  active.delete(cell)
  if (evaluation.cyclesMet === cyclesBefore) values.set(cell, value)
  return value
}

function formulaOf({ sheet, formulas }: Evaluation, cell: string): Formula | undefined {
  if (!formulas.has(cell)) {
    const text: string | undefined = sheet[cell]
    formulas.set(cell, text === undefined ? undefined : parse(text))
  }
  return formulas.get(cell)
}

// Functions

/** The argument at this index has the value of the call. */
type Choose = (first: Value) => number | ErrorCode | 'first'

type Definition = {
  readonly accepts: (count: number) => boolean
} & (
  | { readonly kind: 'numbers'; readonly apply: (args: readonly number[]) => number }
  /** Only the first argument and the chosen one are evaluated. */
  | { readonly kind: 'choice'; readonly choose: Choose }
)

const FUNCTIONS: ReadonlyMap<string, Definition> = new Map<string, Definition>([
  [
    'SUM',
    {
      kind: 'numbers',
      accepts: () => true,
      apply: (args) => args.reduce((sum, arg) => sum + arg, 0),
    },
  ],
  [
    'MIN',
    {
      kind: 'numbers',
      accepts: (count) => count >= 1,
      apply: (args) => args.reduce((least, arg) => Math.min(least, arg)),
    },
  ],
  [
    'IF',
    {
      kind: 'choice',
      accepts: (count) => count === 3,
      choose: (condition) => {
        if (isError(condition)) return 'first'
        return typeof condition === 'boolean' ? (condition ? 1 : 2) : 'TYPE'
      },
    },
  ],
  [
    'IFERROR',
    {
      kind: 'choice',
      accepts: (count) => count === 2,
      choose: (value) => (isError(value) ? 1 : 'first'),
    },
  ],
])

function* evaluateCall(
  evaluation: Evaluation,
  name: string,
  args: readonly Node[],
  position: number,
  fail: Fail,
): Recursive<Value> {
  const definition = FUNCTIONS.get(name)
  if (definition === undefined) return fail('NAME', position)
  if (!definition.accepts(args.length)) return fail('ARGS', position)

  if (definition.kind === 'choice') {
    const first = yield* call(evaluateNode(evaluation, args[0], fail))
    const choice = definition.choose(first)
    if (choice === 'first') return first
    return typeof choice === 'number'
      ? yield* call(evaluateNode(evaluation, args[choice], fail))
      : fail(choice, position)
  }

  const values: Value[] = []
  for (const arg of args) values.push(yield* call(evaluateNode(evaluation, arg, fail)))
  const error = values.find(isError)
  if (error !== undefined) return error
  const numbers = values.filter((value) => typeof value === 'number')
  return numbers.length === values.length
    ? finite(definition.apply(numbers), (code) => fail(code, position))
    : fail('TYPE', position)
}
