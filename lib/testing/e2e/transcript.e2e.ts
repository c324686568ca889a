// @module-tag chromium
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { listAxeViolations } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'

const site = inject('demoUrl')
let browser: Browser
let episode: string

beforeAll(async () => {
  browser = await connectToChromium()
  const response = await fetch(`${site}/api/v1/episodes?suite=demo&outcome=unsolved&limit=500`)
  const { episodes } = await response.json()
  // The demo suite has transcripts for first repetitions only.
  for (const { episodeId, repetition } of episodes) {
    if (repetition !== 1) continue
    const { status } = await fetch(`${site}/api/v1/episodes/${episodeId}/transcript?limit=1`)
    if (status !== 200) continue
    episode = episodeId
    break
  }
})
afterAll(() => browser.close())

async function onEpisode<T>(
  hash: string,
  look: (page: Page) => Promise<T>,
  { width = 1280, colorScheme = 'light' as 'light' | 'dark', scripts = true } = {},
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    javaScriptEnabled: scripts,
  })
  try {
    const page = await context.newPage()
    await page.goto(`${site}/episodes/${episode}?tab=transcript${hash}`, { waitUntil: 'load' })
    return await look(page)
  } finally {
    await context.close()
  }
}

describe('the transcript of an episode', () => {
  it('shows its first steps without scripts, and says that they are simulated', () =>
    onEpisode(
      '',
      async (page) => {
        const section = page.locator('#transcript')
        await section.getByRole('article', { name: 'Step 1: System' }).waitFor()
        expect(await section.textContent()).toContain('simulated: no agent ever ran')
      },
      { scripts: false },
    ))

  it('finds a text and goes from match to match; hostile text stays text', () =>
    onEpisode('', async (page) => {
      const section = page.locator('#transcript')
      await section.getByLabel('Search this transcript').fill('<b>SIMULATED')
      await section.getByText('1 step', { exact: true }).waitFor()
      await section.getByRole('button', { name: 'Next match' }).click()
      await section.getByText('1 of 1 steps').waitFor()
      await section.getByText('FAIL').first().waitFor()
      expect(await section.locator('pre b').count()).toBe(0)
      expect(await section.getByText(/Workspace changes, seen when call \d+ arrived/).count()).toBe(
        1,
      )
    }))

  it('opens at the step of its address, and the address follows', () =>
    onEpisode('#step-8', async (page) => {
      const section = page.locator('#transcript')
      await section.getByText('Step 8 of 11').waitFor()
      await section.getByRole('button', { name: 'Next step' }).click()
      await section.getByText('Step 9 of 11').waitFor()
      expect(new URL(page.url()).hash).toBe('#step-9')
      await section.getByRole('link', { name: 'step 11' }).first().click()
      await section.getByText('Step 11 of 11').waitFor()
    }))

  it.each([
    [1280, 'light'],
    [360, 'dark'],
  ] as const)('at %i px, %s, is clean to axe and no wider than the window', (width, colorScheme) =>
    onEpisode(
      '#step-3',
      async (page) => {
        await page.locator('#transcript').getByText('Step 3 of 11').waitFor()
        expect(await listAxeViolations(page)).toEqual([])
        const widest = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(widest).toBeLessThanOrEqual(width)
      },
      { width, colorScheme },
    ),
  )

  it('comes out as a trajectory', async () => {
    const response = await fetch(`${site}/api/v1/episodes/${episode}/atif`)
    expect(await response.json()).toMatchObject({
      schema_version: 'ATIF-v1.4',
      session_id: episode,
    })
  })
})
