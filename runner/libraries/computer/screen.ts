import type { Client } from 'chrome-remote-interface'
import { cdpKey } from '../cdp-keys.ts'
import { withinTime } from '../host/within-time.ts'
import type { Session } from '../library-adapter.ts'
import { modifiersOf, parseKeys } from './keys.ts'
import { waitAsAsked } from './wait-as-asked.ts'

/** The size of every visible page, as set by the harness (`VIEW`), in CSS pixels. */
export const SCREEN = { width: 1280, height: 800 }
const DRAG_STEPS = 10
const NOTCH_PX = 100
/** Resolves when a page has loaded and rendered the action; a later screenshot shows what is fetched later. */
const DRAWN = `new Promise((drawn) => {
  const paint = () => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true)))
  if (document.readyState === 'complete') paint()
  else addEventListener('load', paint, { once: true })
})`

type Library = typeof import('chrome-remote-interface')
type Point = readonly [x: number, y: number]
type Button = 'left' | 'middle' | 'right'

/**
 * A browser's page as a screen with a mouse and a keyboard: screenshots out, coordinates in. It shows the newest page,
 * as a person would see a tab that a click opened. Alerts are accepted, because a screenshot does not show them.
 */
export class Screen {
  readonly #library: Library
  readonly #session: Session
  #client: Client | null = null
  #targetId = ''
  #mouse: Point = [0, 0]

  constructor(library: Library, session: Session) {
    this.#library = library
    this.#session = session
  }

  async open(url: string): Promise<void> {
    const client = await this.#page()
    const isThere = new Promise<void>((resolve) =>
      client.Page.domContentEventFired(() => resolve()),
    )
    const arrive = async () => {
      const { errorText } = await client.Page.navigate({ url })
      if (errorText) throw new Error(`${url}: ${errorText}`)
      await isThere
    }
    await withinTime(arrive(), this.#session.actionTimeoutMs, `opening ${url}`)
    await this.#drawn()
  }

  /** Returns a PNG, as base64. */
  async screenshot(): Promise<string> {
    const { Page } = await this.#page()
    const shot = Page.captureScreenshot({ format: 'png' })
    return (await withinTime(shot, this.#session.actionTimeoutMs, 'a screenshot')).data
  }

  async move(to: Point): Promise<void> {
    await this.#mouseEvent('mouseMoved', to)
  }

  async press(button: Button, at = this.#mouse): Promise<void> {
    await this.#mouseEvent('mousePressed', at, { button, clickCount: 1 })
  }

  async release(button: Button, at = this.#mouse): Promise<void> {
    await this.#mouseEvent('mouseReleased', at, { button, clickCount: 1 })
  }

  /** `keys` are held during the click: `ctrl`. */
  async click(
    at: Point = this.#mouse,
    button: Button = 'left',
    count = 1,
    keys = '',
  ): Promise<void> {
    const modifiers = modifiersOf(keys)
    await this.#mouseEvent('mouseMoved', at)
    for (let clickCount = 1; clickCount <= count; clickCount++) {
      await this.#mouseEvent('mousePressed', at, { button, clickCount, modifiers })
      await this.#mouseEvent('mouseReleased', at, { button, clickCount, modifiers })
    }
    await this.#drawn()
  }

  async drag(from: Point, to: Point): Promise<void> {
    await this.move(from)
    await this.press('left', from)
    for (let step = 1; step <= DRAG_STEPS; step++) {
      const between = (index: 0 | 1) =>
        from[index] + ((to[index] - from[index]) * step) / DRAG_STEPS
      await this.#mouseEvent('mouseMoved', [between(0), between(1)], { button: 'left', buttons: 1 })
    }
    await this.release('left', to)
    await this.#drawn()
  }

  async type(text: string): Promise<void> {
    const { Input } = await this.#page()
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) await this.keys('Return')
      if (line !== '') await Input.insertText({ text: line })
    }
    await this.#drawn()
  }

  /** Presses a key with held ones: `Return`, `ctrl+a`. */
  async keys(words: string): Promise<void> {
    const { Input } = await this.#page()
    for (const { key, modifiers, commands } of parseKeys(words)) {
      const { text, ...named } = cdpKey(key)
      const types = text !== undefined && modifiers === 0
      await Input.dispatchKeyEvent({
        ...named,
        modifiers,
        ...(types ? { type: 'keyDown', text } : { type: 'rawKeyDown', commands }),
      })
      await Input.dispatchKeyEvent({ ...named, modifiers, type: 'keyUp' })
    }
    await this.#drawn()
  }

  /** Scrolls by wheel notches, to the right and down. */
  async scroll(at: Point = this.#mouse, right = 0, down = 0): Promise<void> {
    this.#mouse = at
    const [x, y] = at
    const { Input } = await this.#page()
    const wheel = { deltaX: right * NOTCH_PX, deltaY: down * NOTCH_PX }
    await Input.dispatchMouseEvent({ type: 'mouseWheel', x, y, ...wheel })
    await this.#drawn()
  }

  async wait(seconds: number): Promise<void> {
    await waitAsAsked(seconds, this.#session.signal)
  }

  position(): Point {
    return this.#mouse
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = null
    await client?.close()
  }

  /** Repeats once if another page has replaced the current one. */
  async #drawn(isAgain = false): Promise<void> {
    const { Runtime } = await this.#page()
    const drawn = Runtime.evaluate({ expression: DRAWN, awaitPromise: true })
    const isDrawn = await withinTime(drawn, this.#session.actionTimeoutMs, 'drawing').then(
      ({ exceptionDetails }) => exceptionDetails === undefined,
      () => false,
    )
    if (!isDrawn && !isAgain) await this.#drawn(true)
  }

  async #mouseEvent(
    type: 'mouseMoved' | 'mousePressed' | 'mouseReleased',
    at: Point,
    more: { button?: Button; buttons?: number; clickCount?: number; modifiers?: number } = {},
  ): Promise<void> {
    this.#mouse = at
    const { Input } = await this.#page()
    await Input.dispatchMouseEvent({ type, x: at[0], y: at[1], ...more })
  }

  /** Returns a connection to the newest page. */
  async #page(): Promise<Client> {
    const { hostname, port } = new URL(this.#session.endpoint)
    const place = { host: hostname, port: Number(port) }
    const targets = await this.#library.List(place)
    // The browser lists the newest first.
    const newest = targets.find(({ type }) => type === 'page')
    const target = newest?.id ?? (await this.#library.New(place)).id
    if (this.#client !== null && target === this.#targetId) return this.#client
    await this.close()
    const client = await this.#library({ ...place, target, local: true })
    client.on('error', () => {})
    client.on('disconnect', () => {
      if (this.#client === client) this.#client = null
    })
    client.on('Page.javascriptDialogOpening', () => {
      client.Page.handleJavaScriptDialog({ accept: true }).catch(() => {})
    })
    await Promise.all([
      client.Page.enable(),
      client.Emulation.setFocusEmulationEnabled({ enabled: true }),
    ])
    // A background page renders nothing.
    await client.Page.bringToFront()
    this.#client = client
    this.#targetId = target
    return client
  }
}
