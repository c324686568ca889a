// @module-tag chromium
import { buffer } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Board, boardSchema } from '#lib/domain/board/index.ts'
import { listAxeViolations, VIEWS } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'

const site = inject('demoUrl')

let browser: Browser
let page: Page
let controls: Page
let board: Board

beforeAll(async () => {
  browser = await connectToChromium()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const answer = await fetch(`${site}/api/v1/leaderboard?suite=demo`)
  board = boardSchema.parse(await answer.json())
  await page.goto(`${site}/?suite=demo`)
  await page.getByRole('rowgroup', { name: 'Ranked', exact: true }).waitFor()
  controls = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await controls.goto(`${site}/?suite=demo&kind=control`)
  await controls.locator('tr[data-row]').first().waitFor()
})
afterAll(() => browser.close())

const band = (id: string) => page.locator(`tbody#${id}`)
/** A row is listed once: measured entries on the board, controls where they are asked for. */
const rowText = async (rowId: string) => {
  const texts = [page, controls].map((one) =>
    one.locator(`tr[data-row="${rowId}"]`).allInnerTexts(),
  )
  return (await Promise.all(texts)).flat().join('')
}

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
      claims.map(({ rowId }) => page.locator(`tr[data-row="${rowId}"] [data-ties]`).textContent()),
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
    await other.locator('#charts svg[data-chart]').filter({ visible: true }).first().waitFor()
    const downloading = other.waitForEvent('download')
    await other.locator('#charts').getByRole('button', { name: 'PNG' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('demo-cost.png')
    const bytes = await buffer(await download.createReadStream())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(1600)
    await other.close()
  })

  it('offers the same chart as a card: suite, version, date, n and address, and no script', async () => {
    const other = await browser.newPage()
    await other.goto(`${site}/?suite=demo&chart=cost`)
    const href = await other
      .locator('#charts')
      .getByRole('link', { name: 'SVG' })
      .getAttribute('href')
    await other.close()
    const answer = await fetch(`${site}${href}`)
    expect(answer.headers.get('content-type')).toContain('image/svg+xml')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    const svg = await answer.text()
    expect(svg).not.toMatch(/<script|<foreignObject|onload=/i)
    const digest = board.suite.digest.replace('sha256:', '').slice(0, 12)
    for (const part of ['Suite demo', digest, 'measured until 20', 'n: ', 'chart=cost'])
      expect(svg).toContain(part)
    const tag = answer.headers.get('etag') ?? ''
    const again = await fetch(`${site}${href}`, { headers: { 'if-none-match': tag } })
    expect(again.status).toBe(304)
    const csv = await (await fetch(`${site}${href?.replace('format=svg', 'format=csv')}`)).text()
    expect(csv.split('\n')[0]).toContain('USD per success')
  })

  it('switches the scale by a link, with and without scripts', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ javaScriptEnabled })
      const other = await context.newPage()
      await other.goto(`${site}/?suite=demo&chart=cost`)
      const charts = other.locator('#charts')
      await charts.getByText('USD per success (log scale)').waitFor()
      await charts.getByRole('link', { name: 'Linear scale' }).click()
      await charts.getByText('USD per success (linear scale)').waitFor()
      expect(new URL(other.url()).searchParams.get('scale')).toBe('linear')
      await context.close()
    }
  })

  it.each(['success', 'cost', 'time', 'tokens', 'reliability', 'failures'])(
    'draws the chart %s with its unit, its sample and its files',
    async (chart) => {
      const other = await browser.newPage({ viewport: { width: 360, height: 800 } })
      await other.goto(`${site}/?suite=demo&chart=${chart}`)
      const figure = other.locator('#charts figure').first()
      await figure.getByText(/^Unit: .* · n: \d/).waitFor()
      await figure.locator('svg[data-chart]').last().waitFor()
      expect(await figure.getByRole('link', { name: 'CSV' }).count()).toBe(1)
      expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        360,
      )
      await other.close()
    },
  )

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
