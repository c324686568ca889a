// @module-tag chromium
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAxeViolations, signInAs, type TestUser } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { makeUser } from '#lib/testing/e2e/make-user.ts'
import { type Copy, startCopy, waitUntil } from '#lib/testing/e2e/start-copy.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'

let copy: Copy
let browser: Browser
let admin: TestUser
let page: Page

beforeAll(async () => {
  const quiet = { PROOFBOARD_FIRST_RUNS: '0', PROOFBOARD_CHROMIUM: 'none' }
  copy = await startCopy(quiet, async (dataDir) => temporarySuite(dataDir, 'small', ['lru-cache']))
  browser = await connectToChromium()
  admin = await makeUser(copy.dataDir)
  await waitUntil('suite small', async () => ((await listSuites()).length > 0 ? true : null))
  page = await browser.newPage({ viewport: { width: 360, height: 800 } })
  await signInAs(page, copy.url, admin, '/?suite=small')
})
afterAll(async () => {
  await browser?.close()
  await copy?.stop()
})

async function listSuites(): Promise<string[]> {
  const answer = await fetch(`${copy.url}/api/v1/suites`)
  const { suites } = (await answer.json()) as { suites: { suiteId: string }[] }
  return suites.map(({ suiteId }) => suiteId)
}

const banner = () => page.getByRole('complementary', { name: 'Example board' })

describe('an example board', () => {
  it('comes with one click, says so on every page, and is in no answer of the API', async () => {
    const before = await listSuites()
    await page.getByRole('button', { name: 'Show a simulated example board' }).click()
    await banner().getByText('Simulated example board.').waitFor({ timeout: 120_000 })
    await page.getByRole('link', { name: /^Demo \(simulated\)/ }).click()
    await page.getByText('demo-agent-a').filter({ visible: true }).first().waitFor()
    expect(await listAxeViolations(page)).toEqual([])
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(widest).toBeLessThanOrEqual(360)
    for (const path of ['/runs', '/ledger', '/methodology', '/suites/demo', '/plan', '/reports']) {
      await page.goto(`${copy.url}${path}`)
      expect(await banner().count(), path).toBe(1)
    }
    await page.goto(`${copy.url}/runs`)
    await page.locator('a[href^="/runs/run_demo"]').first().click()
    await page.getByRole('heading', { name: /^demo-/ }).waitFor()
    expect(await banner().count()).toBe(1)
    expect(await listSuites()).toEqual(before)
    const asked = await page.request.get(`${copy.url}/api/v1/leaderboard?suite=demo`)
    expect(asked.status()).toBe(404)
    const other = await browser.newPage()
    await other.goto(`${copy.url}/?suite=demo`)
    expect(await other.getByText('Simulated example board.').count()).toBe(0)
    await other.getByText('Suite not found').waitFor()
    await other.close()
  })

  it('is left and removed with one click each', async () => {
    await banner().getByRole('button', { name: 'Back to your board' }).click()
    await page.waitForURL(`${copy.url}/`)
    expect(await banner().count()).toBe(0)
    expect(existsSync(join(copy.dataDir, 'examples', 'simulated'))).toBe(true)
    await page.getByRole('button', { name: 'Show a simulated example board' }).click()
    await banner().getByRole('button', { name: 'Remove the example' }).click()
    await page.waitForURL(`${copy.url}/`)
    expect(await banner().count()).toBe(0)
    expect(existsSync(join(copy.dataDir, 'examples', 'simulated'))).toBe(false)
  })

  it('shows the published results of ts-bench as reported, unranked entries', async () => {
    await page.getByRole('button', { name: /published results/ }).click()
    await banner().getByText('Example: results published by ts-bench.').waitFor()
    await page.getByText('never ranked').first().waitFor()
    await page.getByText('claude-opus-4-6').filter({ visible: true }).first().waitFor()
    await banner().getByRole('button', { name: 'Remove the example' }).click()
    await page.waitForURL(`${copy.url}/`)
    expect(existsSync(join(copy.dataDir, 'examples', 'ts-bench'))).toBe(false)
  })
})
