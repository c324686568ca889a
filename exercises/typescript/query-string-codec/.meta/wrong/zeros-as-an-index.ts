export type QueryValue = string | QueryValue[] | { [name: string]: QueryValue }
export type QueryObject = { [name: string]: QueryValue }

export class QueryError extends Error {}

/** A string is the name of a property and a number the index of an array element. */
type Step = string | number

export function stringifyQuery(query: QueryObject): string {
  const pairs = Object.keys(query).flatMap((name) => pairsOf(encodeName(name), query[name]))
  return pairs.join('&')
}

export function parseQuery(text: string): QueryObject {
  const query: QueryObject = {}
  for (const pair of text.replace(/^\?/, '').split('&')) {
    if (pair === '') continue
    const keyEnd = pair.includes('=') ? pair.indexOf('=') : pair.length
    const value = decode(pair.slice(keyEnd + 1))
    assign(query, parseKey(pair.slice(0, keyEnd)), value)
  }
  return query
}

function pairsOf(key: string, value: QueryValue): string[] {
  if (typeof value === 'string') return [`${key}=${encode(value)}`]
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    throw new QueryError(`the value of ${key} cannot be written`)
  }
  return Array.isArray(value)
    ? value.flatMap((element, index) => pairsOf(`${key}[${index}]`, element))
    : Object.keys(value).flatMap((name) => pairsOf(`${key}.${encodeName(name)}`, value[name]))
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+')
}

function encodeName(name: string): string {
  return encode(name).replaceAll('.', '%2E')
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

function parseKey(key: string): Step[] {
  return key.split('.').flatMap((part) => {
    const [, name, indexes] = /^([^[\]]*)((?:\[(?:0+|[1-9]\d*)\])*)$/.exec(part) ?? []
    if (name === undefined) throw new QueryError(`malformed key: ${key}`)
    return [decode(name), ...(indexes.match(/\d+/g) ?? []).map(Number)]
  })
}

function assign(query: QueryObject, steps: Step[], value: string): void {
  const last = steps.length - 1
  let parent: QueryValue = query
  steps.forEach((step, position) => {
    const existing = childOf(parent, step)
    const wanted = position === last ? value : typeof steps[position + 1] === 'number' ? [] : {}
    if (existing !== undefined && kindOf(existing) !== kindOf(wanted)) {
      throw new QueryError(`${steps.slice(0, position + 1).join(' › ')} is used in two ways`)
    }
    const child: QueryValue = existing === undefined || position === last ? wanted : existing
    if (child !== existing) setChild(parent, step, child)
    parent = child
  })
}

function childOf(parent: QueryValue, step: Step): QueryValue | undefined {
  return Object.getOwnPropertyDescriptor(parent, step)?.value
}

/** Defines an own property, also for names such as __proto__ that assignment treats specially. */
function setChild(parent: QueryValue, step: Step, value: QueryValue): void {
  if (Array.isArray(parent) && Number(step) > parent.length) {
    throw new QueryError(`index ${step} leaves a gap`)
  }
  Object.defineProperty(parent, step, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function kindOf(value: QueryValue): string {
  return Array.isArray(value) ? 'array' : typeof value
}
