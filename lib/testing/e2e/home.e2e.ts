// @module-tag chromium
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connectToChromium, onPage } from '#lib/testing/e2e/looks.ts'

const site = inject('demoUrl')
let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
})
afterAll(() => browser.close())

describe('the home page of scripted libraries', () => {
  const url = `${site}/?suite=demo-browser`

  it('shows time against success, since scripts have no cost', () =>
    onPage(browser, url, async (page) => {
      const panel = page.getByRole('region', { name: 'Time and success' })
      const chart = panel.locator('[data-chart]')
      expect(await chart.getAttribute('aria-label')).toMatch(/^median seconds of solved episodes/)
      expect(await page.getByRole('region', { name: 'Cost and success' }).count()).toBe(0)
    }))

  it('tells entries of one library apart', () =>
    onPage(browser, url, async (page) => {
      const best = page.getByRole('region', { name: /^Success rate/ }).getByRole('listitem')
      const names = await best.getByRole('link').allTextContents()
      expect(names.filter((name) => name.startsWith('demo-browser-a'))).toHaveLength(2)
      expect(new Set(names).size).toBe(names.length)
    }))

  it('puts the next steps below the table once an entry is ranked', () =>
    onPage(browser, url, async (page) => {
      const table = await page.getByRole('table').first().boundingBox()
      const next = await page.getByRole('region', { name: 'Next: measure an agent' }).boundingBox()
      expect(next?.y).toBeGreaterThan(Number(table?.y) + Number(table?.height))
    }))
})

describe.each([
  ['wide', 1440],
  ['phone', 360],
] as const)('the home page, %s', (_, width) => {
  it.each(['demo', 'demo-browser'])('cuts no word of an entry of %s', (suite) =>
    onPage(
      browser,
      `${site}/?suite=${suite}`,
      async (page) => {
        const cut = await page
          .locator('tr[data-row] span, main section li span')
          .evaluateAll((all) =>
            all
              .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1)
              .filter((one) => getComputedStyle(one).overflow === 'hidden')
              .map((one) => one.textContent),
          )
        expect(cut).toEqual([])
      },
      { width },
    ),
  )
})

describe('what is not there', () => {
  it.each([
    ['/?suite=demmo', 'demo', '/?suite=demo'],
    ['/reports?suite=demmo', 'demo', '/reports?suite=demo'],
    ['/runs?suite=demmo', 'demo', '/runs?suite=demo'],
    ['/suites/demo/tasks/demo-0', 'demo-01', '/suites/demo/tasks/demo-01'],
    ['/models/model-k', 'model-l', '/models/model-l'],
    ['/history?suite=demo&subject=demo-agent-aa', 'demo-agent-a', '/agents/demo-agent-a'],
  ])('%s is answered with 404 and the nearest name', (path, name, href) =>
    onPage(browser, `${site}/methodology`, async (page) => {
      const response = await page.goto(`${site}${path}`)
      expect(response?.status()).toBe(404)
      const link = page.getByRole('main').getByRole('link', { name, exact: true })
      expect(await link.getAttribute('href')).toBe(href)
    }),
  )

  it.each([
    ['/?suite=demmo', /^Suite not found/, 'demo'],
    ['/suites/demmo', /^Page not found/, 'demo'],
    ['/suites/demo/tasks/demo-0', /^Page not found/, 'demo-01'],
    ['/agents/demo-agent-aa', /^Page not found/, 'demo-agent-a'],
    ['/models/model-k', /^Page not found/, 'model-l'],
    ['/history?suite=demo&subject=demo-agent-aa', /^Page not found/, 'demo-agent-a'],
    ['/reports?suite=demmo', /^Suite not found/, 'demo'],
    ['/reports/cost?suite=demmo', /^Suite not found/, 'demo'],
    ['/reports/sped', /^Page not found/, 'speed'],
    ['/nowhere?suite=demmo', /^Page not found/, 'leaderboard'],
    ['/runs/run_nowhere', /^Page not found/, 'list of runs'],
    ['/episodes/ep_nowhere', /^Page not found/, 'list of runs'],
    ['/nowhere', /^Page not found/, 'list of suites'],
  ])('%s says so without scripts', async (path, heading, name) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    try {
      const page = await context.newPage()
      const response = await page.goto(`${site}${path}`)
      expect(response?.status()).toBe(404)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.getByRole('main').getByRole('link', { name, exact: true }).waitFor()
    } finally {
      await context.close()
    }
  })
})

it('controls are listed on request', () =>
  onPage(browser, `${site}/?suite=demo`, async (page) => {
    const controls = page.locator('tr[data-row]', { hasText: 'demo-control' })
    await page.getByText('1 control not listed.').waitFor()
    expect(await controls.count()).toBe(0)
    await page.getByRole('button', { name: 'Show controls' }).click()
    await controls.waitFor()
    expect(await page.locator('tr[data-row]').count()).toBe(1)
  }))

