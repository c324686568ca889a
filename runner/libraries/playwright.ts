import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { BrowserActions, Target } from './action-surface.ts'
import { collapse } from './collapse.ts'
import { attach, packageParts } from './installed-package.ts'
import type { LibraryAdapter, Session } from './library-adapter.ts'

const PACKAGE = 'playwright-core'
const DRAG_STEPS = 10

/** Playwright by role and name, with its own auto-waiting. */
export const playwright: LibraryAdapter = {
  name: 'playwright',
  title: 'Playwright',
  ...packageParts(PACKAGE),
  adapterVersion: 1,
  targeting: 'role',
  connect: (session) => attach(new PlaywrightActions(session)),
}

/** A connection to the harness's browser, with the page to work on. */
export type PlaywrightConnection = { browser: Browser; context: BrowserContext; page: Page }

async function attachOverCdp({ endpoint }: Session): Promise<PlaywrightConnection> {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.connectOverCDP(endpoint, { noDefaults: true })
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('the browser has no context')
  return { browser, context, page: context.pages().at(-1) ?? (await context.newPage()) }
}

/** Acts on a page by Playwright; `connect` is how it gets the page. */
export class PlaywrightActions implements BrowserActions {
  readonly #session: Session
  readonly #connect: (session: Session) => Promise<PlaywrightConnection>
  #browser: Browser | null = null
  #context!: BrowserContext
  #page!: Page

  constructor(session: Session, connect = attachOverCdp) {
    this.#session = session
    this.#connect = connect
  }

  async attach(): Promise<void> {
    const { browser, context, page } = await this.#connect(this.#session)
    this.#browser = browser
    this.#context = context
    context.setDefaultTimeout(this.#session.actionTimeoutMs)
    context.on('dialog', (dialog) => void dialog.accept().catch(() => {}))
    this.#page = page
  }

  async open(url: string) {
    await this.#page.goto(url, { waitUntil: 'domcontentloaded' })
  }

  click(target: Target) {
    return this.#find(target).click()
  }

  fill(target: Target, text: string) {
    return this.#find(target).fill(text)
  }

  async select(target: Target, option: string) {
    await this.#find(target).selectOption({ label: option })
  }

  check(target: Target, isChecked: boolean) {
    return this.#find(target).setChecked(isChecked)
  }

  press(key: string, target?: Target) {
    return target ? this.#find(target).press(key) : this.#page.keyboard.press(key)
  }

  upload(target: Target, paths: readonly string[]) {
    return this.#find(target).setInputFiles([...paths])
  }

  drag(from: Target, to: Target) {
    return this.#find(from).dragTo(this.#find(to), { steps: DRAG_STEPS })
  }

  async waitText(text: string, where?: Target) {
    const words = wordsOf(text)
    const found = where
      ? this.#find(where).filter({ hasText: words })
      : this.#page.getByText(words).filter({ visible: true })
    await found.first().waitFor()
  }

  async readText(target: Target) {
    const found = this.#find(target)
    const isField = await found.evaluate((element) => element.matches('input, textarea, select'))
    // biome-ignore lint/performance/useDomNodeTextContent: only what can be seen counts
    return collapse(isField ? await found.inputValue() : await found.innerText())
  }

  sees(target: Target) {
    return this.#find(target).isVisible()
  }

  async url() {
    return this.#page.url()
  }

  async observe() {
    const snapshot = await this.#page.locator('body').ariaSnapshot()
    this.#session.countResult(snapshot)
    return snapshot
  }

  async newPage() {
    const old = this.#page
    this.#page = await this.#context.newPage()
    await old.close().catch(() => {})
  }

  async reconnect() {
    await this.dispose()
    await this.attach()
  }

  /** For an attached browser, closing only ends the connection. */
  async dispose() {
    const browser = this.#browser
    this.#browser = null
    await browser?.close()
  }

  #find({ css, role, name, frame }: Target): Locator {
    const place = frame === undefined ? this.#page : this.#page.frameLocator(frame)
    if (role === undefined) return place.locator(css)
    const named = name === undefined ? {} : { name, exact: true }
    return place.getByRole(role as Parameters<Page['getByRole']>[0], named)
  }
}

/** Matches the words in their order, with any white space between them. */
function wordsOf(text: string): RegExp {
  const words = collapse(text).split(' ')
  return new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'))
}
