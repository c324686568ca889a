import { appendLog, readLog, replaceLog } from './log.js'

/** A key-value store in one append-only file. */
export class Store {
  #path
  #now
  #entries = new Map()

  constructor(path, { now = Date.now } = {}) {
    this.#path = path
    this.#now = now
    for (const record of readLog(path)) this.#apply(record)
  }

  static open(path, options) {
    return new Store(path, options)
  }

  get size() {
    return this.#entries.size
  }

  get(key) {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expiresAt !== null && this.#now() > entry.expiresAt) {
      this.#entries.delete(key)
      return undefined
    }
    return entry.value
  }

  has(key) {
    return this.get(key) !== undefined
  }

  keys() {
    return [...this.#entries.keys()]
  }

  entries() {
    return [...this.#entries].map(([key, { value }]) => [key, value])
  }

  set(key, value, { ttlMs } = {}) {
    const record = { op: 'set', key, value, at: this.#now() }
    if (ttlMs !== undefined) record.ttlMs = ttlMs
    appendLog(this.#path, record)
    this.#apply(record)
    return this
  }

  delete(key) {
    if (!this.has(key)) return false
    const record = { op: 'delete', key, at: this.#now() }
    appendLog(this.#path, record)
    this.#apply(record)
    return true
  }

  /** Writes the file anew with one line for each key. */
  compact() {
    const records = [...this.#entries].map(([key, { value, ttlMs }]) => {
      const record = { op: 'set', key, value, at: this.#now() }
      if (ttlMs !== undefined) record.ttlMs = ttlMs
      return record
    })
    replaceLog(this.#path, records)
  }

  #apply({ op, key, value, ttlMs }) {
    if (op === 'delete') {
      this.#entries.delete(key)
      return
    }
    const expiresAt = ttlMs ? this.#now() + ttlMs : null
    this.#entries.set(key, { value, ttlMs, expiresAt })
  }
}
