import { toExpression } from './to-expression.ts'

/** One call of the solution: which body, with what, from where, and what a test wanted of it. */
type Note = {
  body: number
  args: string
  caller: string
  answer: string | null
  throws: string | null
  isAwaited: boolean
}

/** What is known of one call, as expressions of the language; null = no test asked. */
export type LearnedCall = Pick<Note, 'body' | 'args' | 'caller' | 'isAwaited'> & {
  answer: string | null
  throws: string | null
}
export type Learned = readonly LearnedCall[]

const NOTE = Symbol('note')

/** Notes every call that the tests make of a stub, and what they expected of it. */
export class Notebook {
  readonly #notes: Note[] = []

  /** What the stub's bodies call: a token stands for the answer. */
  answer = (body: number, args: readonly unknown[]): unknown => {
    const note: Note = {
      body,
      args: toExpression(args) ?? '?',
      caller: callerOf(new Error().stack ?? ''),
      answer: null,
      throws: null,
      isAwaited: false,
    }
    this.#notes.push(note)
    return tokenFor(note)
  }

  get length(): number {
    return this.#notes.length
  }

  /** A test compares a token with a value. */
  expectValue(token: unknown, value: unknown): void {
    const note = noteOf(token)
    if (note) note.answer ??= toExpression(value)
  }

  /** A test wants the last call made since `from` to throw. */
  expectThrow(from: number, wanted: unknown): void {
    const note = this.#notes.length > from ? this.#notes.at(-1) : undefined
    if (note) note.throws ??= errorFor(wanted)
  }

  learned(): Learned {
    return this.#notes.map((note) => ({ ...note }))
  }
}

/** A value that stands for an answer: it has every property, can be called, and is awaited without harm. */
function tokenFor(note: Note): unknown {
  return new Proxy(() => {}, {
    get: (_, key) => {
      if (key === NOTE) return note
      if (key === 'then') note.isAwaited = true
      if (key === 'then') return undefined
      if (key === Symbol.toPrimitive) return () => 0
      if (key === Symbol.iterator) return function* () {}
      return key === 'length' ? 0 : tokenFor({ ...note })
    },
    apply: () => tokenFor({ ...note }),
  })
}

function noteOf(token: unknown): Note | null {
  const isToken = typeof token === 'function'
  return isToken ? ((token as unknown as Record<symbol, Note | undefined>)[NOTE] ?? null) : null
}

/** The first place in a test file, as line and column. */
function callerOf(stack: string): string {
  return /\.test\.ts:(\d+:\d+)/.exec(stack)?.[1] ?? '?'
}

function errorFor(wanted: unknown): string {
  if (typeof wanted === 'string') return `new Error(${JSON.stringify(wanted)})`
  if (isPattern(wanted)) return `new Error(${JSON.stringify(wanted.source.replaceAll('\\', ''))})`
  if (typeof wanted === 'function') {
    const { name } = wanted
    return `Object.assign(new ${/^\w+Error$/.test(name) ? `(typeof ${name} === 'function' ? ${name} : Error)` : 'Error'}('learned'), {})`
  }
  const message = (wanted as { message?: unknown } | undefined)?.message
  return `new Error(${JSON.stringify(typeof message === 'string' ? message : 'learned')})`
}

function isPattern(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]'
}
