import { JsonProblem } from './json-problem.ts'

/** Keys that reach an object's prototype when some careless code copies it. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])
const FEW = 16

/** The keys of the objects that are open: refuses one that stands twice, and those no honest file has. */
export class KeyGuard {
  readonly #open: (string[] | Set<string>)[] = []

  openObject(): void {
    this.#open.push([])
  }

  closeObject(): void {
    this.#open.pop()
  }

  add(key: string, offset: number): void {
    if (FORBIDDEN.has(key)) throw new JsonProblem(`the key ${key} is not allowed`, offset)
    const known = this.#open[this.#open.length - 1]
    if (known === undefined) return
    if (Array.isArray(known) ? known.includes(key) : known.has(key)) {
      throw new JsonProblem(`the key ${JSON.stringify(key.slice(0, 80))} is duplicated`, offset)
    }
    if (!Array.isArray(known)) known.add(key)
    else if (known.length < FEW) known.push(key)
    else this.#open[this.#open.length - 1] = new Set([...known, key])
  }
}
