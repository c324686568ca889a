export type QueryValue = string | QueryValue[] | { [name: string]: QueryValue }
export type QueryObject = { [name: string]: QueryValue }

export class QueryError extends Error {
  override readonly name = 'QueryError'
}

// ---------------------------------------------------------------------------------------------
// Writing

function encodeText(text: string): string {
  try {
    return encodeURIComponent(text).replaceAll('%20', '+')
  } catch {
    throw new QueryError('A text with half a surrogate pair cannot be encoded')
  }
}

function encodeName(name: string): string {
  return encodeText(name).replaceAll('.', '%2E')
}

export function stringifyQuery(query: QueryObject): string {
  const pairs: string[] = []

  const write = (key: string, value: unknown): void => {
    if (typeof value === 'string') {
      pairs.push(`${key}=${encodeText(value)}`)
    } else if (Array.isArray(value)) {
      if (value.length === 0) throw new QueryError(`Cannot write an empty array: ${key}`)
      for (let index = 0; index < value.length; index++) write(`${key}[${index}]`, value[index])
    } else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value)
      if (entries.length === 0) throw new QueryError(`Cannot write an empty object: ${key}`)
      for (const [name, member] of entries) write(`${key}.${encodeName(name)}`, member)
    } else {
      throw new QueryError(`Cannot write a value of this kind: ${key}`)
    }
  }

  for (const [name, value] of Object.entries(query)) write(encodeName(name), value)
  return pairs.join('&')
}

// ---------------------------------------------------------------------------------------------
// Reading

/** A string is the name of a property, a number the index of an element. */
type Step = string | number

function decodeText(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

function parseKey(key: string): [first: string, ...rest: Step[]] {
  const name = /[^.[\]]*/y
  const step = /\.([^.[\]]*)|\[(0|[1-9][0-9]*)\]/y
  const first = name.exec(key)?.[0] ?? ''
  const rest: Step[] = []
  let position = first.length
  while (position < key.length) {
    step.lastIndex = position
    const match = step.exec(key)
    if (match === null) throw new QueryError(`Misplaced bracket in key: ${key}`)
    const [text, property, index] = match
    rest.push(property === undefined ? Number(index) : decodeText(property))
    position += text.length
  }
  return [decodeText(first), ...rest]
}

type Container = QueryValue[] | QueryObject

function kindOf(value: QueryValue): 'string' | 'array' | 'object' {
  if (typeof value === 'string') return 'string'
  return Array.isArray(value) ? 'array' : 'object'
}

function getChild(container: Container, step: Step): QueryValue | undefined {
  return Object.hasOwn(container, step) ? (container as QueryObject)[step] : undefined
}

function setChild(container: Container, step: Step, value: QueryValue, key: string): void {
  if (Array.isArray(container) && Number(step) > container.length) {
    throw new QueryError(`Index leaves a gap: ${key}`)
  }
  Object.defineProperty(container, step, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function insert(root: QueryObject, key: string, value: string): void {
  const steps = parseKey(key)
  let container: Container = root
  steps.forEach((step, position) => {
    const next = steps[position + 1]
    const fresh: QueryValue = next === undefined ? value : typeof next === 'number' ? [] : {}
    let child = getChild(container, step)
    if (child !== undefined && kindOf(child) !== kindOf(fresh)) {
      throw new QueryError(`Needs ${kindOf(fresh)} where there is ${kindOf(child)}: ${key}`)
    }
    if (child === undefined || next === undefined) {
      child = fresh
      setChild(container, step, child, key)
    }
    if (typeof child !== 'string') container = child
  })
}

export function parseQuery(text: string): QueryObject {
  const result: QueryObject = {}
  const query = text.startsWith('?') ? text.slice(1) : text
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const key = equals < 0 ? pair : pair.slice(0, equals)
    const value = equals < 0 ? '' : pair.slice(equals + 1)
    insert(result, key, decodeText(value))
  }
  return result
}
