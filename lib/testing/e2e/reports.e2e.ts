// @module-tag chromium
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { RULE_CODES } from '#lib/domain/eligibility/index.ts'
import { AXES, SUPPORTING_ONLY } from '#lib/domain/reports/index.ts'
import { boardFilled, inViews } from '#lib/testing/e2e/browser.ts'
import { connectToChromium, expectReadable, onPage } from '#lib/testing/e2e/looks.ts'

const site = inject('siteUrl')
const demo = inject('demoUrl')
const suite = 'typescript'

/** A table with diagnostic columns and one with nothing; prose, list and a table with whiskers are seen elsewhere. */
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
        // Controls are not claims: every report has to say that its figures are only supporting.
        await page.getByText(SUPPORTING_ONLY).waitFor()
        await page.locator('#main').getByRole('link', { name: 'Methodology' }).click()
        await page.waitForURL(`**/methodology#axis-${slug}`)
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
      const chart = page.locator('#chart svg').filter({ visible: true }).first()
      expect(await chart.textContent()).toContain('lost-response')
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

describe('the methodology page', () => {
  it('has a target for every link of its contents and every rule', () =>
    onReport(`${site}/methodology`, async (page) => {
      const links = page.getByRole('navigation', { name: 'Contents' }).locator('a')
      const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      expect(targets.length).toBeGreaterThan(10)
      for (const target of [...targets, ...RULE_CODES.map((code) => `#gate-${code}`)]) {
        expect(await page.locator(String(target)).count(), String(target)).toBe(1)
      }
    }))

  it('says what the policy says', async () => {
    const answer = await (await fetch(`${site}/api/v1/methodology`)).json()
    await onReport(`${site}/methodology#gate-samples`, async (page) => {
      const text = await page.locator('#gate-samples').textContent()
      expect(text).toContain(`At least ${answer.policy.thresholds.aggregateEpisodes} independent`)
    })
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
      await page.locator('#chart svg').first().waitFor()
    }))

  it.each(inViews(PAGES, SEEN_ELSEWHERE))(
    '%s is clean to axe and no wider than the window at %d px, %s',
    (path, width, colorScheme) =>
      onReport(`${demo}${path}`, (page) => expectReadable(page, width), { width, colorScheme }),
  )
})
