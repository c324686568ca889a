import { isDeepStrictEqual } from 'node:util'

const same = isDeepStrictEqual
const { apply } = Reflect
const { is } = Object

type Message = string | Error | undefined
type Failure = { actual?: unknown; expected?: unknown; operator: string }

class AssertionError extends Error {
  readonly code = 'ERR_ASSERTION'
  readonly actual: unknown
  readonly expected: unknown
  readonly operator: string
  constructor({ message, actual, expected, operator }: Failure & { message?: string }) {
    super(message ?? `Assertion failed: ${operator}`)
    Object.defineProperty(this, 'name', { value: 'AssertionError', configurable: true })
    this.actual = actual
    this.expected = expected
    this.operator = operator
  }
}

function check(holds: boolean, message: Message, failure: Failure): void {
  if (holds) return
  if (message instanceof Error) throw message
  throw new AssertionError({ ...failure, ...(message !== undefined && { message: `${message}` }) })
}

type Fits = RegExp | Error | ((error: unknown) => unknown) | object | undefined

function fits(error: unknown, wanted: Fits): boolean {
  if (wanted === undefined) return true
  if (wanted instanceof RegExp) return wanted.test(String(error))
  if (typeof wanted === 'function') {
    const { prototype } = wanted as { prototype?: object }
    if (prototype !== undefined && error instanceof (wanted as new () => unknown)) return true
    return !isErrorClass(wanted) && apply(wanted, undefined, [error]) === true
  }
  return Object.entries(wanted).every(([key, value]) =>
    same((error as Record<string, unknown>)?.[key], value),
  )
}

const isErrorClass = (type: unknown): boolean =>
  type === Error || (type as { prototype?: unknown }).prototype instanceof Error

function splitWanted(wanted: Fits | string, message: Message): [Fits, Message] {
  return typeof wanted === 'string' ? [undefined, wanted] : [wanted, message]
}

const throws = (run: () => unknown, given?: Fits | string, said?: Message): void => {
  const [wanted, message] = splitWanted(given, said)
  try {
    run()
  } catch (error) {
    if (!fits(error, wanted)) throw error
    return
  }
  check(false, message, { operator: 'throws' })
}

const rejects = async (
  run: Promise<unknown> | (() => Promise<unknown>),
  given?: Fits | string,
  said?: Message,
): Promise<void> => {
  const [wanted, message] = splitWanted(given, said)
  try {
    await (typeof run === 'function' ? run() : run)
  } catch (error) {
    if (!fits(error, wanted)) throw error
    return
  }
  check(false, message, { operator: 'rejects' })
}

type Compare = (actual: unknown, expected: unknown) => boolean
const comparing =
  (operator: string, holds: Compare) =>
  (actual: unknown, expected: unknown, message?: Message): void =>
    check(holds(actual, expected), message, { actual, expected, operator })

// biome-ignore lint/suspicious/noDoubleEquals: what the loose form of node's assert does
const loose: Compare = (a, b) => a == b || (Number.isNaN(a) && Number.isNaN(b))

const ok = (value: unknown, message?: Message): void =>
  check(Boolean(value), message, { actual: value, expected: true, operator: 'ok' })

const strict = {
  ok,
  strictEqual: comparing('strictEqual', is),
  notStrictEqual: comparing('notStrictEqual', (a, b) => !is(a, b)),
  deepStrictEqual: comparing('deepStrictEqual', same),
  notDeepStrictEqual: comparing('notDeepStrictEqual', (a, b) => !same(a, b)),
  match: comparing('match', (text, pattern) => (pattern as RegExp).test(text as string)),
  doesNotMatch: comparing('doesNotMatch', (text, p) => !(p as RegExp).test(text as string)),
  throws,
  rejects,
  doesNotThrow: (run: () => unknown) => void run(),
  doesNotReject: async (run: Promise<unknown> | (() => Promise<unknown>)) =>
    void (await (typeof run === 'function' ? run() : run)),
  fail: (message: Message = 'Failed') => check(false, message, { operator: 'fail' }),
  ifError: (value: unknown) => {
    if (value !== null && value !== undefined) throw value
  },
  AssertionError,
}

/** node:assert in plain JavaScript: node's own opens source files to format its messages. */
export function createAssert(isStrict: boolean): object {
  const legacy = {
    equal: comparing('equal', isStrict ? is : loose),
    notEqual: comparing('notEqual', (a, b) => !(isStrict ? is : loose)(a, b)),
    deepEqual: comparing('deepEqual', same),
    notDeepEqual: comparing('notDeepEqual', (a, b) => !same(a, b)),
  }
  const assert = (value: unknown, message?: Message): void => ok(value, message)
  return Object.assign(assert, strict, legacy)
}
