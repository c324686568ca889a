import type { FindSecrets } from './find-secrets.ts'

export type Redacted = { text: string; replaced: number }

/** Replaces every secret by `[redacted:<kind>]`; returns the same text if there is none. */
export function redactText(text: string, find: FindSecrets): Redacted {
  const found = find(text)
  let result = ''
  let from = 0
  for (const { start, end, kind } of found) {
    result += text.slice(from, start) + placeholder(kind)
    from = end
  }
  return { text: found.length === 0 ? text : result + text.slice(from), replaced: found.length }
}

export function placeholder(kind: string): string {
  return `[redacted:${kind}]`
}

const MAX_HELD_CHARS = 64 << 10
const OVERLAP = 4 << 10
const KEY_BEGIN = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY/
const KEY_END = /-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/

/**
 * Redacts text that comes in pieces cut at any position, for logs. Complete lines are emitted at once, private keys as
 * blocks; at most 64 KB are buffered. A secret in a longer line may be cut only after 4 KB of its own length.
 */
export class RedactingStream {
  readonly #find: FindSecrets
  #held = ''
  #inKey = false
  replaced = 0

  constructor(find: FindSecrets) {
    this.#find = find
  }

  /** Returns the text that is safe to write so far; '' if there is none. */
  push(piece: string): string {
    this.#held += piece
    if (this.#inKey) this.#dropKey()
    if (this.#inKey) return ''
    const cut = this.#safeCut()
    return cut === 0 ? '' : this.#release(cut)
  }

  /** Ends the stream; returns the rest. */
  end(): string {
    return this.#inKey ? '' : this.#release(this.#held.length)
  }

  #release(cut: number): string {
    const { text, replaced } = redactText(this.#held.slice(0, cut), this.#find)
    this.#held = this.#held.slice(cut)
    this.replaced += replaced
    return text
  }

  #safeCut(): number {
    const lines = this.#held.lastIndexOf('\n') + 1
    const begin = this.#keyAcross(lines)
    if (begin !== null) return this.#cutAtKey(begin)
    if (this.#held.length - lines <= MAX_HELD_CHARS) return lines
    return this.#wholeSecrets(this.#held.length - OVERLAP)
  }

  /** Returns the start of a private key that crosses a cut. */
  #keyAcross(cut: number): number | null {
    let from = 0
    for (;;) {
      const begin = KEY_BEGIN.exec(this.#held.slice(from, cut))
      if (!begin) return null
      const start = from + begin.index
      const end = KEY_END.exec(this.#held.slice(start))
      if (!end || start + end.index + end[0].length > cut) return start
      from = start + end.index + end[0].length
    }
  }

  /**
   * An unterminated key is not buffered forever: its beginning is emitted as redacted, the rest is dropped up to its
   * end.
   */
  #cutAtKey(begin: number): number {
    if (this.#held.length - begin <= MAX_HELD_CHARS) return begin
    const end = KEY_END.exec(this.#held.slice(begin))
    if (end) return begin + end.index + end[0].length
    this.#held = `${this.#held.slice(0, begin)}${placeholder('private-key')}`
    this.#inKey = true
    this.replaced += 1
    return this.#held.length
  }

  #dropKey(): void {
    const end = KEY_END.exec(this.#held)
    this.#held = end ? this.#held.slice(end.index + end[0].length) : this.#held.slice(-OVERLAP)
    this.#inKey = end === null
  }

  /** Moves a cut to the start of a secret that crosses it. */
  #wholeSecrets(cut: number): number {
    const halved = this.#find(this.#held).find(({ start, end }) => start < cut && cut < end)
    return halved && halved.start > 0 ? halved.start : cut
  }
}
