// @module-tag chromium
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { boardSchema } from '#lib/domain/board/index.ts'
import { digestPlan, planSchema } from '#lib/domain/record/index.ts'
import { boardFilled, inViews, listAxeViolations } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'

const site = inject('siteUrl')
/** The demo control has every episode that a ranked row needs. */
const demo = inject('demoUrl')
let browser: Browser
let rowId = ''
let wholeRowId = ''

beforeAll(async () => {
  browser = await connectToChromium()
  await boardFilled(site)
  rowId = await findRow(`${site}/api/v1/leaderboard?suite=typescript`, 'nop')
  wholeRowId = await findRow(`${demo}/api/v1/leaderboard?suite=demo`, 'demo-control')
})
afterAll(() => browser.close())

async function findRow(board: string, name: string): Promise<string> {
  const { rows } = boardSchema.parse(await (await fetch(board)).json())
  return rows.find(({ subject }) => subject.name === name)?.rowId ?? ''
}

async function open<T>(
  path: string,
  look: (page: Page) => Promise<T>,
  options: BrowserContextOptions = {},
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  try {
    await page.goto(new URL(path, site).href, { waitUntil: 'load' })
    return await look(page)
  } finally {
    await context.close()
  }
}

describe('the planner', () => {
  it('offers nothing to launch while no agent is named', () =>
    open('/plan?suite=typescript&subject=other', async (page) => {
      await page.getByRole('heading', { name: 'Any agent' }).waitFor()
      await page.getByText('Enter an agent and a model above').waitFor()
      expect(await page.getByRole('link', { name: 'Launch this run' }).count()).toBe(0)
      expect(await page.locator('#command').count()).toBe(0)
      expect(await page.locator('li[aria-current=step]').textContent()).toContain('Configure')
    }))

  it('shows the estimate that was asked for, below a form that fills a phone', () =>
    open(
      `${demo}/plan?suite=demo`,
      async (page) => {
        // An estimate is computed on request.
        expect(await page.locator('#estimate').textContent()).toBe('')
        await page.getByRole('button', { name: 'Estimate' }).click()
        await page.waitForURL(/#estimate$/)
        const result = page.getByRole('heading', { name: 'demo-agent-a' })
        const top = () => result.evaluate((heading) => heading.getBoundingClientRect().top)
        await expect.poll(top).toBeLessThan(300)
      },
      { viewport: { width: 360, height: 740 } },
    ))

  it.each([true, false])('explains what the form asks (scripts: %s)', async (javaScriptEnabled) => {
    const look = async (page: Page) => {
      await page.getByLabel('Repetitions per task').fill('5')
      await page.getByLabel('Entry', { exact: true }).selectOption({ label: 'nop 1.0.0' })
      await page.getByRole('button', { name: 'Estimate' }).click()
      await page.waitForURL(/repetitions=5/)
      await page.getByText(/^125 episodes \(25 tasks × 5\): not ranked yet/).waitFor()
      await page.getByText('This is a control run; it tests the harness').waitFor()
      await page.getByText('nop calls no model').waitFor()
      expect(await page.locator('#alternatives tr[aria-current]').textContent()).toMatch(/^5/)
      expect(await page.locator('#command pre').textContent()).toBe(
        'npx proofboard plan --suite typescript --subject nop --repetitions 5 --explain',
      )
      expect(await page.locator('main').textContent()).not.toMatch(/NaN|Infinity|undefined/)
    }
    await open('/plan?suite=typescript', look, { javaScriptEnabled })
  })

  it.each([
    ['repetitions=0', 'Repetitions must be a whole number from 1 to 1,000, not “0”.'],
    ['repetitions=1000000000', 'Repetitions must be a whole number from 1 to 1,000'],
    ['repetitions=many', 'not “many”.'],
    ['suite=typescrip', 'Unknown suite "typescrip": did you mean typescript?'],
    ['suite=typescript&versus=row_x', 'This entry is not on the leaderboard'],
    ['suite=typescript&subject=%3Cb%3E', 'No entry of this subject on the leaderboard'],
  ])('%s is answered with a sentence', async (query, words) => {
    const alert = await open(`/plan?${query}`, (page) =>
      page.getByRole('alert').filter({ hasText: 'Invalid plan' }).textContent(),
    )
    expect(alert).toContain(words)
  })
})

describe('a row’s top-up', () => {
  it('says that a control lacks nothing', () =>
    open(`${demo}/plan?topUp=${wholeRowId}`, (page) =>
      page.getByText('No episodes are missing. The entry is unranked for').waitFor(),
    ))

  it('names what is missing of the suite, and offers a plan for claims about each task', async () => {
    await open(`/plan?topUp=${rowId}`, async (page) => {
      await page.getByText(/^17 episodes on 17 tasks/).waitFor()
      await page.getByRole('link', { name: 'Each task' }).click()
      await page.getByText(/^492 episodes on 25 tasks/).waitFor()
      const loading = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download plan.json' }).click()
      const stream = await (await loading).createReadStream()
      const text = (await stream.toArray()).map(String).join('')
      const plan = planSchema.parse(JSON.parse(text))
      expect(digestPlan(plan)).toBe(plan.planDigest)
      const short = plan.planDigest.slice('sha256:'.length, 'sha256:'.length + 12)
      await page.getByText(short).waitFor()
    })
  })

  it('says so when there is no such row', async () => {
    await open('/plan?topUp=row_nowhere', (page) =>
      page.getByText('This entry is not on any leaderboard').waitFor(),
    )
  })
})

it.each(inViews(['/plan?repetitions=3', '/plan?repetitions=0&cost=x', 'top-up']))(
  '%s is clean to axe and no wider than the window at %d px, %s',
  async (path, width, colorScheme) => {
    const address = path === 'top-up' ? `/plan?topUp=${rowId}&goal=per-task` : path
    const viewport = { width, height: 900 }
    await open(
      address,
      async (page) => {
        expect(await listAxeViolations(page)).toEqual([])
        const widest = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(widest).toBeLessThanOrEqual(width)
      },
      { viewport, colorScheme },
    )
  },
)
