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
    return this.#alive().get(key)?.value
  }

  has(key) {
    return this.#alive().has(key)
  }

  keys() {
    return [...this.#entries.keys()]
  }

  entries() {
    return [...this.#alive()].map(([key, { value }]) => [key, value])
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
    const records = [...this.#alive()].map(([key, { value, at, ttlMs }]) => {
      const record = { op: 'set', key, value, at }
      if (ttlMs !== undefined) record.ttlMs = ttlMs
      return record
    })
    replaceLog(this.#path, records)
  }

  /** Without the keys whose time is over, which are forgotten. */
  #alive() {
    const now = this.#now()
    for (const [key, { at, ttlMs }] of this.#entries)
      if (ttlMs !== undefined && now >= at + ttlMs) this.#entries.delete(key)
    return this.#entries
  }

  #apply({ op, key, value, at, ttlMs }) {
    if (op === 'delete') {
      this.#entries.delete(key)
      return
    }
    this.#entries.set(key, { value, at, ttlMs })
  }
}
