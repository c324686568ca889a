// @module-tag chromium
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { boardSchema } from '#lib/domain/board/index.ts'
import { boardFilled, inViews, listAxeViolations } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { waitUntil } from '#lib/testing/e2e/start-copy.ts'

const site = inject('siteUrl')
const SENTENCE =
  /reference is better than nop on these tasks(?: and on similar tasks)?: 100 points \(/

let browser: Browser
let page: Page
const rowIds = new Map<string, string>()

beforeAll(async () => {
  browser = await connectToChromium()
  await boardFilled(site)
  const response = await fetch(`${site}/api/v1/leaderboard?suite=typescript`)
  for (const { rowId, subject } of boardSchema.parse(await response.json()).rows)
    rowIds.set(subject.name, rowId)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site })
  page = await context.newPage()
})
afterAll(() => browser.close())

const idsOf = (...names: string[]) => names.map((name) => rowIds.get(name)).join(',')
/** The page is visible before its keys work: after an early key press, press again. */
const openByKey = () =>
  waitUntil('the key c to open the comparison', async () => {
    await page.keyboard.press('c')
    await page.waitForTimeout(300)
    return new URL(page.url()).pathname === '/compare' ? true : null
  })
/** The comparison. The list of rows to add may grow while the first runs are in progress. */
const view = async () => (await page.locator('#pairs, #tasks').allTextContents()).join('\n')

describe('from the board to a comparison', () => {
  it('chooses rows by box and by key, and keeps them in the address', async () => {
    await page.goto(`${site}/?suite=typescript&kind=control`)
    await page.getByRole('checkbox', { name: 'Select reference' }).check()
    await page.getByText('1 entry selected').waitFor()
    await page.getByRole('link', { name: 'nop', exact: true }).focus()
    await page.keyboard.press('c')
    await page.getByText('2 entries selected').waitFor()
    await page.waitForURL(`**/?suite=typescript&kind=control&pick=${idsOf('reference', 'nop')}`)
    await page.reload()
    await page.getByText('2 entries selected').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('2 entries selected').waitFor({ state: 'detached' })
  })

  it('shows what was searched for and ticked to a reader who comes back', async () => {
    const search = page.getByRole('searchbox')
    const shown = page.locator('li:visible input[name=rows]')
    await page.goto(`${site}/compare`)
    await search.fill('nop')
    await shown.first().check()
    await page.goto(`${site}/suites`)
    await page.goBack()
    await page.getByText('1 entry selected').waitFor()
    expect(await search.inputValue()).toBe('nop')
    await expect.poll(() => shown.count()).toBe(1)
  })

  it('keeps what was typed, ticked and pressed before the scripts of the page ran', async () => {
    const early = await page.context().newPage()
    const typeAndTick = async () => {
      await early.getByRole('searchbox').fill('nop')
      await early.getByRole('checkbox', { name: 'Select nop' }).check()
      await early.getByRole('combobox', { name: 'Type of entry' }).selectOption('control')
      await early.getByRole('button', { name: /reasons and details of nop/ }).click()
    }
    // Once, although all scripts are requested.
    let typed: Promise<void> | undefined
    await early.route('**/_next/static/**/*.js*', async (route) => {
      typed ??= typeAndTick()
      await typed
      await route.continue()
    })
    await early.goto(`${site}/?suite=typescript&label=scaffold`)
    await early.waitForURL(
      ({ searchParams: at }) =>
        ['pick', 'open'].every((name) => at.get(name) === idsOf('nop')) &&
        at.get('q') === 'nop' &&
        at.get('kind') === 'control',
    )
    await early.getByText('1 entry selected').waitFor()
    expect(await early.getByRole('searchbox').inputValue()).toBe('nop')
    // The address changes before the row is drawn again.
    await early.getByRole('checkbox', { name: 'Select nop', checked: true }).waitFor()
    await early.close()
  })

  it('leaves the key alone while one types', async () => {
    await page.goto(`${site}/?suite=typescript&pick=${idsOf('reference', 'nop')}`)
    await page.getByRole('searchbox').pressSequentially('c')
    expect(await page.getByRole('searchbox').inputValue()).toBe('c')
    expect(new URL(page.url()).pathname).toBe('/')
  })

  it('shows the verdict on c, and the copied link shows the same view', async () => {
    await page.goto(`${site}/?suite=typescript&pick=${idsOf('reference', 'nop')}`)
    await page.getByText('2 entries selected').waitFor()
    await openByKey()
    await page.waitForURL(`**/compare?rows=${idsOf('reference', 'nop')}`)
    await page.getByText(SENTENCE).waitFor()
    const tasks = page.getByRole('table', { name: /majority outcome of reference and nop differs/ })
    expect(await tasks.getByRole('row').filter({ hasText: 'solves it' }).count()).toBe(8)
    await page.getByText('Diagnostic only').waitFor()
    expect(await page.title()).toBe('reference vs. nop · Proofboard')
    const before = await view()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Copied').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    await page.goto(site)
    await page.goto(link)
    await page.getByText(SENTENCE).waitFor()
    expect(await view()).toBe(before)
  })

  it('turns round, leads to an episode of a flipped task, and leaves a row out', async () => {
    await page.getByRole('link', { name: 'Swap' }).click()
    await page
      .getByText(/nop is worse than reference on these tasks(?: and on similar tasks)?: 100 points/)
      .waitFor()
    const episode = page.locator('#tasks a[href^="/episodes/"]').first()
    expect((await fetch(`${site}${await episode.getAttribute('href')}`)).status).toBe(200)
    await page.getByRole('link', { name: 'Remove nop' }).click()
    await page.getByText('Select at least one more entry.').waitFor()
    expect(await page.getByRole('checkbox', { name: /^reference/ }).isChecked()).toBe(true)
  })

  it('shows only the tasks that differ, and says how many are left', async () => {
    await page.goto(`${site}/compare?rows=${idsOf('reference', 'wrong')}`)
    const rows = page.locator('#tasks tbody tr[data-row]')
    const all = await rows.count()
    await page.getByRole('link', { name: 'Only differing' }).click()
    await page.waitForURL(/f=outcome:differs/)
    await expect.poll(() => rows.count()).toBeLessThanOrEqual(all)
    for (const text of await rows.allTextContents()) expect(text).toContain('solves it')
    await page.getByRole('link', { name: 'All tasks' }).click()
    await expect.poll(() => rows.count()).toBe(all)
  })

  it('exports what it shows', async () => {
    await page.goto(`${site}/compare?rows=${idsOf('reference', 'nop')}`)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Pairs, CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('typescript-comparison-pairs.csv')
  })
})

