import { toExpression } from './to-expression.ts'

/** One call that a test made and what a correct solution answered, as expressions of the language. */
export type LearnedCall = {
  /** `name` of a function, `Class.method`, `Class.get name`. */
  body: string
  args: string
  /** Where in the tests it was made, as line and column. */
  caller: string
  /** Null = it cannot be written down. */
  answer: string | null
  throws: string | null
  isAwaited: boolean
}

type Call = (...given: unknown[]) => unknown
type Constructor = new (...given: unknown[]) => object

/** Notes every call of a module's exports with its answer. */
export class Notebook {
  readonly calls: LearnedCall[] = []

  /** The same exports, each call of which is noted; errors and plain values stay as they are. */
  wrap = (exports: object): object =>
    Object.fromEntries(
      Object.entries(exports).map(([name, value]) => [name, this.#wrapExport(name, value)]),
    )

  #wrapExport(name: string, value: unknown): unknown {
    if (typeof value !== 'function' || value.prototype instanceof Error) return value
    if (isClass(value)) return this.#wrapClass(name, value as unknown as Constructor)
    return (...given: unknown[]) => this.#note(name, given, () => (value as Call)(...given), null)
  }

  #wrapClass(name: string, real: Constructor): unknown {
    return new Proxy(real, {
      construct: (_, given) => {
        const make = () => new real(...given)
        const made = this.#note(`${name}.new`, given, make, null) as object
        return this.#wrapInstance(name, made)
      },
    })
  }

  #wrapInstance(name: string, real: object): object {
    const shown: object = new Proxy(real, {
      get: (_, key) => {
        const isGetter = findGetter(real, key)
        const read = () => Reflect.get(real, key, real) as unknown
        if (isGetter) return this.#note(`${name}.get ${String(key)}`, [], read, null)
        const value = read()
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          const call = () => Reflect.apply(value as Call, real, given) as unknown
          const answer = this.#note(`${name}.${String(key)}`, given, call, real)
          return answer === real ? shown : answer
        }
      },
    })
    return shown
  }

  #note(
    body: string,
    given: readonly unknown[],
    call: () => unknown,
    self: object | null,
  ): unknown {
    const note: LearnedCall = {
      body,
      args: toExpression(given) ?? '?',
      caller: /\.test\.ts:(\d+:\d+)/.exec(new Error().stack ?? '')?.[1] ?? '?',
      answer: null,
      throws: null,
      isAwaited: false,
    }
    this.calls.push(note)
    try {
      const answer = call()
      if (answer instanceof Promise) this.#await(note, answer)
      else note.answer = answer === self && self !== null ? 'this' : toExpression(answer)
      return answer
    } catch (error) {
      note.throws = toError(error)
      throw error
    }
  }

  #await(note: LearnedCall, promise: Promise<unknown>): void {
    note.isAwaited = true
    promise.then(
      (value) => {
        note.answer = toExpression(value)
      },
      (error) => {
        note.throws = toError(error)
      },
    )
  }
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value))
}

function findGetter(target: object, key: PropertyKey): boolean {
  for (let at: object | null = target; at; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, key)
    if (found) return found.get !== undefined
  }
  return false
}

/** An error with its class, words and own fields, made without its constructor. */
function toError(error: unknown): string {
  if (!(error instanceof Error)) return toExpression(error) ?? 'undefined'
  const fields = Object.fromEntries(
    Object.entries(error).filter(([, value]) => toExpression(value) !== null),
  )
  return `__error(${JSON.stringify(error.constructor.name)}, ${JSON.stringify(error.message)}, ${toExpression(fields)})`
}
