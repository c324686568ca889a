import type { WebDriver, WebElement } from 'selenium-webdriver'
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

const PACKAGE = 'selenium-webdriver'
const STEP_MS = 10

type Selenium = typeof import('selenium-webdriver') &
  typeof import('selenium-webdriver/lib/select.js')

/** Selenium by CSS, with explicit waits and a chromedriver that the harness started. */
export const selenium: LibraryAdapter = {
  name: 'selenium',
  title: 'Selenium',
  ...packageParts(PACKAGE),
  adapterVersion: 2,
  targeting: 'css',
  webdriver: true,
  connect: async (session) => {
    const { default: library } = await import('selenium-webdriver')
    return attach(new SeleniumActions(library as Selenium, session)) // Select is missing from its types
  },
}

class SeleniumActions implements BrowserActions {
  readonly #library: Selenium
  readonly #session: Session
  #driver!: WebDriver

  constructor(library: Selenium, session: Session) {
    this.#library = library
    this.#session = session
  }

  async attach(): Promise<void> {
    const { server, capabilities } = webdriverCapabilities(this.#session)
    const { Builder, Capabilities } = this.#library
    this.#driver = await new Builder()
      .usingServer(`http://${server.hostname}:${server.port}`)
      .withCapabilities(new Capabilities(capabilities))
      .build()
    const windows = await this.#driver.getAllWindowHandles()
    await this.#driver.switchTo().window(windows.at(-1) ?? '')
  }

  async open(url: string) {
    await this.#driver.get(url)
  }

  async click(target: Target) {
    await (await this.#ready(target)).click()
  }

  async fill(target: Target, text: string) {
    const field = await this.#ready(target)
    if (!takesKeys(await field.getTagName(), await field.getAttribute('type')))
      return this.#driver.executeScript<void>(SET_VALUE, field, text)
    if (text === '') return field.sendKeys(EMPTYING_KEYS)
    await field.clear()
    await field.sendKeys(text)
  }

  async select(target: Target, option: string) {
    const list = new this.#library.Select(await this.#ready(target))
    await list.selectByVisibleText(option)
  }

  async check(target: Target, isChecked: boolean) {
    const box = await this.#ready(target)
    if ((await box.isSelected()) !== isChecked) await box.click()
  }

  async press(key: string, target?: Target) {
    const code = webdriverKey(key)
    if (target) await (await this.#ready(target)).sendKeys(code)
    else await this.#driver.actions().sendKeys(code).perform()
  }

  async upload(target: Target, paths: readonly string[]) {
    await (await this.#located(target)).sendKeys(paths.join('\n'))
  }

  async drag(from: Target, to: Target) {
    const ends = [await this.#ready(from), await this.#ready(to)]
    const drag = parseDragPath(await this.#driver.executeScript(DRAG_ENDS, ...ends))
    const { VIEWPORT } = this.#library.Origin
    const path = this.#driver
      .actions()
      .move({ origin: VIEWPORT, ...drag.from })
      .press()
    for (const point of drag.path) path.move({ origin: VIEWPORT, ...point, duration: STEP_MS })
    await path.release().perform()
  }

  async waitText(text: string, where: Target = { css: 'body' }) {
    const words = collapse(text)
    await this.#wait(where, `“${words}”`, async (element) =>
      collapse(await element.getText()).includes(words),
    )
  }

  async readText(target: Target) {
    const element = await this.#located(target)
    const tag = await element.getTagName()
    const isField = ['input', 'textarea', 'select'].includes(tag)
    return collapse(
      isField ? ((await element.getAttribute('value')) ?? '') : await element.getText(),
    )
  }

  async sees(target: Target) {
    if (!(await this.#enter(target))) return false
    const [element] = await this.#driver.findElements(this.#library.By.css(target.css))
    return (await element?.isDisplayed()) ?? false
  }

  url() {
    return this.#driver.getCurrentUrl()
  }

  async observe() {
    await this.#driver.switchTo().defaultContent()
    const text = await this.#driver.findElement(this.#library.By.css('body')).getText()
    this.#session.countResult(text)
    return text
  }

  async newPage() {
    const old = await this.#driver.getWindowHandle().catch(() => null)
    await this.#driver.switchTo().newWindow('tab')
    const fresh = await this.#driver.getWindowHandle()
    if (old === null) return
    try {
      await this.#driver.switchTo().window(old)
      await this.#driver.close()
    } catch {
      // a broken tab cannot be closed
    }
    await this.#driver.switchTo().window(fresh)
  }

  reconnect() {
    return reconnectSession(this)
  }

  /** For a browser that chromedriver only attached to, quitting ends the session and leaves the browser. */
  async dispose() {
    await this.#driver.quit().catch(() => {})
  }

  /** Switches to the target's frame, or out of any; returns false if there is no such frame now. */
  async #enter({ frame }: Target): Promise<boolean> {
    await this.#driver.switchTo().defaultContent()
    if (frame === undefined) return true
    const [holder] = await this.#driver.findElements(this.#library.By.css(frame))
    if (holder) await this.#driver.switchTo().frame(holder)
    return holder !== undefined
  }

  #located(target: Target) {
    return this.#wait(target, 'to be there', async () => true)
  }

  #ready(target: Target) {
    return this.#wait(
      target,
      'to be visible and enabled',
      async (element) => (await element.isDisplayed()) && (await element.isEnabled()),
    )
  }

  async #wait(
    target: Target,
    what: string,
    isSo: (element: WebElement) => Promise<boolean>,
  ): Promise<WebElement> {
    const { By, Condition, error } = this.#library
    const look = async () => {
      try {
        if (!(await this.#enter(target))) return null
        const [element] = await this.#driver.findElements(By.css(target.css))
        return element && (await isSo(element)) ? element : null
      } catch (failure) {
        if (failure instanceof error.StaleElementReferenceError) return null
        throw failure
      }
    }
    const condition = new Condition(`for ${target.css} ${what}`, look)
    return (await this.#driver.wait(condition, this.#session.actionTimeoutMs)) as WebElement
  }
}