describe('without scripts', () => {
  it('chooses rows with a plain form', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto(`${site}/compare`)
    for (const name of [/^reference/, /^nop/])
      await plain.getByRole('checkbox', { name }).first().check()
    await plain.getByRole('button', { name: 'Compare' }).click()
    await plain.getByText(/(reference|nop) is (better|worse) than/).waitFor()
    expect(new URL(plain.url()).searchParams.getAll('rows')).toHaveLength(1)
    await context.close()
  })
})

describe('what cannot be compared', () => {
  it('says that a made-up row is not there, and offers the rows that are', async () => {
    await page.goto(`${site}/compare?rows=row_nowhere,${idsOf('nop')}`)
    await page.getByRole('heading', { name: 'Entry not found' }).waitFor()
    await page.getByText('row_nowhere').waitFor()
    await page.getByRole('searchbox').fill('refer')
    expect(await page.getByRole('checkbox', { name: /^nop/ }).isVisible()).toBe(false)
    await page.getByRole('checkbox', { name: /^reference/ }).check()
    await page.getByText('2 entries selected').waitFor()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText(/(reference|nop) is (better|worse) than/).waitFor()
  })
})

const PAGES: Record<string, () => string> = {
  chooser: () => '/compare',
  comparison: () => `/compare?rows=${idsOf('reference', 'nop', 'wrong')}`,
  refusal: () => `/compare?rows=row_nowhere,${idsOf('nop')}`,
  'board with chosen rows': () => `/?suite=typescript&pick=${idsOf('reference', 'nop')}`,
}

it.each(inViews(Object.keys(PAGES)))(
  'the %s is clean to axe and no wider than the window at %d px, %s',
  async (name, width, colorScheme) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    const small = await context.newPage()
    await small.goto(`${site}${PAGES[name]?.()}`, { waitUntil: 'load' })
    await small.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await listAxeViolations(small)).toEqual([])
    const widest = await small.evaluate(() => document.documentElement.scrollWidth)
    expect(widest).toBeLessThanOrEqual(width)
    await context.close()
  },
)
