export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type Operation =
  | { op: 'add'; path: string; value: Json }
  | { op: 'remove'; path: string }
  | { op: 'replace'; path: string; value: Json }
  | { op: 'move'; from: string; path: string }
  | { op: 'copy'; from: string; path: string }
  | { op: 'test'; path: string; value: Json }

export type PatchErrorCode = 'invalid-pointer' | 'not-found' | 'test-failed' | 'forbidden'

export class PatchError extends Error {
  readonly code: PatchErrorCode
  /** Position of the operation that failed, counted from zero. */
  readonly index: number

  constructor(code: PatchErrorCode, index: number) {
    super(`Operation ${index} cannot be applied: ${code}`)
    this.name = 'PatchError'
    this.code = code
    this.index = index
  }
}

/** An operation that can be done gives a document. All documents are shared and never changed. */
type Outcome = { readonly document: Json } | { readonly failure: PatchErrorCode }

type Tokens = readonly string[]
type Members = { [key: string]: Json }

/** Like `Outcome`, for what is found at a place. */
type Found = { readonly value: Json } | undefined

/** The changed copy of a container, or undefined if the token has no place in it. */
type Edit = (container: Json[] | Members, token: string) => Json | undefined

export function applyPatch(document: Json, operations: readonly Operation[]): Json {
  return operations.reduce<Json>((current, operation, index) => {
    const outcome = applyOperation(current, operation)
    if ('failure' in outcome) throw new PatchError(outcome.failure, index)
    return outcome.document
  }, document)
}

function applyOperation(document: Json, operation: Operation): Outcome {
  const path = parsePointer(operation.path)
  const from = 'from' in operation ? parsePointer(operation.from) : []
  if (path === undefined || from === undefined) return { failure: 'invalid-pointer' }

  switch (operation.op) {
    case 'add':
      return add(document, path, operation.value)
    case 'remove':
      return remove(document, path)
    case 'replace':
      return replace(document, path, operation.value)
    case 'move':
      return move(document, from, path)
    case 'copy': {
      const source = find(document, from)
      return source === undefined ? NOT_FOUND : add(document, path, clone(source.value))
    }
    case 'test': {
      const found = find(document, path)
      if (found === undefined) return NOT_FOUND
      return equal(found.value, operation.value) ? { document } : { failure: 'test-failed' }
    }
  }
}

const NOT_FOUND: Outcome = { failure: 'not-found' }
const FORBIDDEN: Outcome = { failure: 'forbidden' }

// Operations

function add(document: Json, path: Tokens, value: Json): Outcome {
  if (path.length === 0) return { document: value }
  return edit(document, path, (container, token) => {
    if (!Array.isArray(container)) return { ...container, [token]: value }
    const index = token === '-' ? container.length : indexOf(token)
    return index === undefined || index > container.length
      ? undefined
      : [...container.slice(0, index), value, ...container.slice(index)]
  })
}

function remove(document: Json, path: Tokens): Outcome {
  if (path.length === 0) return FORBIDDEN
  return edit(document, path, (container, token) => {
    if (member(container, token) === undefined) return undefined
    return Array.isArray(container)
      ? container.filter((_, index) => index !== Number(token))
      : Object.fromEntries(Object.entries(container).filter(([key]) => key !== token))
  })
}

function replace(document: Json, path: Tokens, value: Json): Outcome {
  if (path.length === 0) return { document: value }
  return edit(document, path, (container, token) =>
    member(container, token) === undefined ? undefined : withMember(container, token, value),
  )
}

function move(document: Json, from: Tokens, path: Tokens): Outcome {
  const isBelow = path.length > from.length && from.every((token, depth) => token === path[depth])
  if (from.length === 0 || isBelow) return FORBIDDEN
  const source = find(document, from)
  if (source === undefined) return NOT_FOUND
  const removed = remove(document, from)
  return 'failure' in removed ? removed : add(removed.document, path, source.value)
}

// Places

/** The tokens, or undefined if the pointer is not valid. */
function parsePointer(pointer: string): Tokens | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')))
}

function indexOf(token: string): number | undefined {
  return /^(?:0|[1-9][0-9]*)$/.test(token) ? Number(token) : undefined
}

function isContainer(value: Json): value is Json[] | Members {
  return typeof value === 'object' && value !== null
}

function member(container: Json, token: string): Found {
  if (!isContainer(container)) return undefined
  if (!Array.isArray(container)) {
    return Object.hasOwn(container, token) ? { value: container[token] } : undefined
  }
  const index = indexOf(token)
  return index === undefined || index >= container.length ? undefined : { value: container[index] }
}

/** A copy with another value in the place of an existing one. The spread defines, whatever the key. */
function withMember(container: Json[] | Members, token: string, value: Json): Json {
  return Array.isArray(container)
    ? container.map((element, index) => (index === Number(token) ? value : element))
    : { ...container, [token]: value }
}

function find(document: Json, [token, ...rest]: Tokens): Found {
  if (token === undefined) return { value: document }
  const found = member(document, token)
  return found && find(found.value, rest)
}

/** Copies the containers along the path, and puts what `change` makes of the last one into them. */
function edit(document: Json, [token, ...rest]: Tokens, change: Edit): Outcome {
  if (!isContainer(document)) return NOT_FOUND
  if (rest.length === 0) {
    const changed = change(document, token)
    return changed === undefined ? NOT_FOUND : { document: changed }
  }
  const found = member(document, token)
  if (found === undefined) return NOT_FOUND
  const inner = edit(found.value, rest, change)
  return 'failure' in inner ? inner : { document: withMember(document, token, inner.document) }
}

// Values

function clone(value: Json): Json {
  if (!isContainer(value)) return value
  return Array.isArray(value)
    ? value.map(clone)
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clone(inner)]))
}

function equal(left: Json, right: Json): boolean {
  if (!isContainer(left) || !isContainer(right)) return left === right
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => {
      const [mine, other] = [member(left, key), member(right, key)]
      return mine !== undefined && other !== undefined && equal(mine.value, other.value)
    })
  )
}
