// Clones the document up front, but puts copied and added values in by reference.
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

type Container = { [key: string]: Json } | Json[]

export function applyPatch(document: Json, operations: readonly Operation[]): Json {
  let root = structuredClone(document)

  operations.forEach((operation, index) => {
    const fail = (code: PatchErrorCode): never => {
      throw new PatchError(code, index)
    }

    const parse = (text: string): string[] => {
      if (text === '') return []
      if (!text.startsWith('/') || /~(?![01])/.test(text)) fail('invalid-pointer')
      return text
        .slice(1)
        .split('/')
        .map((token) => token.replace(/~1/g, '/').replace(/~0/g, '~'))
    }

    const indexOf = (list: Json[], token: string, largest: number): number => {
      if (!/^(0|[1-9]\d*)$/.test(token) || Number(token) > largest) fail('not-found')
      return Number(token)
    }

    const step = (parent: Json, token: string): Json => {
      if (Array.isArray(parent)) return parent[indexOf(parent, token, parent.length - 1)]
      if (typeof parent === 'object' && parent !== null && Object.hasOwn(parent, token)) {
        return parent[token]
      }
      return fail('not-found')
    }

    const find = (tokens: string[]): Json => tokens.reduce(step, root)

    const parentOf = (tokens: string[]): Container => {
      const parent = find(tokens.slice(0, -1))
      if (typeof parent !== 'object' || parent === null) return fail('not-found')
      return parent
    }

    const define = (parent: { [key: string]: Json }, key: string, value: Json): void => {
      Object.defineProperty(parent, key, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      })
    }

    const put = (tokens: string[], value: Json): void => {
      const last = tokens.at(-1)
      if (last === undefined) {
        root = value
        return
      }
      const parent = parentOf(tokens)
      if (Array.isArray(parent)) {
        const at = last === '-' ? parent.length : indexOf(parent, last, parent.length)
        parent.splice(at, 0, value)
      } else define(parent, last, value)
    }

    const take = (tokens: string[]): void => {
      const last = tokens.at(-1)
      if (last === undefined) return fail('forbidden')
      find(tokens)
      const parent = parentOf(tokens)
      if (Array.isArray(parent)) parent.splice(Number(last), 1)
      else delete parent[last]
    }

    const equal = (a: Json, b: Json): boolean => {
      if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
      if (Array.isArray(a) !== Array.isArray(b)) return false
      const keys = Object.keys(a)
      return (
        keys.length === Object.keys(b).length &&
        keys.every(
          (key) =>
            Object.hasOwn(b, key) &&
            equal((a as { [key: string]: Json })[key], (b as { [key: string]: Json })[key]),
        )
      )
    }

    const path = parse(operation.path)
    switch (operation.op) {
      case 'add':
        put(path, operation.value)
        break
      case 'remove':
        take(path)
        break
      case 'replace': {
        find(path)
        const last = path.at(-1)
        const parent = last === undefined ? null : parentOf(path)
        if (last === undefined) root = operation.value
        else if (Array.isArray(parent)) parent[Number(last)] = operation.value
        else if (parent) define(parent, last, operation.value)
        break
      }
      case 'move': {
        const from = parse(operation.from)
        const isInside = from.every((token, i) => token === path[i]) && path.length > from.length
        if (from.length === 0 || isInside) fail('forbidden')
        const value = find(from)
        take(from)
        put(path, value)
        break
      }
      case 'copy': {
        const value = find(parse(operation.from))
        put(path, operation.from === '' ? structuredClone(value) : value)
        break
      }
      case 'test':
        if (!equal(find(path), operation.value)) fail('test-failed')
    }
  })

  return root
}
