// @module-tag chromium
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchTestChromium } from '#lib/testing/e2e/browser.ts'
import { readValue } from '#lib/testing/e2e/built-site.ts'

const site = inject('demoUrl')

/** One page of every kind without interactive parts. */
const DOCUMENTS = [
  ...[
    '/suites',
    '/suites/demo',
    '/agents/demo-agent-a',
    '/methodology',
    '/history',
    '/ledger',
    '/audit',
  ],
  ...['/reports', '/reports/task-completion?suite=demo', '/api-reference', '/episodes/'],
]

let browser: Browser
let episode = ''
beforeAll(async () => {
  browser = await launchTestChromium()
  const id = readValue(
    join(inject('demoDir'), 'proofboard.db'),
    `SELECT episodeId FROM Episode WHERE suiteId = 'demo' LIMIT 1`,
  )
  episode = `/episodes/${id}`
})
afterAll(() => browser.close())

/** Opens a page and expects no error and no warning. */
async function open(
  path: string,
  look: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext(options)
  const complaints: string[] = []
  try {
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
    await page.goto(`${site}${path}`, { waitUntil: 'load' })
    await look(page)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}

/** Keys work once the page is hydrated. */
const pressUntil = (page: Page, key: string, isDone: () => Promise<boolean>) =>
  expect.poll(async () => page.keyboard.press(key).then(isDone)).toBe(true)

const themeOf = (page: Page) => page.locator('html').getAttribute('data-theme')
const switchTheme = (page: Page) => page.getByRole('button', { name: /light and dark/ }).click()

describe('a page without interactive parts', () => {
  it.each(DOCUMENTS)(
    '%s is hydrated without a complaint, and complete without scripts',
    async (address) => {
      const path = address === '/episodes/' ? episode : address
      const html = await (await fetch(`${site}${path}`)).text()
      expect(html).toContain('__next_f')
      let text: string | null = ''
      const read = async (page: Page) => {
        // Charts are drawn by scripts; without them the values are shown.
        text = await page.locator('main').evaluate((main) => {
          const copy = main.cloneNode(true) as HTMLElement
          for (const figure of copy.querySelectorAll('figure, [data-drawn]')) figure.remove()
          return copy.textContent
        })
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      }
      await open(path, async (page) => {
        await page.waitForLoadState('networkidle')
        await read(page)
      })
      const before = text
      await open(path, read, { javaScriptEnabled: false })
      expect(text).toBe(before)
    },
  )
})

describe.each([
  ['on a document', '/suites/demo'],
  ['on the board', '/?suite=demo'],
])('what every page does, %s', (_, path) => {
  it('shows the theme before the first paint, switches it, and remembers it', async () => {
    const look = async (page: Page) => {
      expect(await themeOf(page)).toBe('dark')
      await page.emulateMedia({ colorScheme: 'light' })
      await expect.poll(() => themeOf(page)).toBe('light')
      await switchTheme(page)
      expect(await themeOf(page)).toBe('dark')
      await page.emulateMedia({ colorScheme: 'dark' })
      await switchTheme(page)
      expect(await themeOf(page)).toBe('light')
      // Measured as soon as there is something to paint.
      await page.addInitScript(() => {
        new MutationObserver((_changes, observer) => {
          if (!document.body) return
          observer.disconnect()
          Reflect.set(window, 'firstTheme', document.documentElement.dataset.theme)
        }).observe(document, { childList: true, subtree: true })
      })
      await page.goto(`${site}/methodology`, { waitUntil: 'commit' })
      await page.waitForFunction(() => Reflect.get(window, 'firstTheme') === 'light')
    }
    await open(path, look, { colorScheme: 'dark' })
  })

  it('lists the keyboard shortcuts', async () => {
    await open(path, async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await pressUntil(page, '?', () => dialog.isVisible())
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
      await dialog.getByRole('button', { name: 'Close' }).click()
      await dialog.waitFor({ state: 'hidden' })
    })
  })
})

it('an address that no page has gets a page without scripts, in the colours of the system', async () => {
  const context = await browser.newContext({ colorScheme: 'dark' })
  try {
    const page = await context.newPage()
    const response = await page.goto(`${site}/nowhere`)
    expect(response?.status()).toBe(404)
    expect(await page.locator('script').count()).toBe(0)
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toBe(
      paper,
    )
  } finally {
    await context.close()
  }
})

it('follows the system where that sets the colours, whatever theme was chosen', async () => {
  await open(
    '/suites/demo',
    async (page) => {
      await switchTheme(page)
      expect(await themeOf(page)).toBe('dark')
      await page.emulateMedia({ forcedColors: 'active' })
      await expect.poll(() => themeOf(page)).toBe('light')
      await page.goto(`${site}/agents/demo-agent-a`)
      expect(await themeOf(page)).toBe('light')
      const ink = () =>
        page
          .locator('figure svg text:visible')
          .first()
          .evaluate((text) => getComputedStyle(text).fill)
      expect(await ink()).toBe('rgb(90, 93, 100)')
      expect(await page.getByRole('button', { name: /light and dark/ }).count()).toBe(0)
    },
    { colorScheme: 'light' },
  )
})

