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
    super()
    throw new Error('Remove this line and implement the function')
  }
}

export function applyPatch(document: Json, operations: readonly Operation[]): Json {
  throw new Error('Remove this line and implement the function')
}
