// @module-tag chromium
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  listAxeViolations,
  signInAs,
  type TestUser,
  untilHydrated,
} from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { makeUser } from '#lib/testing/e2e/make-user.ts'
import { type Copy, startCopy, waitUntil } from '#lib/testing/e2e/start-copy.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'

const QUIET = { PROOFBOARD_FIRST_RUNS: '0', PROOFBOARD_CHROMIUM: 'none' }
const FORM = '/admin/launch?suite=small'
let copy: Copy
let browser: Browser
let admin: TestUser

beforeAll(async () => {
  copy = await startCopy(QUIET, async (dataDir) =>
    temporarySuite(dataDir, 'small', ['lru-cache', 'glob-matcher']),
  )
  browser = await connectToChromium()
  admin = await makeUser(copy.dataDir)
  await waitUntil('suite small', async () => {
    const response = await fetch(`${copy.url}/api/v1/leaderboard?suite=small`)
    return response.ok ? true : null
  })
})
afterAll(async () => {
  await browser?.close()
  await copy?.stop()
})

async function signedIn<T>(
  path: string,
  look: (page: Page) => Promise<T>,
  { user = admin, ...options }: BrowserContextOptions & { user?: TestUser } = {},
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  try {
    await signInAs(page, copy.url, user, path)
    if (options.javaScriptEnabled !== false) await untilHydrated(page)
    return await look(page)
  } finally {
    await context.close()
  }
}

type RunList = { runs: { suiteId: string; status: string; solved: number }[] }

describe('an administrator launches', () => {
  it.each([true, false])('what was frozen, once (scripts: %s)', async (javaScriptEnabled) => {
    const look = async (page: Page) => {
      await page.getByText(/^2 episodes \(2 tasks × 1\)/).waitFor()
      const step = page.getByRole('list', { name: 'Steps of a launch' }).locator('[aria-current]')
      expect(await step.textContent()).toContain('Review')
      await page.getByRole('button', { name: 'Review plan' }).click()
      await page.getByText('Plan ready. Nothing has started yet.').waitFor()
      expect(await step.textContent()).toContain('Launch')
      expect(await page.locator('main pre').first().textContent()).toBe(
        'npx proofboard run --suite small --subject reference --repetitions 1',
      )
      await page.getByRole('button', { name: 'Launch 2 episodes' }).click()
      await page.waitForURL(/\/admin\/queue\?job=job_/)
    }
    await signedIn(FORM, look, { javaScriptEnabled })
  })

  it('and sees it finish', async () => {
    const runs = await waitUntil('both runs done', async () => {
      const response = await fetch(`${copy.url}/api/v1/runs`)
      const { runs: list } = (await response.json()) as RunList
      const done = list.filter(({ suiteId, status }) => suiteId === 'small' && status === 'done')
      return done.length === 2 ? done : null
    })
    expect(runs.map(({ solved }) => solved)).toEqual([2, 2])
  })

  it('shows a problem beside its field, before and after the form is sent', async () => {
    await signedIn(FORM, async (page) => {
      await page.getByLabel('Repetitions per task').fill('many')
      await page.getByText('The form has changed since this estimate.').waitFor()
      expect(await page.getByRole('button', { name: 'Review plan' }).count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Save preset' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Estimate' }).click()
      await page.getByText('Repetitions must be a whole number from 1 to 1,000').waitFor()
      expect(new URL(page.url()).search).toBe('?suite=small')
      await page.goto(
        `${copy.url}${FORM}&repetitions=many&model=%3Cscript%3Ealert(1)%3C%2Fscript%3E`,
      )
      await page.getByText('A model id starts with a letter').waitFor()
      expect(await page.getByRole('button', { name: 'Review plan' }).count()).toBe(0)
    })
  })

  it('selects no task only by saying so: nothing would mean all of them', async () => {
    await signedIn(FORM, async (page) => {
      await page.getByText(/^Pick tasks/).click()
      const first = page.getByRole('button', { name: 'Select the first tasks' })
      await page.getByLabel('Number of tasks').fill('0')
      expect(await first.isDisabled()).toBe(true)
      await page.getByLabel('Number of tasks').fill('1')
      await first.click()
      expect(await page.getByLabel('Task names').inputValue()).toBe('glob-matcher')
      await page.getByRole('searchbox', { name: 'Search tasks' }).fill('no such task')
      expect(await page.getByRole('button', { name: 'Select shown' }).isDisabled()).toBe(true)
      expect(await page.getByLabel('Task names').inputValue()).toBe('glob-matcher')
    })
  })

  it('reads what an agent needs that is not installed', async () => {
    await signedIn(FORM, async (page) => {
      await page.getByRole('link', { name: /^Install another/ }).click()
      await page.locator('#not-installed dd').first().waitFor({ state: 'visible' })
    })
  })

  it('keeps a preset and opens it', async () => {
    await signedIn(`${FORM}&repetitions=4`, async (page) => {
      await page.getByLabel('Preset name').fill('Four <b>times</b>')
      await page.getByRole('button', { name: 'Save preset' }).click()
      await page.getByText('Saved “Four <b>times</b>”.').waitFor()
      await page.goto(`${copy.url}${FORM}`)
      await page.getByRole('link', { name: 'Four <b>times</b>' }).click()
      await page.waitForURL(/repetitions=4/)
      await page.getByText(/^8 episodes \(2 tasks × 4\)/).waitFor()
      await page.getByRole('button', { name: 'Delete preset Four <b>times</b>' }).click()
      await page.getByText('No presets yet.').waitFor()
    })
  })

  it('leads to the sign-in where the session has ended meanwhile', async () => {
    await signedIn(FORM, async (page) => {
      await page.getByRole('button', { name: 'Review plan' }).waitFor()
      await page.context().clearCookies()
      await page.getByRole('button', { name: 'Review plan' }).click()
      const link = page.getByRole('alert').getByRole('link', { name: 'Sign in in a new tab' })
      expect(await link.getAttribute('href')).toBe('/sign-in')
      expect(await page.getByLabel('Suite').inputValue()).toBe('small')
    })
  })

  it('opens with the settings of a run, from its page', async () => {
    await signedIn(FORM, async (page) => {
      await page.goto(`${copy.url}/runs`)
      await page.locator('a[href^="/runs/run_"]').first().click()
      await page.getByRole('link', { name: 'Launch again with these settings' }).click()
      await page.waitForURL(/\/admin\/launch\?suite=/)
      await page.getByRole('button', { name: 'Review plan' }).waitFor()
    })
  })

  it('and a viewer looks only', async () => {
    const user = await makeUser(copy.dataDir, 'viewer')
    const look = async (page: Page) => {
      await page.getByText('Only administrators can launch runs.').waitFor()
      expect(await page.getByRole('button', { name: 'Review plan' }).count()).toBe(0)
    }
    await signedIn(FORM, look, { user })
  })

  it.each(['light', 'dark'] as const)(
    'on a page that axe finds clean (%s)',
    async (colorScheme) => {
      const look = async (page: Page) => {
        expect(await listAxeViolations(page)).toEqual([])
        await page.getByRole('button', { name: 'Review plan' }).click()
        await page.getByText('Plan ready. Nothing has started yet.').waitFor()
        await page.setViewportSize({ width: 360, height: 740 })
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(width).toBeLessThanOrEqual(360)
      }
      await signedIn(FORM, look, { colorScheme })
    },
  )
})
