// EventTarget, AbortSignal and related classes in plain JavaScript. Node's own are connected to its internals
// (transfer, hooks, hidden symbols), and would give a solution an escape.
const { apply } = Reflect
const later = setTimeout
const soon = queueMicrotask
const now = performance.now.bind(performance)

type Callback =
  | ((event: PlainEvent) => unknown)
  | { handleEvent(event: PlainEvent): unknown }
  | null
type Options =
  | boolean
  | { once?: boolean; capture?: boolean; signal?: PlainAbortSignal }
  | undefined
type Listener = {
  callback: NonNullable<Callback>
  once: boolean
  capture: boolean
  removed: boolean
}

class PlainEvent {
  readonly type: string
  readonly bubbles: boolean
  readonly cancelable: boolean
  readonly composed = false
  readonly isTrusted = false
  readonly timeStamp = now()
  target: PlainEventTarget | null = null
  currentTarget: PlainEventTarget | null = null
  defaultPrevented = false
  #stopped = false

  constructor(type: string, options: { bubbles?: boolean; cancelable?: boolean } = {}) {
    this.type = `${type}`
    this.bubbles = Boolean(options?.bubbles)
    this.cancelable = Boolean(options?.cancelable)
  }

  static isStopped(event: PlainEvent): boolean {
    return event.#stopped
  }
  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true
  }
  stopPropagation(): void {}
  stopImmediatePropagation(): void {
    this.#stopped = true
  }
}

class PlainCustomEvent extends PlainEvent {
  readonly detail: unknown
  constructor(
    type: string,
    options: { detail?: unknown; bubbles?: boolean; cancelable?: boolean } = {},
  ) {
    super(type, options)
    this.detail = options?.detail ?? null
  }
}

class PlainEventTarget {
  #listeners: Record<string, Listener[]> = Object.create(null)

  addEventListener(type: string, callback: Callback, options?: Options): void {
    if (callback === null || callback === undefined) return
    const {
      once = false,
      capture = false,
      signal,
    } = typeof options === 'boolean' ? { capture: options } : { ...options }
    if (signal?.aborted) return
    this.#listeners[type] ??= []
    const list = this.#listeners[type] as Listener[]
    if (list.some((one) => one.callback === callback && one.capture === capture)) return
    list.push({ callback, once, capture, removed: false })
    signal?.addEventListener('abort', () => this.removeEventListener(type, callback, capture))
  }

  removeEventListener(type: string, callback: Callback, options?: Options): void {
    const capture = typeof options === 'boolean' ? options : Boolean(options?.capture)
    const list = this.#listeners[type] ?? []
    const at = list.findIndex((one) => one.callback === callback && one.capture === capture)
    const [gone] = at < 0 ? [] : list.splice(at, 1)
    if (gone) gone.removed = true
  }

