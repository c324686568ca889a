import { createHash } from 'node:crypto'
import { canonicalJson } from '#lib/domain/canonical-json.ts'
import { parseJson } from './json-value.ts'

/** A tool call that the model asked for: who it is and a fingerprint, never its arguments. */
export type ToolAsk = {
  /** Ties it to its result; null when the provider gave none. */
  id: string | null
  name: string
  /** Equal for the same tool with the same arguments; null when the arguments could not be read. */
  fingerprint: string | null
}

type Gathered = { id: string | null; name: string; pieces: string[]; value: unknown }

/** All the arguments of a turn, as text; what comes after is not gathered and gets no fingerprint. */
const MOST_CHARS = 8 << 20
const MOST_CALLS = 1000

/** Gathers the tool calls of one answer; arguments come whole or in fragments, and are forgotten with the answer. */
export class AskedTools {
  readonly #calls = new Map<string, Gathered>()
  #chars = 0

  /** A call begins under a key that is its own in this answer; `value` is what its arguments are when no text follows. */
  begin(key: string, call: { id: string | null; name: string; value?: unknown }): void {
    if (this.#calls.has(key) || this.#calls.size >= MOST_CALLS) return
    this.#calls.set(key, { pieces: [], value: undefined, ...call })
  }

  /** A fragment of the arguments' text. */
  add(key: string, fragment: unknown): void {
    if (typeof fragment !== 'string' || fragment === '') return
    this.#chars += fragment.length
    const call = this.#calls.get(key)
    if (!call) return
    if (this.#chars <= MOST_CHARS) call.pieces.push(fragment)
    else Object.assign(call, { pieces: [], value: undefined })
  }

  /** The calls in the order in which they began. */
  list(): ToolAsk[] {
    return [...this.#calls.values()].map(({ id, name, pieces, value }) => ({
      id,
      name,
      fingerprint: fingerprint(name, pieces.length > 0 ? pieces.join('') : value),
    }))
  }
}

/** Arguments as text are read as JSON where they are JSON; member order and white space do not matter. */
function fingerprint(name: string, given: unknown): string | null {
  if (given === undefined || given === null) return null
  // Some providers write no arguments as no text.
  const parsed = typeof given === 'string' ? parseJson(given || '{}') : given
  try {
    const told = parsed === undefined ? `text ${given}` : `json ${canonicalJson(parsed)}`
    return createHash('sha256')
      .update(`${JSON.stringify(name)} ${told}`)
      .digest('base64url')
  } catch {
    return null // nested deeper than anybody can follow
  }
}
