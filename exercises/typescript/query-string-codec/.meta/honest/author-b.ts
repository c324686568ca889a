export type QueryValue = string | QueryValue[] | { [name: string]: QueryValue }
export type QueryObject = { [name: string]: QueryValue }

export class QueryError extends Error {
  override readonly name = 'QueryError'
}

/** One pair: the encoded path to a string, and the string itself. */
type Pair = readonly [key: string, value: string]

/** A step to an element or to a property. */
type Step = number | string

type Container = QueryObject | QueryValue[]

// Writing

export function stringifyQuery(query: QueryObject): string {
  if (!isObject(query)) throw new QueryError('Only an object can be written as a query')
  return Object.keys(query)
    .flatMap((name) => pairsOf(encodeName(name), query[name]))
    .map(([key, value]) => `${key}=${encode(value)}`)
    .join('&')
}

function pairsOf(key: string, value: unknown): Pair[] {
  if (typeof value === 'string') return [[key, value]]
  if (Array.isArray(value)) {
    return filled(key, Array.from<unknown>(value)).flatMap((element, index) =>
      pairsOf(`${key}[${index}]`, element),
    )
  }
  if (isObject(value)) {
    return filled(key, Object.keys(value)).flatMap((name) =>
      pairsOf(`${key}.${encodeName(name)}`, value[name]),
    )
  }
  throw new QueryError(`There is no way to write the value at ${key}`)
}

function filled<Item>(key: string, items: readonly Item[]): readonly Item[] {
  if (items.length === 0) throw new QueryError(`There is no way to write the empty value at ${key}`)
  return items
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+')
}

function encodeName(name: string): string {
  return encode(name).replaceAll('.', '%2E')
}

// Reading

export function parseQuery(text: string): QueryObject {
  const root: QueryObject = {}
  for (const pair of text.replace(/^\?/, '').split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const key = equals < 0 ? pair : pair.slice(0, equals)
    const value = equals < 0 ? '' : pair.slice(equals + 1)
    put(root, parseKey(key), decode(value), key)
  }
  return root
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** A name of its own stands only at the beginning; after that each step shows what it is. */
function parseKey(key: string): Step[] {
  const [first] = /^[^.[\]]*/.exec(key) as RegExpExecArray
  const steps: Step[] = [decode(first)]
  const step = /\.([^.[\]]*)|\[(0|[1-9][0-9]*)\]/y
  step.lastIndex = first.length
  while (step.lastIndex < key.length) {
    const match = step.exec(key)
    if (match === null) throw new QueryError(`A bracket is out of place in ${key}`)
    steps.push(match[1] === undefined ? Number(match[2]) : decode(match[1]))
  }
  return steps
}

/** Walks along the steps, adding what is missing, and puts the text at their end. */
function put(root: QueryObject, steps: readonly Step[], text: string, key: string): void {
  const conflict = (): QueryError => new QueryError(`${key} does not fit the pairs before it`)
  let container: Container = root
  steps.forEach((step, depth) => {
    const next = steps[depth + 1]
    const there = lookUp(container, step)
    if (next === undefined) {
      if (there !== undefined && typeof there !== 'string') throw conflict()
      store(container, step, text)
      return
    }
    const child = there ?? store(container, step, typeof next === 'number' ? [] : {})
    if (typeof child === 'string' || Array.isArray(child) !== (typeof next === 'number')) {
      throw conflict()
    }
    container = child
  })

  /** The kind of the container is that of the step: the step before has seen to it. */
  function lookUp(from: Container, step: Step): QueryValue | undefined {
    if (!Array.isArray(from)) return Object.hasOwn(from, step) ? from[step] : undefined
    if (Number(step) > from.length) throw new QueryError(`${key} leaves a gap in an array`)
    return from[Number(step)]
  }
}

/** Defines the property, so that no name, not even `__proto__`, does anything else. */
function store<Value extends QueryValue>(container: Container, step: Step, value: Value): Value {
  Object.defineProperty(container, step, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
  return value
}
