import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Board, boardSchema } from '#lib/domain/board/index.ts'
import { launchTestChromium, listAxeViolations, VIEWS } from '#lib/testing/e2e/browser.ts'

const site = inject('demoUrl')

let browser: Browser
let page: Page
let board: Board

beforeAll(async () => {
  browser = await launchTestChromium()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const answer = await fetch(`${site}/api/v1/leaderboard?suite=demo`)
  board = boardSchema.parse(await answer.json())
  await page.goto(`${site}/?suite=demo`)
  await page.getByRole('rowgroup', { name: 'Ranked', exact: true }).waitFor()
})
afterAll(() => browser.close())

const band = (id: string) => page.locator(`tbody#${id}`)
const rowText = async (rowId: string) =>
  (await page.locator(`tr[data-row="${rowId}"]`).allInnerTexts()).join('')

describe('a board with a row of every label', () => {
  it('shows each pool of claims by itself and ranks nothing else', async () => {
    const titles = await page.locator('tbody th[scope="rowgroup"]').allInnerTexts()
    expect(titles.map((title) => title.split(' · ')[0])).toEqual([
      'Ranked',
      'Ranked, scripted',
      'Stress, scripted',
      'Unranked',
    ])
    for (const { rowId, rank } of board.rows) {
      const expected = !rank
        ? '–'
        : rank.low === rank.high
          ? `${rank.low}`
          : `${rank.low}–${rank.high}`
      expect((await rowText(rowId)).trim().split(/\s/)[0]).toBe(expected)
    }
  })

  it('says rate, spread and denominator, and a dash for what is not known', async () => {
    for (const { rowId, success, costPerSuccessMicroUsd } of board.rows) {
      const text = await rowText(rowId)
      expect(text).toContain(String(Math.round((success.rate ?? 0) * 100)))
      expect(text).toMatch(/(± \d|[+−]\d)/)
      expect(text).toContain(`${success.tasks} × `)
      expect(text).not.toContain('NaN')
      if (costPerSuccessMicroUsd === null) expect(text).toContain('–')
    }
  })

  it('gives rows without a significant difference a common letter, and no other rows', async () => {
    const claims = board.rows.filter(({ label, driven }) => label === 'primary' && driven === 'llm')
    const shown = await Promise.all(
      claims.map(({ rowId }) =>
        page.locator(`tr[data-row="${rowId}"] [data-letters]`).textContent(),
      ),
    )
    expect(shown).toEqual(claims.map(({ rank }) => rank?.letters))
    expect(shown).toEqual(['A', 'AB', 'BC', 'C'])
    expect(claims.map(({ rank }) => rank?.tieGroup)).toEqual([1, 1, 2, 2])
  })

  it('opens why a refused row is not a claim, with each reason, its rule and the fix', async () => {
    const smoke = board.rows.find(({ label }) => label === 'smoke')
    await band('unranked').locator(`tr[data-row="${smoke?.rowId}"]`).getByRole('button').click()
    const details = page.locator(`#details-${smoke?.rowId}`)
    for (const { reason, remedy } of smoke?.refusals ?? []) {
      await details.getByText(reason).waitFor()
      await details.getByText(remedy).waitFor()
    }
    const link = details.getByRole('link', { name: 'Plan missing runs' })
    expect(await link.getAttribute('href')).toBe(`/plan?topUp=${smoke?.rowId}`)
  })

  it('saves a chart as an image', async () => {
    const other = await browser.newPage({ viewport: { width: 1000, height: 800 } })
    await other.goto(`${site}/?suite=demo&chart=cost`)
    await other.locator('#charts').scrollIntoViewIfNeeded()
    await other.locator('#charts svg.recharts-surface').waitFor()
    const downloading = other.waitForEvent('download')
    await other.getByRole('button', { name: 'Save as PNG' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('demo-cost.png')
    const bytes = readFileSync(await download.path())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(1600)
    await other.close()
  })

  it('keeps rows of an earlier version of the suite on a board of their own', async () => {
    const other = await browser.newPage()
    await other.goto(`${site}/suites/demo`)
    const earlier = other.getByRole('listitem').filter({ hasText: 'earlier' })
    await earlier.getByRole('link', { name: '1 entry on the board' }).click()
    await other.getByText(/ranked only with entries of the same version/).waitFor()
    expect(await other.locator('tr[data-row]').count()).toBe(1)
    await other.goto(`${site}/?suite=demo&version=sha256:0`)
    await other.getByRole('heading', { name: /does not have this version of “demo”/ }).waitFor()
    await other.close()
  })

  it.each(VIEWS)('is clean to axe at %d px, %s', async (width, colorScheme) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    const other = await context.newPage()
    await other.goto(`${site}/?suite=demo&chart=tasks`)
    await other.getByRole('rowgroup', { name: 'Unranked' }).waitFor()
    expect(await listAxeViolations(other)).toEqual([])
    expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    )
    await context.close()
  })
})
