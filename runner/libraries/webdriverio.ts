import type { BrowserActions, Target } from './action-surface.ts'
import { collapse } from './collapse.ts'
import { attach, packageParts } from './installed-package.ts'
import type { LibraryAdapter, Session } from './library-adapter.ts'
import {
  DRAG_ENDS,
  EMPTYING_KEYS,
  parseDragPath,
  reconnectSession,
  SET_VALUE,
  takesKeys,
  webdriverCapabilities,
  webdriverKey,
} from './webdriver.ts'

const PACKAGE = 'webdriverio'
const STEP_MS = 10

/** WebdriverIO by CSS, with its own waiting, over classic WebDriver and a chromedriver that the harness started. */
export const webdriverio: LibraryAdapter = {
  name: 'webdriverio',
  title: 'WebdriverIO',
  ...packageParts(PACKAGE),
  adapterVersion: 2,
  targeting: 'css',
  webdriver: true,
  connect: (session) => attach(new WebdriverioActions(session)),
}

class WebdriverioActions implements BrowserActions {
  readonly #session: Session
  #browser!: WebdriverIO.Browser

  constructor(session: Session) {
    this.#session = session
  }

  async attach(): Promise<void> {
    const { remote } = await import('webdriverio')
    const { server, capabilities } = webdriverCapabilities(this.#session)
    this.#browser = await remote({
      ...server,
      logLevel: 'error',
      connectionRetryCount: 0,
      connectionRetryTimeout: this.#session.actionTimeoutMs + 1000, // chromedriver's own limit expires first
      waitforTimeout: this.#session.actionTimeoutMs,
      // By default, WebdriverIO opens a tab with a mapper for WebDriver BiDi, in a browser that it does not own.
      capabilities: { ...capabilities, 'wdio:enforceWebDriverClassic': true },
    })
    const windows = await this.#browser.getWindowHandles()
    await this.#browser.switchToWindow(windows.at(-1) ?? '')
  }

  async open(url: string) {
    await this.#browser.url(url)
  }

  async click(target: Target) {
    const element = await this.#find(target)
    await element.waitForEnabled()
    await element.click()
  }

  async fill(target: Target, text: string) {
    const field = await this.#find(target)
    await field.waitForEnabled()
    if (!takesKeys(await field.getTagName(), await field.getAttribute('type')))
      await this.#browser.execute(SET_VALUE, await field.getElement(), text)
    else if (text === '') await field.addValue(EMPTYING_KEYS)
    else await field.setValue(text)
  }

  async select(target: Target, option: string) {
    await (await this.#find(target)).selectByVisibleText(option)
  }

  async check(target: Target, isChecked: boolean) {
    const box = await this.#find(target)
    if ((await box.isSelected()) !== isChecked) await box.click()
  }

  async press(key: string, target?: Target) {
    const code = webdriverKey(key)
    if (target) await (await this.#find(target)).addValue(code)
    else await this.#browser.keys(code)
  }

  async upload(target: Target, paths: readonly string[]) {
    await (await this.#find(target)).addValue(paths.join('\n'))
  }

  async drag(from: Target, to: Target) {
    const [start, end] = [await this.#find(from), await this.#find(to)]
    await start.waitForDisplayed()
    await end.waitForDisplayed()
    const drag = parseDragPath(await this.#browser.execute(DRAG_ENDS, start, end))
    const path = this.#browser
      .action('pointer')
      .move({ origin: 'viewport', ...drag.from })
      .down()
    for (const point of drag.path) path.move({ origin: 'viewport', ...point, duration: STEP_MS })
    await path.up().perform()
  }

  async waitText(text: string, where: Target = { css: 'body' }) {
    const words = collapse(text)
    const element = await this.#find(where)
    await this.#browser.waitUntil(async () => collapse(await element.getText()).includes(words), {
      timeoutMsg: `“${words}” was not seen in ${where.css}`,
    })
  }

  async readText(target: Target) {
    const element = await this.#find(target)
    const isField = ['input', 'textarea', 'select'].includes(await element.getTagName())
    return collapse(await (isField ? element.getValue() : element.getText()))
  }

  async sees({ css, frame }: Target) {
    await this.#browser.switchFrame(null)
    if (frame !== undefined) {
      const holder = this.#browser.$(frame)
      if (!(await holder.isExisting())) return false
      await this.#browser.switchFrame(holder)
    }
    return this.#browser.$(css).isDisplayed()
  }

  url() {
    return this.#browser.getUrl()
  }

  async observe() {
    await this.#browser.switchFrame(null)
    const text = await this.#browser.$('body').getText()
    this.#session.countResult(text)
    return text
  }

  async newPage() {
    const old = await this.#browser.getWindowHandle().catch(() => null)
    const { handle } = await this.#browser.createWindow('tab')
    if (old !== null) {
      // A broken tab cannot be closed.
      await this.#browser.closeWindow().catch(() => {})
    }
    await this.#browser.switchToWindow(handle)
  }

  reconnect() {
    return reconnectSession(this)
  }

  /** For a browser that chromedriver only attached to, this ends the session and leaves the browser. */
  async dispose() {
    await this.#browser.deleteSession().catch(() => {})
  }

  async #find({ css, frame }: Target) {
    await this.#browser.switchFrame(null)
    if (frame !== undefined) await this.#browser.switchFrame(this.#browser.$(frame))
    return this.#browser.$(css)
  }
}
