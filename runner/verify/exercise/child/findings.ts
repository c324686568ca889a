type Node = { code: string; detail: string; next: Node | null }

const MOST = 20

let head: Node | null = null
let count = 0

/** Records evidence of tampering. A linked list: while a solution loads, arrays cannot be trusted. */
export function addFinding(code: string, detail: string): void {
  for (let node = head; node; node = node.next) {
    if (node.code === code && node.detail === detail) return
  }
  if (count++ >= MOST) return
  head = nullObject({ code, detail, next: head })
}

/** Visits the findings, newest first. */
export function eachFinding(visit: (code: string, detail: string) => void): void {
  for (let node = head; node; node = node.next) visit(node.code, node.detail)
}

const { setPrototypeOf } = Object

/**
 * Creates an object without a prototype: properties that a solution defines on Object.prototype are not visible through
 * it.
 */
export function nullObject<T extends object>(fields: T): T {
  return setPrototypeOf(fields, null) as T
}
