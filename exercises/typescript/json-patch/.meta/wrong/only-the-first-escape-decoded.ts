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
  override readonly name = 'PatchError'
  readonly code: PatchErrorCode
  /** Position of the operation that failed, counted from zero. */
  readonly index: number

  constructor(code: PatchErrorCode, index: number) {
    super(`Operation ${index} failed: ${code}`)
    this.code = code
    this.index = index
  }
}

/** What went wrong, thrown before the position of the operation is known. */
class Refusal {
  constructor(readonly code: PatchErrorCode) {}
}

type JsonObject = { [key: string]: Json }
type Pointer = readonly string[]

/** Never changes a value in place: every step along a pointer is copied, all else is shared. */
export function applyPatch(document: Json, operations: readonly Operation[]): Json {
  return operations.reduce((current, operation, index) => {
    try {
      return applyOperation(current, operation)
    } catch (error) {
      throw error instanceof Refusal ? new PatchError(error.code, index) : error
    }
  }, document)
}

function applyOperation(document: Json, operation: Operation): Json {
  const path = parsePointer(operation.path)
  switch (operation.op) {
    case 'add':
      return add(document, path, operation.value)
    case 'remove':
      return remove(document, path)
    case 'replace':
      return replace(document, path, operation.value)
    case 'copy':
      return add(document, path, find(document, parsePointer(operation.from)))
    case 'move':
      return move(document, parsePointer(operation.from), path)
    case 'test':
      if (!isEqual(find(document, path), operation.value)) throw new Refusal('test-failed')
      return document
  }
}

function parsePointer(text: string): Pointer {
  if (text === '') return []
  if (!text.startsWith('/')) throw new Refusal('invalid-pointer')
  return text
    .slice(1)
    .split('/')
    .map((token) => {
      if (/~(?![01])/.test(token)) throw new Refusal('invalid-pointer')
      return token.replace('~1', '/').replace('~0', '~')
    })
}

function find(document: Json, pointer: Pointer): Json {
  return pointer.reduce(childOf, document)
}

function add(document: Json, pointer: Pointer, value: Json): Json {
  if (pointer.length === 0) return value
  return editParent(document, pointer, {
    array: (list, token) => {
      const index = token === '-' ? list.length : toIndex(token, list.length)
      return [...list.slice(0, index), value, ...list.slice(index)]
    },
    object: (members, key) => ({ ...members, [key]: value }),
  })
}

function remove(document: Json, pointer: Pointer): Json {
  if (pointer.length === 0) throw new Refusal('forbidden')
  return editParent(document, pointer, {
    array: (list, token) => {
      const index = toIndex(token, list.length - 1)
      return [...list.slice(0, index), ...list.slice(index + 1)]
    },
    object: (members, key) => {
      const { [key]: _removed, ...others } = members
      return others
    },
    mustExist: true,
  })
}

function replace(document: Json, pointer: Pointer, value: Json): Json {
  if (pointer.length === 0) return value
  return editParent(document, pointer, {
    array: (list, token) => withChild(list, token, value),
    object: (members, key) => withChild(members, key, value),
    mustExist: true,
  })
}

function move(document: Json, from: Pointer, path: Pointer): Json {
  const isPrefix = from.every((token, depth) => token === path[depth])
  if (from.length === 0 || (isPrefix && path.length > from.length)) throw new Refusal('forbidden')
  const moved = find(document, from)
  return add(remove(document, from), path, moved)
}

interface Edit {
  readonly array: (list: Json[], token: string) => Json
  readonly object: (members: JsonObject, key: string) => Json
  readonly mustExist?: boolean
}

/** Rebuilds the containers along the pointer and applies the edit to the innermost one. */
function editParent(document: Json, pointer: Pointer, edit: Edit): Json {
  const [token, ...rest] = pointer
  if (rest.length > 0) {
    const child = editParent(childOf(document, token), rest, edit)
    return withChild(document, token, child)
  }
  if (edit.mustExist) childOf(document, token)
  if (Array.isArray(document)) return edit.array(document, token)
  if (isObject(document)) return edit.object(document, token)
  throw new Refusal('not-found')
}

function childOf(parent: Json, token: string): Json {
  if (Array.isArray(parent)) return parent[toIndex(token, parent.length - 1)]
  if (isObject(parent) && Object.hasOwn(parent, token)) return parent[token]
  throw new Refusal('not-found')
}

function withChild(parent: Json, token: string, child: Json): Json {
  if (!Array.isArray(parent)) return { ...(parent as JsonObject), [token]: child }
  const index = Number(token)
  return parent.map((element, position) => (position === index ? child : element))
}

function toIndex(token: string, largest: number): number {
  const index = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Number.POSITIVE_INFINITY
  if (index > largest) throw new Refusal('not-found')
  return index
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEqual(a: Json, b: Json): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, index) => isEqual(element, b[index]))
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a)
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
    )
  }
  return a === b
}
