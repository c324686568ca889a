// @module-tag chromium
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAxeViolations, signInAs, type TestUser, VIEWS } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { makeUser } from '#lib/testing/e2e/make-user.ts'
import { type Copy, startCopy, waitUntil } from '#lib/testing/e2e/start-copy.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'

const TASKS = ['lru-cache', 'glob-matcher'] as const
let elsewhere: string
let result: string
let copy: Copy
let browser: Browser
let admin: TestUser
let viewer: TestUser

/** A run made by the command line elsewhere, as in CI. */
beforeAll(async () => {
  elsewhere = mkdtempSync(join(tmpdir(), 'proofboard-elsewhere-'))
  temporarySuite(elsewhere, 'small', TASKS)
  const out = join(elsewhere, 'run')
  const args = ['--suite', 'small', '--subject', 'reference', '--repetitions', '2']
  const { code, stderr } = await proofboardHere(elsewhere, ['run', ...args, '--out', out])
  if (code !== 0) throw new Error(stderr)
  result = join(out, 'result.json')
  const quiet = { PROOFBOARD_FIRST_RUNS: '0', PROOFBOARD_CHROMIUM: 'none' }
  copy = await startCopy(quiet, async (dataDir) => temporarySuite(dataDir, 'small', TASKS))
  browser = await connectToChromium()
  admin = await makeUser(copy.dataDir)
  viewer = await makeUser(copy.dataDir, 'viewer')
  await waitUntil('suite small', async () => ((await askBoard()) ? true : null))
})
afterAll(async () => {
  await browser?.close()
  await copy?.stop()
  rmSync(elsewhere, { recursive: true, force: true })
})

async function askBoard(): Promise<{ rows: { provenance: string; success: object }[] } | null> {
  const response = await fetch(`${copy.url}/api/v1/leaderboard?suite=small`)
  return response.ok ? await response.json() : null
}

async function uploads<T>(
  look: (page: Page) => Promise<T>,
  { user = admin, ...options }: BrowserContextOptions & { user?: TestUser } = {},
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  try {
    await signInAs(page, copy.url, user, '/admin/uploads')
    return await look(page)
  } finally {
    await context.close()
  }
}

async function handIn(page: Page, path: string): Promise<void> {
  await page.getByLabel(/Result files/).setInputFiles(path)
  await page.getByRole('button', { name: 'Validate' }).click()
  await page.waitForURL(/\/admin\/uploads\/up_/)
}

function damaged(name: string, change: (text: string) => string): string {
  const path = join(elsewhere, name)
  writeFileSync(path, change(readFileSync(result, 'utf8')))
  return path
}

describe('an administrator hands results in', () => {
  it('sees what would be written, and nothing is written before the yes', async () => {
    await uploads(async (page) => {
      await handIn(page, result)
      await page.getByText('4 new').first().waitFor()
      await page.getByRole('heading', { name: 'What happens to the entries' }).waitFor()
      await page.getByText('new entry, not ranked').waitFor()
      expect((await askBoard())?.rows).toEqual([])
      await page.getByRole('button', { name: 'Commit' }).click()
      await page.getByText('Added: 4 new').waitFor()
      await page.getByRole('heading', { name: 'What it did to the entries' }).waitFor()
    })
    const rows = await waitUntil('the row', async () => {
      const board = await askBoard()
      return board && board.rows.length > 0 ? board.rows : null
    })
    expect(rows).toMatchObject([{ provenance: 'manual', success: { attempts: 4, tasks: 2 } }])
  })

  it('learns that the same file is stored already', async () => {
    await uploads(async (page) => {
      await handIn(page, result)
      await page.getByText('4 duplicate').first().waitFor()
    })
    expect((await askBoard())?.rows).toMatchObject([{ success: { attempts: 4 } }])
  })

  it('drops a file on the form', async () => {
    await uploads(async (page) => {
      const text = readFileSync(result, 'utf8')
      const transfer = await page.evaluateHandle((words) => {
        const data = new DataTransfer()
        data.items.add(new File([words], 'dropped.json', { type: 'application/json' }))
        return data
      }, text)
      await page
        .locator('form:has(#upload-files)')
        .dispatchEvent('drop', { dataTransfer: transfer })
      await page.waitForURL(/\/admin\/uploads\/up_/)
      await page.getByRole('heading', { name: 'dropped.json' }).waitFor()
    })
  })

  it('sees each episode that cannot be stored, with its path and why, and no Commit', async () => {
    const path = damaged('<img src=x onerror=alert(1)>.json', (text) =>
      text.replace('"status":"solved"', '"status":"unsolved"'),
    )
    await uploads(async (page) => {
      await handIn(page, path)
      await page.getByText('rejected').first().waitFor()
      expect(await page.getByRole('button', { name: 'Commit' }).count()).toBe(0)
      expect(await page.getByText(/episodes[.[]\d/).count()).toBeGreaterThan(0)
      expect(await page.locator('img[src=x]').count()).toBe(0)
      await page.getByText('Discard…').click()
      await page.getByRole('button', { name: 'Discard this upload' }).click()
      await page.getByText('Nothing was stored').waitFor()
    })
  })

  it('learns in one sentence that a file is not a result', async () => {
    const path = damaged('half.json', (text) => text.slice(0, text.length / 2))
    await uploads(async (page) => {
      await page.getByLabel(/Result files/).setInputFiles(path)
      await page.getByRole('button', { name: 'Validate' }).click()
      await page
        .getByText(/ends too early|is no whole|cut off|unexpected end/i)
        .first()
        .waitFor()
    })
  })
})

describe('the page', () => {
  it('shows a viewer no form', async () => {
    await uploads(async (page) => expect(await page.getByLabel(/Result files/).count()).toBe(0), {
      user: viewer,
    })
  })

  it.each(VIEWS)('is accessible at %i px, %s', async (width, colorScheme) => {
    await uploads(
      async (page) => {
        expect(await listAxeViolations(page)).toEqual([])
        await handIn(page, result)
        expect(await listAxeViolations(page)).toEqual([])
        const { scroll, client } = await page.evaluate(() => ({
          scroll: document.documentElement.scrollWidth,
          client: document.documentElement.clientWidth,
        }))
        expect(scroll).toBeLessThanOrEqual(client)
      },
      { colorScheme, viewport: { width, height: 800 } },
    )
  })
})
