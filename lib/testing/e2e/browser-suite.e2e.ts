// @module-tag chromium
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Board, boardSchema } from '#lib/domain/board/index.ts'
import { inViews } from '#lib/testing/e2e/browser.ts'
import { connectToChromium, expectReadable, onPage } from '#lib/testing/e2e/looks.ts'

const SUITE = 'demo-browser'
const site = inject('demoUrl')

let browser: Browser
let board: Board
let paths: Record<string, string> = {}

beforeAll(async () => {
  browser = await connectToChromium()
  const response = await fetch(`${site}/api/v1/leaderboard?suite=${SUITE}`)
  board = boardSchema.parse(await response.json())
  const runId = rowUnder('overlay').runIds.at(-1) ?? ''
  paths = {
    board: `/?suite=${SUITE}&open=${rowUnder('overlay').rowId}`,
    episode: `/episodes/${await findEpisode(runId, 'unsolved')}`,
    run: `/runs/${runId}`,
    suite: `/suites/${SUITE}`,
    task: `/suites/${SUITE}/tasks/demo-flow-01`,
    comparison: `/compare?rows=${board.rows
      .slice(0, 3)
      .map(({ rowId }) => rowId)
      .join(',')}`,
    recovery: `/reports/fault-recovery?suite=${SUITE}`,
    tokens: `/reports/token-efficiency?suite=${SUITE}`,
    speed: `/reports/speed?suite=${SUITE}`,
    'developer experience': `/reports/developer-experience?suite=${SUITE}`,
  }
})
afterAll(() => browser.close())

function rowUnder(fault: string) {
  const row = board.rows.find(({ settings }) => settings.fault === fault)
  if (!row) throw new Error(`no row under ${fault}`)
  return row
}

/** The first repetition of the demo runs has evidence. */
async function findEpisode(runId: string, status: string): Promise<string> {
  const { episodes } = await (await fetch(`${site}/api/v1/runs/${runId}`)).json()
  const found = episodes.find(
    (one: { status: string; repetition: number }) => one.status === status && one.repetition === 1,
  )
  return found.episodeId
}

async function onNamed(name: string, look: (page: Page) => Promise<void>): Promise<void> {
  await onPage(browser, `${site}${paths[name]}`, async (page) => {
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await look(page)
  })
}

const POLLED = { timeout: 30_000, interval: 500 }

/** A key press on a page that is being left never completes, so the wait is limited. */
async function pressKey(page: Page, key: string): Promise<void> {
  await Promise.race([page.keyboard.press(key), wait(5000, undefined, { ref: false })])
}

/** Keys work once the scripts of a page have run. */
async function pressUntil(page: Page, key: string, url: string): Promise<void> {
  const isThere = async () => {
    if (page.url() !== url) await pressKey(page, key)
    return page.url() === url
  }
  await expect.poll(isThere, POLLED).toBe(true)
}

