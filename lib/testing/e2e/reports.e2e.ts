// @module-tag chromium
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { RULE_CODES } from '#lib/domain/eligibility/index.ts'
import { AXES, METHODOLOGY_CONSTANTS, SUPPORTING_ONLY } from '#lib/domain/reports/index.ts'
import { boardFilled, inViews } from '#lib/testing/e2e/browser.ts'
import { connectToChromium, expectReadable, onPage } from '#lib/testing/e2e/looks.ts'

const site = inject('siteUrl')
const demo = inject('demoUrl')
const suite = 'typescript'

/** A table with diagnostic columns, and an empty one; the other kinds are tested elsewhere. */
const PAGES = ['/reports/speed?suite=demo', '/reports/developer-experience?suite=demo']
const SEEN_ELSEWHERE = [
  '/methodology',
  '/reports?suite=demo',
  '/reports/task-completion?suite=demo',
]

let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
  await boardFilled(site)
})
afterAll(() => browser.close())

async function onReport(
  url: string,
  look: (page: Page) => Promise<void>,
  view?: Parameters<typeof onPage>[3],
): Promise<void> {
  await onPage(
    browser,
    url,
    async (page) => {
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await look(page)
    },
    view,
  )
}

describe('from the index of reports', () => {
  it.each(AXES.map(({ slug, title }) => [slug, title]))(
    'to %s, and from there to its place in the methodology',
    (slug, title) =>
      onReport(`${site}/reports?suite=${suite}`, async (page) => {
        await page.getByRole('link', { name: title, exact: true }).click()
        await page.waitForURL(`**/reports/${slug}?suite=${suite}`)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        // Controls are unranked, so every report has to say that its figures are only supporting.
        await page.getByText(SUPPORTING_ONLY).waitFor()
        await page.locator('#main').getByRole('link', { name: 'Methodology' }).click()
        await page.waitForURL(`**/methodology/measurement#axis-${slug}`)
        await page.locator(`#axis-${slug}`).getByText(title).waitFor()
      }),
  )

  it('opens the suite that the board opens, and counts controls as controls', () =>
    onReport(`${demo}/reports`, async (page) => {
      const shown = page.getByRole('navigation', { name: 'Suite' }).locator('[aria-current]')
      const onReports = await shown.textContent()
      expect(await page.locator('#main li').first().textContent()).toMatch(/\d+ entries/)
      await page.goto(`${demo}/`)
      expect(await shown.textContent()).toBe(onReports)
      await page.goto(`${demo}/reports?suite=demo`)
      expect(await page.locator('#main li').first().textContent()).toContain('9 entries, 1 control')
    }))

  it('names the fault of an entry in its chart', () =>
    onReport(`${demo}/reports/fault-recovery?suite=demo-browser`, async (page) => {
      await page.locator('#chart').scrollIntoViewIfNeeded()
      await page.locator('#chart svg', { hasText: 'lost-response' }).waitFor()
    }))

  it('shows the controls apart, unranked, and leads back to their rows on the board', () =>
    onReport(`${site}/reports/task-completion?suite=${suite}`, async (page) => {
      expect(await page.locator('#claims').count()).toBe(0)
      const row = page.locator('#others tr[data-row]').filter({ hasText: 'reference' })
      expect(await row.textContent()).toMatch(/control.*–.*100\.0.*8 tasks, 8 ep\./)
      const id = await row.getAttribute('data-row')
      await row.getByRole('link', { name: 'reference' }).click()
      await page.waitForURL(/\/\?suite=typescript/)
      const details = page.getByText('This is a control run; it tests the harness.')
      await details.first().waitFor()
      expect(await page.locator(`tr[data-row="${id}"]`).count()).toBe(1)
    }))

  it('hands the same figures out as JSON, CSV and Markdown', async () => {
    const path = `${site}/api/v1/reports/task-completion?suite=${suite}`
    const report = await (await fetch(path)).json()
    expect(report.others.map((row: { label: string }) => row.label)).toContain('scaffold')
    const csv = await fetch(`${path}&format=csv`)
    expect(csv.headers.get('content-disposition')).toContain('typescript-task-completion.csv')
    expect(await csv.text()).toMatch(/^label,subject,.*success_share \(primary\)/)
    expect(await (await fetch(`${path}&format=markdown`)).text()).toMatch(/^\| label \| subject/)
    const wrong = await fetch(`${site}/api/v1/reports/sped?suite=${suite}`)
    expect([wrong.status, (await wrong.json()).error.message]).toEqual([
      404,
      'unknown report "sped": did you mean speed?',
    ])
  })
})