it.each(['/?suite=demo', '/suites/demo', '/episodes/'])(
  'no frame of %s cuts the outline of what has the focus',
  async (address) => {
    const path = address === '/episodes/' ? episode : address
    await open(path, async (page) => {
      const stops = await page.locator('main a, main button, main summary, header a').count()
      for (let stop = 0; stop < Math.min(stops, 30); stop++) {
        await page.keyboard.press('Tab')
        expect(await page.evaluate(findCut)).toBe(null)
      }
    })
  },
)

/** Runs in the page: the text of the focused element if a container clips its outline; otherwise null. */
function findCut(): string | null {
  const focused = document.activeElement
  const frame = focused?.closest('.overflow-x-auto, .overflow-hidden')
  if (!focused || !frame || frame === focused) return null
  const { outlineOffset, outlineWidth } = getComputedStyle(focused)
  const room = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)
  const [inner, outer] = [focused, frame].map((element) => element.getBoundingClientRect())
  if (!inner || !outer || inner.right > outer.right || inner.left < outer.left) return null
  return inner.top - room < outer.top || inner.bottom + room > outer.bottom
    ? focused.textContent
    : null
}

it('is printed light, also from the dark theme, and without what only a screen can do', async () => {
  await open(
    '/ledger',
    async (page) => {
      const ground = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      expect(await ground()).toBe('rgb(18, 19, 21)')
      await page.emulateMedia({ media: 'print' })
      expect(await ground()).toBe('rgb(251, 251, 250)')
      expect(await page.getByRole('button', { name: /Copy/ }).count()).toBe(0)
    },
    { colorScheme: 'dark' },
  )
})

describe('keys and buttons of every page', () => {
  it('copies a text, says so for a moment, and names the site by its address', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    await open(
      '/ledger',
      async (page) => {
        const button = page.getByRole('button', { name: 'Copy hash' })
        await page.locator('summary', { hasText: 'Latest entry' }).click()
        await button.click()
        await page.getByRole('button', { name: 'Copied' }).waitFor()
        const copied = await page.evaluate(() => navigator.clipboard.readText())
        expect(copied).toMatch(/^sha256:[0-9a-f]{64}$/)
        await button.waitFor()
      },
      { permissions },
    )
  })

  it('says when the browser refuses to copy', async () => {
    await open('/ledger', async (page) => {
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
      })
      await page.getByRole('button', { name: 'Copy' }).first().click()
      await page.getByText('Copy failed. Copy it manually.').waitFor()
    })
  })

  it('moves through the rows of a table by arrow keys', async () => {
    await open('/ledger', async (page) => {
      const rowOfFocus = () =>
        page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row)
      const links = page.locator('[data-row] a[href]')
      await links.first().focus()
      const first = await rowOfFocus()
      await pressUntil(page, 'ArrowDown', async () => (await rowOfFocus()) !== first)
      await page.keyboard.press('ArrowUp')
      expect(await rowOfFocus()).toBe(first)
    })
  })

  it('saves a chart as an image', async () => {
    await open('/reports/task-completion?suite=demo', async (page) => {
      await page.locator('#chart').scrollIntoViewIfNeeded()
      await page.locator('#chart svg.recharts-surface').waitFor()
      const loading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'PNG' }).first().click()
      expect((await loading).suggestedFilename()).toMatch(/^demo-[\w-]+\.png$/)
    })
  })

  it('keeps the page where the script of a chart cannot be loaded', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 200 } })
    const address = `${site}/reports/task-completion?suite=demo`
    await page.goto(address, { waitUntil: 'networkidle' })
    await page.route('**/_next/static/**', (route) => route.abort())
    await page.locator('#chart').scrollIntoViewIfNeeded()
    await page.getByText('The chart could not be loaded.').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/task/i)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.locator('#chart svg.recharts-surface').waitFor()
    await page.close()
  })

  it('keeps the reader’s place where a link shows another part of the same page', async () => {
    await open(episode, async (page) => {
      await page.setViewportSize({ width: 800, height: 300 })
      const tab = page.getByRole('tab', { name: 'Environment' })
      await page.evaluate(() => window.scrollTo({ top: 150, behavior: 'instant' }))
      await tab.click()
      await page.waitForURL(/tab=environment/)
      await page.getByRole('tab', { name: 'Environment', selected: true }).waitFor()
      await page.waitForFunction(() => window.scrollY === 150)
      const focused = await page.evaluate(() => document.activeElement?.id)
      expect(focused).toBe('tab-environment')
      await page.reload()
      await page.getByRole('link', { name: 'Runs', exact: true }).first().click()
      await page.waitForFunction(() => window.scrollY === 0)
    })
  })
})
