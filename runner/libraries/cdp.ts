import type { Client } from 'chrome-remote-interface'
import type { BrowserActions, Target } from './action-surface.ts'
import { type ElementQuery, type ElementState, queryExpression } from './cdp/query-page.ts'
import { cdpKey } from './cdp-keys.ts'
import { collapse } from './collapse.ts'
import { withinTime } from './host/within-time.ts'
import { attach, packageParts } from './installed-package.ts'
import type { LibraryAdapter, Session } from './library-adapter.ts'

const PACKAGE = 'chrome-remote-interface'
const DRAG_STEPS = 10

/** The DevTools protocol without a library, by CSS: the baseline for comparisons. */
export const cdp: LibraryAdapter = {
  name: 'cdp',
  title: 'DevTools protocol',
  ...packageParts(PACKAGE),
  adapterVersion: 2,
  targeting: 'css',
  connect: async (session) => {
    const { default: library } = await import('chrome-remote-interface')
    return attach(new CdpActions(library, session))
  },
}

/** The condition was checked and was false. */
class NotSoError extends Error {}

class CdpActions implements BrowserActions {
  readonly #library: typeof import('chrome-remote-interface')
  readonly #session: Session
  #client!: Client
  #targetId = ''
  #documentIsThere = () => {}

  constructor(library: typeof import('chrome-remote-interface'), session: Session) {
    this.#library = library
    this.#session = session
  }

  async attach(): Promise<void> {
    const targets = await this.#library.List(this.#place)
    const found = targets.findLast(({ type }) => type === 'page')
    await this.#use(found?.id ?? (await this.#library.New(this.#place)).id)
  }

  async open(url: string) {
    const { Page } = this.#client
    const ready = new Promise<void>((resolve) => {
      this.#documentIsThere = resolve
    })
    const arrive = async () => {
      const { errorText } = await Page.navigate({ url })
      if (errorText) throw new Error(`${url}: ${errorText}`)
      await ready
    }
    await withinTime(arrive(), this.#session.actionTimeoutMs, `opening ${url}`)
  }

  async click(target: Target) {
    const { x, y } = await this.#look(target, 'ready')
    await this.#mouse('mouseMoved', x, y)
    await this.#mouse('mousePressed', x, y)
    await this.#mouse('mouseReleased', x, y)
  }

  async fill(target: Target, text: string) {
    const { isTyped } = await this.#look(target, 'select', text)
    if (!isTyped) return
    if (text === '') await this.press('Backspace')
    else await this.#client.Input.insertText({ text })
  }

  async select(target: Target, option: string) {
    await this.#look(target, 'choose', option)
  }

  async check(target: Target, isChecked: boolean) {
    const { checked } = await this.#look(target, 'ready')
    if (checked !== isChecked) await this.click(target)
  }

  async press(key: string, target?: Target) {
    if (target) await this.#look(target, 'focus')
    const { text, ...named } = cdpKey(key)
    const down =
      text === undefined ? { type: 'rawKeyDown' as const } : { type: 'keyDown' as const, text }
    await this.#client.Input.dispatchKeyEvent({ ...named, ...down })
    await this.#client.Input.dispatchKeyEvent({ ...named, type: 'keyUp' })
  }

  async upload(target: Target, paths: readonly string[]) {
    await this.#look(target, 'there')
    const { Runtime, DOM } = this.#client
    const place = target.frame
      ? `document.querySelector(${JSON.stringify(target.frame)}).contentDocument`
      : 'document'
    const { result } = await Runtime.evaluate({
      expression: `${place}.querySelector(${JSON.stringify(target.css)})`,
    })
    if (result.objectId === undefined) throw new Error(`${target.css} is gone`)
    await DOM.setFileInputFiles({ files: [...paths], objectId: result.objectId })
  }

  async drag(from: Target, to: Target) {
    const start = await this.#look(from, 'ready')
    await this.#mouse('mouseMoved', start.x, start.y)
    await this.#mouse('mousePressed', start.x, start.y)
    const end = await this.#look(to, 'visible')
    for (let step = 1; step <= DRAG_STEPS; step++) {
      const part = step / DRAG_STEPS
      const x = start.x + (end.x - start.x) * part
      await this.#mouse('mouseMoved', x, start.y + (end.y - start.y) * part, 1)
    }
    await this.#mouse('mouseReleased', end.x, end.y)
  }

  async waitText(text: string, where: Target = { css: 'body' }) {
    await this.#look(where, 'text', collapse(text))
  }

  async readText(target: Target) {
    return collapse((await this.#look(target, 'there')).text)
  }

  async sees(target: Target) {
    try {
      await this.#look(target, 'visible', '', 0)
      return true
    } catch (error) {
      if (error instanceof NotSoError) return false
      throw error
    }
  }

  async url() {
    return (await this.#client.Target.getTargetInfo({ targetId: this.#targetId })).targetInfo.url
  }

  async observe() {
    const { text } = await this.#look({ css: 'body' }, 'there')
    this.#session.countResult(text)
    return text
  }

  async newPage() {
    const old = this.#targetId
    const client = this.#client
    await this.#use((await this.#library.New(this.#place)).id)
    await client.close().catch(() => {})
    await this.#library.Close({ ...this.#place, id: old }).catch(() => {})
  }

  async reconnect() {
    await this.dispose()
    await this.attach()
  }

  async dispose() {
    await this.#client.close().catch(() => {})
  }

  get #place(): { host: string; port: number } {
    const { hostname, port } = new URL(this.#session.endpoint)
    return { host: hostname, port: Number(port) }
  }

  async #use(targetId: string): Promise<void> {
    this.#client = await this.#library({ ...this.#place, target: targetId, local: true })
    this.#targetId = targetId
    const { Page, Runtime, DOM } = this.#client
    Page.javascriptDialogOpening(() => {
      Page.handleJavaScriptDialog({ accept: true }).catch(() => {})
    })
    Page.domContentEventFired(() => this.#documentIsThere())
    await Promise.all([Page.enable(), Runtime.enable(), DOM.enable({})])
    await Page.bringToFront()
  }

  #mouse(
    type: 'mouseMoved' | 'mousePressed' | 'mouseReleased',
    x: number,
    y: number,
    buttons?: number,
  ): Promise<void> {
    const button = type === 'mouseMoved' && buttons === undefined ? 'none' : 'left'
    const clickCount = type === 'mouseMoved' ? 0 : 1
    return this.#client.Input.dispatchMouseEvent({
      type,
      x,
      y,
      button,
      clickCount,
      ...(buttons && { buttons }),
    })
  }

  /** Polls in the page until the condition is met; starts again if the document changes meanwhile. */
  async #look(
    { css, frame }: Target,
    want: ElementQuery['want'],
    words = '',
    limitMs = this.#session.actionTimeoutMs,
  ): Promise<ElementState> {
    const until = Date.now() + limitMs
    for (;;) {
      const look = { css, frame: frame ?? null, want, words, limitMs: until - Date.now() }
      const seen = await this.#evaluate(queryExpression(look)).catch((error: Error) => {
        const isBetween = /context|navigated/i.test(error.message)
        if (isBetween && Date.now() < until) return null
        throw error
      })
      if (typeof seen === 'string') throw new NotSoError(`${css}: ${seen}`)
      if (seen !== null) return seen
    }
  }

  async #evaluate(expression: string): Promise<ElementState | string> {
    const { Runtime } = this.#client
    const { result, exceptionDetails } = await Runtime.evaluate({
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails === undefined) return result.value
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  }
}
