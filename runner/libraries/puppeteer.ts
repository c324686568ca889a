import type { Browser, ElementHandle, Frame, KeyInput, Page } from 'puppeteer-core'
import type { BrowserActions, Target } from './action-surface.ts'
import { collapse } from './collapse.ts'
import { attach, packageParts } from './installed-package.ts'
import type { LibraryAdapter, Session } from './library-adapter.ts'

const PACKAGE = 'puppeteer-core'
const DRAG_STEPS = 10

/** Puppeteer by CSS, with its locators. */
export const puppeteer: LibraryAdapter = {
  name: 'puppeteer',
  title: 'Puppeteer',
  ...packageParts(PACKAGE),
  adapterVersion: 2,
  targeting: 'css',
  connect: (session) => attach(new PuppeteerActions(session)),
}

class PuppeteerActions implements BrowserActions {
  readonly #session: Session
  #browser: Browser | null = null
  #page!: Page

  constructor(session: Session) {
    this.#session = session
  }

  async attach(): Promise<void> {
    const { connect } = await import('puppeteer-core')
    const { endpoint, actionTimeoutMs } = this.#session
    this.#browser = await connect({
      browserURL: endpoint,
      defaultViewport: null,
      protocolTimeout: actionTimeoutMs + 1000, // a locator's own limit expires first
    })
    this.#use((await this.#browser.pages()).at(-1) ?? (await this.#browser.newPage()))
  }

  async open(url: string) {
    await this.#page.goto(url, { waitUntil: 'domcontentloaded' })
  }

  async click(target: Target) {
    await (await this.#locate(target)).click()
  }

  async fill(target: Target, text: string) {
    const locator = await this.#locate(target)
    if (text !== '') return locator.fill(text)
    // A locator that fills with an empty text sends no input event to the page.
    const field = await locator.waitHandle()
    await field.evaluate((element) => (element as HTMLInputElement).select())
    await field.press('Backspace')
  }

  async select(target: Target, option: string) {
    const frame = await this.#frameOf(target)
    const value = await frame.waitForFunction(
      (css, words) => {
        const list = document.querySelector(css)
        if (!(list instanceof HTMLSelectElement) || list.disabled) return null
        const found = [...list.options].find(({ label, disabled }) => label === words && !disabled)
        return found ? { value: found.value } : null
      },
      {},
      target.css,
      option,
    )
    const chosen = await value.jsonValue()
    await frame.select(target.css, chosen?.value ?? '')
  }

  async check(target: Target, isChecked: boolean) {
    const locator = await this.#locate(target)
    const isNow = await locator.map((element) => (element as HTMLInputElement).checked).wait()
    if (isNow !== isChecked) await locator.click()
  }

  async press(key: string, target?: Target) {
    if (target === undefined) return this.#page.keyboard.press(key as KeyInput)
    const element = await (await this.#locate(target)).waitHandle()
    await element.press(key as KeyInput)
  }

  async upload(target: Target, paths: readonly string[]) {
    const field = await (await this.#frameOf(target)).waitForSelector(target.css)
    await (field as ElementHandle<HTMLInputElement>).uploadFile(...paths)
  }

  async drag(from: Target, to: Target) {
    const { mouse } = this.#page
    const start = await this.#middleOf(from)
    await mouse.move(start.x, start.y)
    await mouse.down()
    const end = await this.#middleOf(to)
    await mouse.move(end.x, end.y, { steps: DRAG_STEPS })
    await mouse.up()
  }

  async waitText(text: string, where?: Target) {
    const frame = where ? await this.#frameOf(where) : this.#page.mainFrame()
    await frame.waitForFunction(
      (css, words) => {
        const element = document.querySelector<HTMLElement>(css)
        if (!element?.checkVisibility({ visibilityProperty: true })) return false
        // biome-ignore lint/performance/useDomNodeTextContent: only what can be seen counts
        const seen = element.innerText ?? element.textContent ?? '' // SVG has no innerText
        return seen.replace(/\s+/g, ' ').includes(words)
      },
      {},
      where?.css ?? 'body',
      collapse(text),
    )
  }

  async readText(target: Target) {
    const text = (await this.#locate(target, null)).map((element) => {
      if ('value' in element) return String(element.value)
      // biome-ignore lint/performance/useDomNodeTextContent: only what can be seen counts
      return (element as HTMLElement).innerText ?? element.textContent ?? '' // SVG has no innerText
    })
    return collapse(await text.wait())
  }

  async sees({ css, frame }: Target) {
    const holder = frame === undefined ? null : await this.#page.$(frame)
    const place = frame === undefined ? this.#page : await holder?.contentFrame()
    const element = await place?.$(css)
    return (await element?.isVisible()) ?? false
  }

  async url() {
    return this.#page.url()
  }

  async observe() {
    const snapshot = JSON.stringify(await this.#page.accessibility.snapshot())
    this.#session.countResult(snapshot)
    return snapshot
  }

  async newPage() {
    const old = this.#page
    if (this.#browser === null) throw new Error('not connected')
    this.#use(await this.#browser.newPage())
    void old.close().catch(() => {})
  }

  async reconnect() {
    await this.dispose()
    await this.attach()
  }

  async dispose() {
    const browser = this.#browser
    this.#browser = null
    await browser?.disconnect()
  }

  #use(page: Page): void {
    page.setDefaultTimeout(this.#session.actionTimeoutMs)
    page.on('dialog', (dialog) => void dialog.accept().catch(() => {}))
    this.#page = page
  }

  async #frameOf({ frame }: Target): Promise<Frame> {
    if (frame === undefined) return this.#page.mainFrame()
    const inside = await (await this.#page.waitForSelector(frame))?.contentFrame()
    if (!inside) throw new Error(`${frame} contains no frame`)
    return inside
  }

  async #locate(target: Target, visibility: 'visible' | null = 'visible') {
    return (await this.#frameOf(target)).locator(target.css).setVisibility(visibility)
  }

  async #middleOf(target: Target): Promise<{ x: number; y: number }> {
    const element = await (await this.#locate(target)).waitHandle()
    await element.scrollIntoView()
    const box = await element.boundingBox()
    if (box === null) throw new Error(`${target.css} has no place on the page`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
}