  dispatchEvent(event: PlainEvent): boolean {
    if (!(event instanceof PlainEvent)) throw new TypeError('The "event" argument must be an Event')
    event.target = this
    event.currentTarget = this
    const handler = (this as Record<string, unknown>)[`on${event.type}`]
    const list = [...(this.#listeners[event.type] ?? [])]
    if (typeof handler === 'function' && this instanceof PlainAbortSignal)
      list.push({ callback: handler as never, once: false, capture: false, removed: false })
    for (const one of list) {
      if (one.removed) continue
      if (one.once) this.removeEventListener(event.type, one.callback, one.capture)
      call(one.callback, this, event)
      if (PlainEvent.isStopped(event)) break
    }
    event.currentTarget = null
    return !event.defaultPrevented
  }
}

/** A listener that throws does not stop the others; its error counts as uncaught. */
function call(callback: NonNullable<Callback>, target: PlainEventTarget, event: PlainEvent): void {
  try {
    if (typeof callback === 'function') apply(callback, target, [event])
    else callback.handleEvent(event)
  } catch (error) {
    soon(() => {
      throw error
    })
  }
}

const CODES: Record<string, number> = {
  IndexSizeError: 1,
  NotFoundError: 8,
  InvalidCharacterError: 5,
  NotSupportedError: 9,
  SyntaxError: 12,
  AbortError: 20,
  TimeoutError: 23,
  DataCloneError: 25,
}

class PlainDOMException extends Error {
  readonly code: number
  constructor(message = '', options: string | { name?: string; cause?: unknown } = 'Error') {
    const { name = 'Error', cause } = typeof options === 'string' ? { name: options } : options
    super(`${message}`, ...(cause === undefined ? [] : [{ cause }]))
    Object.defineProperty(this, 'name', { value: `${name}`, configurable: true })
    this.code = CODES[name] ?? 0
    Object.defineProperty(this, 'code', { value: this.code, enumerable: false })
  }
}

const HANDED_OUT = {}

class PlainAbortSignal extends PlainEventTarget {
  #aborted = false
  #reason: unknown = undefined
  onabort: ((event: PlainEvent) => unknown) | null = null

  constructor(key?: unknown) {
    if (key !== HANDED_OUT) throw new TypeError('Illegal constructor')
    super()
    Object.defineProperty(this, 'onabort', { value: null, writable: true, enumerable: false })
  }

  static make(): PlainAbortSignal {
    return new PlainAbortSignal(HANDED_OUT)
  }
  /** Aborts a signal of ours; not a method, so that only a controller can. */
  static end(signal: PlainAbortSignal, reason: unknown): void {
    if (signal.#aborted) return
    signal.#aborted = true
    signal.#reason =
      reason === undefined
        ? new PlainDOMException('This operation was aborted', 'AbortError')
        : reason
    signal.dispatchEvent(new PlainEvent('abort'))
  }

  get aborted(): boolean {
    return this.#aborted
  }
  get reason(): unknown {
    return this.#reason
  }
  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason
  }
}

const { make, end } = PlainAbortSignal
// Functions for this file only do not stay on the class.
Reflect.deleteProperty(PlainAbortSignal, 'make')
Reflect.deleteProperty(PlainAbortSignal, 'end')

class PlainAbortController {
  #signal = make()
  get signal(): PlainAbortSignal {
    return this.#signal
  }
  abort(reason?: unknown): void {
    end(this.#signal, reason)
  }
}

const STATIC = {
  abort: (reason?: unknown) => {
    const signal = make()
    end(signal, reason)
    return signal
  },
  timeout: (delayMs: number) => {
    const signal = make()
    const reason = () =>
      new PlainDOMException('The operation was aborted due to timeout', 'TimeoutError')
    later(() => end(signal, reason()), delayMs).unref()
    return signal
  },
  any: (signals: Iterable<PlainAbortSignal>) => {
    const signal = make()
    for (const one of signals) {
      if (one.aborted) end(signal, one.reason)
      else one.addEventListener('abort', () => end(signal, one.reason), { once: true })
    }
    return signal
  },
}

/** Gives a class of ours the name that programs know it by. */
export function named<T extends object>(type: T, name: string): T {
  Object.defineProperty(type, 'name', { value: name, configurable: true })
  const { prototype } = type as unknown as { prototype: object }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true })
  return type
}

/** The events of the web platform, by their global names. */
export function createWebEvents(): Record<string, unknown> {
  for (const [name, value] of Object.entries(STATIC))
    Object.defineProperty(PlainAbortSignal, name, { value, writable: true, configurable: true })
  return {
    Event: named(PlainEvent, 'Event'),
    CustomEvent: named(PlainCustomEvent, 'CustomEvent'),
    EventTarget: named(PlainEventTarget, 'EventTarget'),
    AbortController: named(PlainAbortController, 'AbortController'),
    AbortSignal: named(PlainAbortSignal, 'AbortSignal'),
    DOMException: named(PlainDOMException, 'DOMException'),
  }
}

export const domException = (message: string, name: string): Error =>
  new PlainDOMException(message, name)