it('without scripts nothing is offered that only they can do, and details are a page', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    await page.goto(`${site}/?suite=demo`)
    await page.getByText(/turn on JavaScript/).waitFor()
    for (const name of [/^Search/, /^Select demo-agent-a/, /theme$/, 'Export', 'Show controls'])
      expect(await page.getByLabel(name).or(page.getByText(name)).first().isVisible()).toBe(false)
    await page.getByRole('link', { name: 'details' }).first().click()
    await page.getByText('Copy badge').waitFor({ state: 'attached' })
  } finally {
    await context.close()
  }
})

it('a long word of an address widens no page', () =>
  onPage(browser, `${site}/ledger?target=${'x'.repeat(2000)}`, async (page) => {
    await page.getByRole('heading', { name: /^No entries for/ }).waitFor()
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(widest).toBeLessThanOrEqual(1280)
  }))

it('a link to a board says who is first and how sure that is', () =>
  onPage(browser, `${site}/?suite=demo`, async (page) => {
    const read = (name: string) =>
      page.locator(`meta[property="og:${name}"]`).getAttribute('content')
    expect(await read('title')).toBe('Demo (simulated) leaderboard')
    expect(await read('description')).toMatch(
      /^demo-agent-a.*: 88 % \(72–95\), rank 1–2 of 4 model-driven entries\. 11 entries, 7 ranked, on 20 tasks\.$/,
    )
    expect(await read('image')).toMatch(/\/preview\.png$/)
  }))

it('a link names the winner that the page shows first', () =>
  onPage(browser, `${site}/?suite=demo-browser`, async (page) => {
    const best = page.getByRole('region', { name: /^Success rate/ }).getByRole('listitem')
    const [winner] = await best.getByRole('link').locator('span').allTextContents()
    const message = await page.locator('meta[property="og:description"]').getAttribute('content')
    expect(message).toMatch(new RegExp(`^${winner} .*, rank 1–4 of 4 scripted entries\\.`))
  }))

it('the model of an entry leads to its page, and that to the list of models', () =>
  onPage(browser, `${site}/?suite=demo`, async (page) => {
    const row = page.locator('tr[data-row]', { hasText: 'demo-agent-c' })
    await row.getByRole('link', { name: 'model-s' }).click()
    await page.getByRole('heading', { level: 1, name: 'model-s' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Models', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
    expect(await page.locator('tbody').getByRole('link').allTextContents()).toEqual([
      ...['model-l', 'model-m', 'model-s'],
    ])
  }))

it('the scored episodes of a board lead to the runs of its suite, and to no others', () =>
  onPage(browser, `${site}/?suite=demo-browser`, async (page) => {
    await page.getByRole('link', { name: /^\d+ scored episodes$/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
    const suites = page.locator('tr[data-row] a[href^="/suites/"]')
    expect(new Set(await suites.allTextContents())).toEqual(new Set(['Browser demo (simulated)']))
    const current = page.getByRole('navigation', { name: 'Suite' }).locator('[aria-current]')
    expect(await current.allTextContents()).toEqual(['Browser demo (simulated)'])
  }))

it('runs of one library are told apart', () =>
  onPage(browser, `${site}/runs`, async (page) => {
    const names = await page.locator('tr[data-row] td:nth-child(2) .untrusted').allTextContents()
    const own = names.filter((name) => name.startsWith('demo-browser-a'))
    expect(own.length).toBeGreaterThan(2)
    expect(new Set(own).size).toBe(own.length)
  }))

it.each(['/runs', '/methodology'])('the menu of a phone shows where one is: %s', (path) =>
  onPage(
    browser,
    `${site}${path}`,
    async (page) => {
      const link = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]')
      const box = await link.boundingBox()
      expect(Number(box?.x) + Number(box?.width)).toBeLessThanOrEqual(360)
    },
    { width: 360 },
  ),
)

it('a link to an entry that is gone says so', () =>
  onPage(browser, `${site}/?suite=demo&open=row_gone`, async (page) => {
    await page.getByText('Not on this board: row_gone.').waitFor()
  }))

it.each([1024, 1200, 1280])('the table fills its frame at %s px', (width) =>
  onPage(
    browser,
    `${site}/?suite=demo`,
    async (page) => {
      const ends = await page.locator('main table.wide-table').evaluate((table) => {
        const shown = [...table.querySelectorAll('thead th')].filter((th) => th.clientWidth > 0)
        return [table, shown.at(-1)].map((one) => one?.getBoundingClientRect().right ?? 0)
      })
      expect(Math.abs(Number(ends[0]) - Number(ends[1]))).toBeLessThan(2)
    },
    { width },
  ),
)

it('a task shows its instruction as it is laid out', () =>
  onPage(browser, `${inject('siteUrl')}/suites/typescript/tasks/async-queue`, async (page) => {
    const instruction = page.locator('#instruction')
    const text = (await instruction.textContent()) ?? ''
    expect(text).toContain('Running tasks')
    expect(text).not.toMatch(/```|^#|## /m)
    expect(await instruction.getByRole('listitem').count()).toBeGreaterThan(3)
  }))
