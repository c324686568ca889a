// @module-tag chromium
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestOptions } from 'vitest'
import {
  isLibraryTried,
  startChromedriver,
  startChromium,
  type TestBrowser,
} from '#lib/testing/factories/chromium.ts'
import { type FixtureSite, serveFixtureSite } from '#lib/testing/factories/serve-fixture-site.ts'
import type { BrowserActions, Target } from './action-surface.ts'
import type { Session } from './library-adapter.ts'
import { LIBRARIES } from './registry.ts'

const TIMEOUT_MS = 5000

/** Known deviations of a library; the test reports when one changes. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'playwright-mcp': ['drags with the mouse, also what lies below the fold'],
  'chrome-devtools-mcp': [
    'drags with the mouse, also what lies below the fold',
    'clears a field, and the page hears of it',
    'does not take hidden words for visible ones',
  ],
  'agent-browser': [
    'fills in a date, and the page hears of it',
    'goes on in a new tab when an address never answers',
  ],
}

let site: FixtureSite
let browser: TestBrowser
const folder = mkdtempSync(join(tmpdir(), 'proofboard-surface-'))

beforeAll(async () => {
  site = await serveFixtureSite()
  browser = await startChromium()
})
afterAll(async () => {
  await browser.close()
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

const field = (id: string, name: string): Target => ({ css: `#${id}`, role: 'textbox', name })
const button = (id: string, name: string): Target => ({ css: `#${id}`, role: 'button', name })
const text = (id: string): Target => ({ css: `#${id}` })
const box = (id: string, name: string): Target => ({ css: `#${id}`, role: 'img', name })

// OpenChrome is a user's own command.
const TRIED = LIBRARIES.filter(
  ({ name, modelOnly }) => !modelOnly && name !== 'openchrome' && isLibraryTried(name),
)

for (const library of TRIED)
  describe(library.name, library.webdriver ? { tags: 'chromedriver' } : {}, () => {
    const known = KNOWN[library.name] ?? []
    const check = (name: string, test: () => Promise<void>, options: TestOptions = {}) =>
      known.includes(name) ? it.fails(name, options, test) : it(name, options, test)
    const checkAtNight = (name: string, test: () => Promise<void>) =>
      check(name, test, { tags: 'night' })
    let driver: Awaited<ReturnType<typeof startChromedriver>> | null = null
    let page: BrowserActions
    const counted: string[] = []

    const connect = (changes: Partial<Session> = {}) =>
      library.connect({
        endpoint: browser.endpoint,
        webdriverPort: driver?.port ?? null,
        actionTimeoutMs: TIMEOUT_MS,
        folder,
        signal: new AbortController().signal,
        log: () => {},
        countResult: (result) => counted.push(result),
        ...changes,
      })

    beforeAll(async () => {
      if (library.webdriver) driver = await startChromedriver()
      page = await connect()
    })
    beforeEach(() => page.open(`${site.origin}/`))
    afterAll(async () => {
      await page?.dispose()
      await driver?.close()
    })

    check('opens, and reports the address', async () => {
      expect(await page.url()).toBe(`${site.origin}/`)
      await page.open(`${site.origin}/second`)
      expect(await page.url()).toBe(`${site.origin}/second`)
      expect(await page.readText(text('title'))).toBe('Second page')
    })

    check('clicks, also what is enabled late and what leads elsewhere', async () => {
      await page.click(button('add', 'Add'))
      await page.click(button('add', 'Add'))
      expect(await page.readText(text('count'))).toBe('2')
      await page.click(button('later', 'Wait for me'))
      expect(await page.readText(text('waited'))).toBe('worth it')
      await page.click({ css: '#second', role: 'link', name: 'Second page' })
      await page.waitText('Second page', { css: 'h1' })
      expect(await page.url()).toBe(`${site.origin}/second`)
    })

    check('replaces the value of every kind of field', async () => {
      await page.fill(field('name', 'Name'), 'Ada “<b>” Löv')
      expect(await page.readText(text('mirror'))).toBe('Ada “<b>” Löv')
      await page.fill(field('notes', 'Notes'), 'new words')
      expect(await page.readText(field('notes', 'Notes'))).toBe('new words')
      await page.fill({ css: '#amount', role: 'spinbutton', name: 'Amount' }, '12')
      expect(await page.readText(text('amount'))).toBe('12')
    })

    check('fills in a date, and the page hears of it', async () => {
      await page.fill(field('day', 'Day'), '2026-03-09')
      expect(await page.readText(text('day-said'))).toBe('2026-03-09')
    })

    check('clears a field, and the page hears of it', async () => {
      await page.fill(field('name', 'Name'), 'words')
      await page.fill(field('name', 'Name'), '')
      expect(await page.readText(field('name', 'Name'))).toBe('')
      expect(await page.readText(text('mirror'))).toBe('')
    })

    check('chooses an option by its words', async () => {
      await page.select({ css: '#size', role: 'combobox', name: 'Size' }, 'Large one')
      expect(await page.readText(text('chosen'))).toBe('l')
    })

    check('ticks, unticks and leaves alone what is as it should be', async () => {
      const gift = { css: '#gift', role: 'checkbox', name: 'Gift' }
      await page.check(gift, true)
      await page.check(gift, true)
      expect(await page.readText(text('gifted'))).toBe('a gift')
      await page.check(gift, false)
      expect(await page.readText(text('gifted'))).toBe('no gift')
      await page.check({ css: '#express', role: 'radio', name: 'Express' }, true)
      expect(await page.readText(text('way'))).toBe('by express')
    })

    check('presses keys by their DOM names, in a field and wherever the focus is', async () => {
      await page.press('ArrowDown', field('keys', 'Keys'))
      await page.press('Enter', field('keys', 'Keys'))
      for (const key of ['Escape', 'a', 'Backspace', 'Tab']) await page.press(key)
      expect(await page.readText(text('pressed'))).toBe('ArrowDown Enter Escape a Backspace Tab')
    })

    check('gives files', async () => {
      const paths = ['one.txt', 'two.txt'].map((name) => join(folder, name))
      for (const path of paths) writeFileSync(path, 'four')
      await page.upload({ css: '#paper', role: 'button', name: 'Paper' }, paths)
      expect(await page.readText(text('papers'))).toBe('one.txt:4 two.txt:4')
    })

    check('drags with the mouse, also what lies below the fold', async () => {
      await page.drag(box('card', 'Card'), box('slot', 'Slot'))
      expect(await page.readText(text('dropped'))).toBe('in the slot')
    })

    checkAtNight('drags what the browser itself drags', async () => {
      await page.drag(box('token', 'Token'), box('bin', 'Bin'))
      await page.waitText('token', text('binned'))
    })

    check('waits for words, on the page and in one place', async () => {
      await page.waitText('Late words')
      await page.waitText('words', text('late'))
      expect(await page.readText(text('late'))).toBe('Late words')
      expect(await page.readText(text('title'))).toBe('Everything here')
    })

    check('sees what can be seen, and looks once', async () => {
      expect(await page.sees(button('add', 'Add'))).toBe(true)
      expect(await page.sees(text('hidden'))).toBe(false)
      expect(await page.sees(text('nowhere'))).toBe(false)
      expect(await page.sees({ css: '#nowhere', frame: '#no-frame' })).toBe(false)
    })

    checkAtNight('works inside a frame, and outside again', async () => {
      const frame = '#frame'
      await page.fill({ ...field('inside', 'Inside'), frame }, 'deep')
      await page.click({ ...button('save-inside', 'Save inside'), frame })
      await page.waitText('Saved deep', { css: '#inner-said', frame })
      expect(await page.readText({ css: '#inner-said', frame })).toBe('Saved deep')
      await page.click(button('add', 'Add'))
      expect(await page.readText(text('count'))).toBe('1')
    })

    checkAtNight('accepts dialogs', async () => {
      await page.click(button('warn', 'Warn'))
      await page.waitText('warned', text('warned'))
      await page.click(button('ask', 'Ask'))
      await page.waitText('yes', text('asked'))
      await page.open(`${site.origin}/unload`)
      await page.fill(field('draft', 'Draft'), 'unsaved')
      await page.open(`${site.origin}/second`)
      expect(await page.url()).toBe(`${site.origin}/second`)
    })

    check('shows the page to its driver', async () => {
      const before = counted.length
      expect(await page.observe()).toContain('Wait for me')
      expect(counted.length).toBe(before + 1)
    })

    checkAtNight('goes on in a new tab and by a new connection', async () => {
      await page.newPage()
      await page.open(`${site.origin}/second`)
      expect(await page.readText(text('title'))).toBe('Second page')
      await page.reconnect()
      expect(await page.url()).toBe(`${site.origin}/second`)
      expect(await openPages()).toEqual([`${site.origin}/second`])
    })

    check(
      'makes errors of what is not there, covered, hidden or never answered, within bounds',
      async () => {
        // It finds the open page: opening one may take longer than its limit.
        const hasty = await connect({ actionTimeoutMs: 600 })
        const nowhere = button('nowhere', 'Nowhere')
        await expect(hasty.click(nowhere)).rejects.toThrow()
        await expect(hasty.fill(field('nowhere', 'Nowhere'), 'x')).rejects.toThrow()
        await expect(hasty.click(text('hidden'))).rejects.toThrow()
        await expect(hasty.readText(text('nowhere'))).rejects.toThrow()
        await hasty.dispose()
      },
    )

    checkAtNight('does not take hidden words for visible ones', async () => {
      const hasty = await connect({ actionTimeoutMs: 600 })
      await expect(hasty.waitText('Hidden words').finally(() => hasty.dispose())).rejects.toThrow()
    })

    checkAtNight('refuses an option that is not there', async () => {
      const hasty = await connect({ actionTimeoutMs: 600 })
      const size = { css: '#size', role: 'combobox', name: 'Size' }
      await expect(hasty.select(size, 'No such').finally(() => hasty.dispose())).rejects.toThrow()
    })

    check('leaves the browser when it lets go, and ends what it started', async () => {
      await page.dispose()
      expect(await openPages()).toHaveLength(1)
      page = await connect()
      expect(await page.url()).toMatch(/^http/)
    })

    checkAtNight('goes on in a new tab when an address never answers', async () => {
      try {
        await expect(page.open(`${site.origin}/hung`)).rejects.toThrow()
        await page.newPage()
        await page.open(`${site.origin}/second`)
      } finally {
        await page.dispose()
        await startAfresh()
        page = await connect()
      }
    })
  })

async function openPages(): Promise<string[]> {
  const response = await fetch(`${browser.endpoint}/json/list`)
  const targets = (await response.json()) as { type: string; url: string }[]
  return targets.filter(({ type }) => type === 'page').map(({ url }) => url)
}

/** Opens one empty page instead of the pages that a test left. */
async function startAfresh(): Promise<void> {
  const response = await fetch(`${browser.endpoint}/json/list`)
  const old = (await response.json()) as { id: string; type: string }[]
  await fetch(`${browser.endpoint}/json/new?about:blank`, { method: 'PUT' })
  for (const { id, type } of old)
    if (type === 'page') await fetch(`${browser.endpoint}/json/close/${id}`)
  // A closing tab is still listed for a moment.
  await expect.poll(openPages, { timeout: 60_000 }).toEqual(['about:blank'])
}