describe('a browser suite', () => {
  it('says beside each subject how it is driven and points at elements, and ranks the two apart', () =>
    onNamed('board', async (page) => {
      const row = page.locator(`tr[data-row="${rowUnder('overlay').rowId}"]`)
      expect(await row.textContent()).toMatch(/demo-browser-\w.*overlay.*scripted · \w+/)
      for (const { driven, rank, rowId } of board.rows.filter(({ label }) => label === 'primary')) {
        const title = driven === 'llm' ? 'Ranked' : 'Ranked, scripted'
        const band = page.getByRole('rowgroup', { name: title, exact: true })
        expect(await band.locator(`tr[data-row="${rowId}"]`).count(), rowId).toBe(1)
        expect(rank).not.toBeNull()
      }
    }))

  it('shows the final page, the steps, and what the library said beside the verdict', () =>
    onNamed('episode', async (page) => {
      const open = (name: string) => page.getByRole('tab', { name, exact: true }).click()
      const picture = page.getByAltText('Final page of the episode')
      await picture.scrollIntoViewIfNeeded()
      await expect
        .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(100)
      await open('Steps')
      await page.locator('#steps tbody tr').first().waitFor()
      expect(await page.locator('#steps tbody tr').count()).toBe(8)
      await open('Environment')
      expect(await page.locator('#browser').textContent()).toMatch(
        /The library reported (success, but the success criteria are not met \(false success\)|an error, and the success criteria are not met)\./,
      )
      await open('Success criteria')
      expect(await page.locator('#contract').textContent()).toContain('of 5 assertions passed')
      expect(await page.getByRole('tab', { name: 'Diff' }).count()).toBe(0)
    }))

  it('has a picture of each step, which scrolls aside and opens', () =>
    onNamed('episode', async (page) => {
      await page.goto(`${page.url()}?tab=steps`)
      const strip = page.getByRole('region', { name: 'Filmstrip' })
      const pictures = strip.getByRole('img')
      expect(await pictures.count()).toBe(4)
      await expect
        .poll(() => pictures.first().evaluate((image) => (image as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(100)
      expect(await pictures.first().getAttribute('alt')).toBe(
        'The page after this step: open the shop',
      )
      const address = await strip.getByRole('link').nth(1).getAttribute('href')
      expect(address).toMatch(/\/screenshot\?frame=2$/)
      const response = await fetch(`${site}${address}`)
      expect(response.headers.get('content-type')).toBe('image/png')
    }))

  it('is walked by keyboard and by address: tabs by arrows, failures by j and k', () =>
    onNamed('episode', async (page) => {
      const first = page.url()
      const walk = async (from: string, ...keys: string[]) => {
        await page.getByRole('tab', { name: from, exact: true }).focus()
        for (const key of keys) await pressKey(page, key)
      }
      // Arrow keys work once the scripts of the page have run.
      await expect
        .poll(async () => {
          if (!page.url().endsWith('?tab=steps')) await walk('Summary', 'ArrowRight', 'Enter')
          return page.url()
        }, POLLED)
        .toMatch(/\?tab=steps$/)
      await page.getByRole('tab', { name: 'Steps', selected: true }).waitFor()
      await expect
        .poll(async () => {
          if (!page.url().endsWith('?tab=environment')) await walk('Steps', 'End', ' ')
          return page.url()
        }, POLLED)
        .toMatch(/\?tab=environment$/)
      await page.getByRole('tab', { name: 'Environment', selected: true }).waitFor()
      await page.locator('[data-failed]').first().waitFor()
      const next = page.locator('[data-failed="next"]')
      const forward = (await next.count()) > 0
      const there = page.locator(`[data-failed="${forward ? 'next' : 'previous'}"]`)
      const target = await there.getAttribute('href')
      await pressUntil(page, forward ? 'j' : 'k', `${site}${target}`)
      await pressUntil(page, forward ? 'k' : 'j', first)
    }))

  it('leads from the suite to a task with its contract in sentences', () =>
    onNamed('suite', async (page) => {
      await page.locator('#demo-flow-01').getByRole('link', { name: 'demo-flow-01' }).click()
      await page.waitForURL('**/tasks/demo-flow-01')
      const contract = page.locator('#contract')
      await contract.getByText('At least one of the following is true.').waitFor()
      await contract.getByText('In the app state, carts contains exactly 0 elements.').waitFor()
      await page.locator('#faults').getByText('POST /cart/items').waitFor()
      await page.locator('#instruction').getByText('order two blue mugs').waitFor()
    }))

  it('shows recovery by task, subject and fault, with the baseline', () =>
    onNamed('recovery', async (page) => {
      const line = page.locator(`#faults tr[data-row="${rowUnder('lost-response').rowId}"]`)
      const first = line.locator('td').nth(2)
      expect(await first.textContent()).toMatch(/^\d\/3 \(\d\/3\)$/)
      expect(await first.getAttribute('title')).toMatch(/without the fault \d of 3 solved/)
    }))
})

it.each(
  inViews(
    ['episode', 'task', 'recovery', 'developer experience'],
    ['board', 'run', 'suite', 'comparison', 'tokens', 'speed'],
  ),
)(
  'the %s page is clean to axe and no wider than the window at %d px, %s',
  (name, width, colorScheme) =>
    onPage(browser, `${site}${paths[name]}`, (page) => expectReadable(page, width), {
      width,
      colorScheme,
    }),
)

it('has no task page for what is not a task', async () => {
  const response = await fetch(`${site}/suites/${SUITE}/tasks/nowhere`)
  expect(response.status).toBe(404)
})
