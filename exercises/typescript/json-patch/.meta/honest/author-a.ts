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
    super(`Operation ${index} failed: ${code}`)
    this.name = 'PatchError'
    this.code = code
    this.index = index
  }
}

type JsonObject = { [key: string]: Json }
type Container = Json[] | JsonObject
type Pointer = readonly string[]

function isContainer(value: Json | undefined): value is Container {
  return typeof value === 'object' && value !== null
}

/** Writes a member without regard to what the prototype thinks about its key. */
function setMember(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function clone(value: Json): Json {
  if (Array.isArray(value)) return value.map(clone)
  if (!isContainer(value)) return value
  const result: JsonObject = {}
  for (const key of Object.keys(value)) setMember(result, key, clone(value[key]!))
  return result
}

function isEqual(left: Json, right: Json): boolean {
  if (!isContainer(left) || !isContainer(right)) return left === right
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((element, index) => isEqual(element, right[index]!))
    )
  }
  if (Array.isArray(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key]!, right[key]!))
  )
}

function arrayIndex(token: string): number | undefined {
  return /^(?:0|[1-9][0-9]*)$/.test(token) ? Number(token) : undefined
}

class Patcher {
  #document: Json
  /** The containers that have been made for this patch and may therefore be changed. */
  readonly #own = new WeakSet<Container>()
  #index = 0

  constructor(document: Json) {
    this.#document = document
  }

  get document(): Json {
    return this.#document
  }

  apply(operation: Operation, index: number): void {
    this.#index = index
    const from =
      operation.op === 'move' || operation.op === 'copy' ? this.#parse(operation.from) : []
    const path = this.#parse(operation.path)

    switch (operation.op) {
      case 'add':
        this.#add(path, clone(operation.value))
        break
      case 'remove':
        if (path.length === 0) this.#fail('forbidden')
        this.#remove(path)
        break
      case 'replace':
        this.#replace(path, clone(operation.value))
        break
      case 'move': {
        const isBelow = path.length > from.length && from.every((token, i) => token === path[i])
        if (from.length === 0 || isBelow) this.#fail('forbidden')
        const value = this.#get(from)
        this.#remove(from)
        this.#add(path, value)
        break
      }
      case 'copy':
        this.#add(path, clone(this.#get(from)))
        break
      case 'test':
        if (!isEqual(this.#get(path), operation.value)) this.#fail('test-failed')
        break
    }
  }

  #fail(code: PatchErrorCode): never {
    throw new PatchError(code, this.#index)
  }

  #parse(pointer: string): Pointer {
    if (pointer === '') return []
    if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) this.#fail('invalid-pointer')
    return pointer
      .slice(1)
      .split('/')
      .map((token) => token.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')))
  }

  #child(container: Json, token: string): Json {
    if (Array.isArray(container)) {
      const index = arrayIndex(token)
      if (index === undefined || index >= container.length) this.#fail('not-found')
      return container[index]!
    }
    if (!isContainer(container) || !Object.hasOwn(container, token)) this.#fail('not-found')
    return container[token]!
  }

  #get(path: Pointer): Json {
    return path.reduce<Json>((value, token) => this.#child(value, token), this.#document)
  }

  #owned(container: Container): Container {
    if (this.#own.has(container)) return container
    const copy = Array.isArray(container) ? [...container] : { ...container }
    this.#own.add(copy)
    return copy
  }

  #put(container: Container, token: string, value: Json): void {
    if (Array.isArray(container)) container[Number(token)] = value
    else setMember(container, token, value)
  }

  /** The container around the end of a path, made changeable together with all around it. */
  #open(path: Pointer): Container {
    const parentPath = path.slice(0, -1)
    if (!isContainer(this.#get(parentPath))) this.#fail('not-found')

    let container = this.#owned(this.#document as Container)
    this.#document = container
    for (const token of parentPath) {
      const child = this.#owned(this.#child(container, token) as Container)
      this.#put(container, token, child)
      container = child
    }
    return container
  }

  #add(path: Pointer, value: Json): void {
    const token = path.at(-1)
    if (token === undefined) {
      this.#document = value
      return
    }
    const container = this.#open(path)
    if (!Array.isArray(container)) {
      setMember(container, token, value)
      return
    }
    const index = token === '-' ? container.length : arrayIndex(token)
    if (index === undefined || index > container.length) this.#fail('not-found')
    container.splice(index, 0, value)
  }

  #remove(path: Pointer): void {
    this.#get(path)
    const token = path.at(-1)!
    const container = this.#open(path)
    if (Array.isArray(container)) container.splice(Number(token), 1)
    else delete container[token]
  }

  #replace(path: Pointer, value: Json): void {
    this.#get(path)
    const token = path.at(-1)
    if (token === undefined) this.#document = value
    else this.#put(this.#open(path), token, value)
  }
}

export function applyPatch(document: Json, operations: readonly Operation[]): Json {
  const patcher = new Patcher(document)
  operations.forEach((operation, index) => patcher.apply(operation, index))
  return patcher.document
}
