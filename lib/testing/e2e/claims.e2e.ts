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
  const response = await fetch(`${site}/api/v1/leaderboard?suite=demo`)
  board = boardSchema.parse(await response.json())
  await page.goto(`${site}/?suite=demo`)
  await page.getByRole('rowgroup', { name: 'Ranked', exact: true }).waitFor()
  controls = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await controls.goto(`${site}/?suite=demo&kind=control`)
  await controls.locator('tr[data-row]').first().waitFor()
})
afterAll(() => browser.close())

const band = (id: string) => page.locator(`tbody#${id}`)
/** A row is listed in one place: measured entries on the board, controls on request. */
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
      expect(text).toMatch(/\d(–| – >)\d/)
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

  it('names the visible series of a chart in its picture', async () => {
    const other = await browser.newPage({ viewport: { width: 1000, height: 800 } })
    await other.goto(`${site}/?suite=demo&chart=reliability`)
    const figure = other.locator('#charts figure').first()
    await figure.scrollIntoViewIfNeeded()
    await figure.locator('svg.recharts-surface').waitFor()
    const names = figure.getByRole('group', { name: /^Legend/ }).getByRole('button')
    const [hidden, ...shown] = await names.allTextContents()
    await names.first().click()
    const downloading = other.waitForEvent('download')
    await figure.getByRole('button', { name: 'SVG' }).click()
    const svg = (await buffer(await (await downloading).createReadStream())).toString()
    for (const name of shown.filter((one) => one !== 'Show all'))
      expect(svg).toContain(`>${name}</text>`)
    expect(svg).not.toContain(`>${hidden}</text>`)
    await other.close()
  })

  it.each([
    ['PNG', 'demo-cost.png'],
    ['SVG', 'demo-cost.svg'],
  ])('saves a chart as it is on the screen, as %s', async (type, name) => {
    const other = await browser.newPage({ viewport: { width: 1000, height: 800 } })
    await other.goto(`${site}/?suite=demo&chart=cost`)
    await other.locator('#charts').scrollIntoViewIfNeeded()
    await other.locator('#charts svg.recharts-surface').waitFor()
    const downloading = other.waitForEvent('download')
    await other.locator('#charts').getByRole('button', { name: type }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(name)
    const bytes = await buffer(await download.createReadStream())
    if (type === 'PNG') {
      expect(bytes.subarray(1, 4).toString()).toBe('PNG')
      expect(bytes.readUInt32BE(16)).toBeGreaterThan(1600)
    } else {
      const svg = bytes.toString()
      expect(svg).not.toMatch(/<script|<foreignObject|onload=|var\(--/i)
      const digest = board.suite.digest.replace('sha256:', '').slice(0, 12)
      for (const part of ['Suite demo', digest, 'measured until 20', 'n: ', 'chart=cost'])
        expect(svg).toContain(part)
    }
    await other.close()
  })

  it.each([
    ['', 'image/png'],
    ['&format=svg', 'image/svg+xml'],
  ])('serves a card of a chart for other sites: %s', async (format, type) => {
    const path = `/api/v1/leaderboard/chart?suite=demo&chart=cost${format}`
    const response = await fetch(`${site}${path}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain(type)
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    const tag = response.headers.get('etag') ?? ''
    const again = await fetch(`${site}${path}`, { headers: { 'if-none-match': tag } })
    expect(again.status).toBe(304)
    const csv = await (
      await fetch(`${site}/api/v1/leaderboard/chart?suite=demo&chart=cost&format=csv`)
    ).text()
    expect(csv.split('\n')[0]).toContain('USD per success')
  })

  it('switches the scale, enlarges a part, and goes back', async () => {
    const other = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await other.goto(`${site}/?suite=demo&chart=cost`)
    const figure = other.locator('#charts figure').first()
    await figure.scrollIntoViewIfNeeded()
    const ticks = () => figure.locator('.recharts-xAxis-tick-labels text').allTextContents()
    await figure.locator('svg.recharts-surface').waitFor()
    const log = await ticks()
    await figure.getByRole('button', { name: 'Log scale' }).click()
    await expect.poll(ticks).not.toEqual(log)
    await expect.poll(ticks).toContain('0')
    const box = await figure.locator('[data-chart]').boundingBox()
    if (!box) throw new Error('the chart has no box')
    await other.mouse.move(box.x + 80, box.y + 40)
    await other.mouse.down()
    // Beyond its edge, where a fast hand ends.
    await other.mouse.move(box.x + box.width + 20, box.y + 160, { steps: 4 })
    await other.mouse.up()
    const reset = figure.getByRole('button', { name: 'Reset zoom' })
    await reset.focus()
    await other.keyboard.press('Enter')
    await expect.poll(ticks).toContain('0')
    await reset.waitFor({ state: 'detached' })
    expect(await figure.locator('[data-chart]:focus').count()).toBe(1)
    await other.close()
  })

  it('walks the points of a chart by arrow keys, says each, and opens its row', async () => {
    const other = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await other.goto(`${site}/?suite=demo&chart=success`)
    const chart = other.locator('#charts [data-chart]')
    // It loads when it is about to be visible.
    await other.locator('#charts figure').first().scrollIntoViewIfNeeded()
    await chart.locator('svg.recharts-surface').waitFor()
    await chart.focus()
    await other.keyboard.press('ArrowRight')
    const data = chart.locator('[aria-live]')
    await expect
      .poll(() => data.textContent())
      .toMatch(/demo-agent-a.*: 88\.\d\s%, .* n: \d+ episodes/)
    const first = await data.textContent()
    expect(await other.locator('tr[data-row][data-lit]').count()).toBe(1)
    await other.keyboard.press('ArrowRight')
    await expect.poll(() => data.textContent()).not.toBe(first)
    await other.keyboard.press('Home')
    await other.keyboard.press('Enter')
    const row = other.locator('tr[data-row]', { hasText: 'demo-agent-a' }).first()
    await expect.poll(() => row.evaluate((one) => one.contains(document.activeElement))).toBe(true)
    await other.close()
  })

  it('hides a series and shows one alone by the legend', async () => {
    const other = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await other.goto(`${site}/?suite=demo&chart=reliability`)
    const figure = other.locator('#charts figure').first()
    await figure.scrollIntoViewIfNeeded()
    const lines = figure.locator('.recharts-scatter-line')
    const names = figure.getByRole('group', { name: /^Legend/ }).getByRole('button')
    await expect.poll(() => lines.count()).toBeGreaterThan(2)
    const all = await lines.count()
    await names.first().click()
    await expect.poll(() => lines.count()).toBe(all - 1)
    await names.nth(1).click({ modifiers: ['Shift'] })
    await expect.poll(() => lines.count()).toBe(1)
    await figure.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => lines.count()).toBe(await names.count())
    expect(await figure.locator('[data-chart]:focus').count()).toBe(1)
    await names.nth(1).dblclick()
    await expect.poll(() => lines.count()).toBe(1)
    await names.nth(1).dblclick()
    await expect.poll(() => lines.count()).toBe(all)
    await other.close()
  })

  it('shows the values of a chart without scripts, and no empty box', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const other = await context.newPage()
    await other.goto(`${site}/?suite=demo&chart=cost`)
    const figure = other.locator('#charts figure').first()
    await figure.getByText(/^Unit: USD per success/).waitFor()
    await figure.getByText('Values as a table').click()
    await figure.getByRole('row').nth(1).waitFor()
    expect(await figure.locator('.scripted').filter({ visible: true }).count()).toBe(0)
    await context.close()
  })

  it.each(['success', 'cost', 'time', 'tokens', 'reliability', 'failures'])(
    'draws the chart %s on a phone, in a box that does not move',
    async (chart) => {
      const other = await browser.newPage({ viewport: { width: 360, height: 800 } })
      await other.goto(`${site}/?suite=demo&chart=${chart}`)
      const figure = other.locator('#charts figure').first()
      await figure.getByText(/^Unit: .* · n: \d/).waitFor()
      const box = figure.locator('[data-drawn]')
      const before = await box.boundingBox()
      await box.scrollIntoViewIfNeeded()
      const drawing = await figure.locator('svg.recharts-surface').boundingBox()
      expect((await box.boundingBox())?.height).toBe(before?.height)
      expect(drawing?.height).toBe(before?.height)
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