describe('the methodology', () => {
  it('leads from every anchor that its one page had to the place that it names', () =>
    onReport(`${site}/methodology#gate-samples`, async (page) => {
      for (const code of RULE_CODES)
        expect(await page.locator(`#gate-${code}`).getAttribute('href')).toBe(
          `/methodology/evidence#gate-${code}`,
        )
      await page.locator('#gate-samples').click()
      await page.waitForURL('**/methodology/evidence#gate-samples')
      const { policy } = await (await fetch(`${site}/api/v1/methodology`)).json()
      expect(await page.locator('#gate-samples').textContent()).toContain(
        `At least ${policy.thresholds.aggregateEpisodes} independent`,
      )
    }))

  it('has a target for every link of its index', () =>
    onReport(`${site}/methodology`, async (page) => {
      const links = page.locator('#pages a, #terms a')
      const all = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')))
      expect(all.length).toBeGreaterThan(200)
      const pages = new Set(all.map((href) => href?.split('#')[0] ?? ''))
      for (const path of pages) {
        await page.goto(`${site}${path}`)
        for (const href of all.filter((one) => one?.startsWith(`${path}#`)))
          expect(await page.locator(`#${href?.split('#')[1]}`).count(), String(href)).toBe(1)
      }
    }))

  it('shows a row of the board as its example', () =>
    onReport(`${demo}/methodology`, async (page) => {
      const row = await page.locator('#how-to-read tbody tr').textContent()
      expect(row).toMatch(/demo-.*\d+ × \d+/)
    }))

  it('is complete as data', async () => {
    const { threats } = await (await fetch(`${site}/api/v1/methodology`)).json()
    expect(threats).toHaveLength(METHODOLOGY_CONSTANTS.threats.length)
    expect(threats[0]).toMatchObject({ id: 'reads-answers', title: 'Reads the answers' })
  })
})

describe('of a suite with claims', () => {
  it('shows recovery with its interval, the claim first and the refused row apart', () =>
    onReport(`${demo}/reports/fault-recovery?suite=demo`, async (page) => {
      const figure = /\d+\.\d\s*\d+\.\d–\d+\.\d · 20 tasks, 60 ep\./
      for (const [section, label] of [
        ['claims-scripted', 'stress'],
        ['others', 'diagnostic'],
      ]) {
        const rows = page.locator(`#${section} tr[data-row]`)
        expect(await rows.count()).toBe(1)
        expect(await rows.getAttribute('data-label')).toBe(label)
        expect(await rows.textContent()).toMatch(figure)
      }
      expect(await page.getByText(SUPPORTING_ONLY).count()).toBe(0)
    }))

  it('withholds what is too little, and draws what there is', () =>
    onReport(`${demo}/reports/logged-in?suite=demo`, async (page) => {
      const smoke = page.locator('#others tr[data-label="smoke"]')
      expect(await smoke.locator('[title^="Withheld: "]').textContent()).toBe('–')
      await page.locator('#chart').scrollIntoViewIfNeeded()
      await page.locator('#chart svg.recharts-surface').waitFor()
    }))

  it.each(inViews(PAGES, SEEN_ELSEWHERE))(
    '%s is clean to axe and no wider than the window at %d px, %s',
    (path, width, colorScheme) =>
      onReport(`${demo}${path}`, (page) => expectReadable(page, width), { width, colorScheme }),
  )
})
