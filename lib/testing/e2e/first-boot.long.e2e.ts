// @module-tag chromium
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { type Copy, startCopy } from '#lib/testing/e2e/start-copy.ts'

describe('the first boot, watched', () => {
  let copy: Copy
  let browser: Browser
  beforeAll(async () => {
    browser = await connectToChromium()
    copy = await startCopy()
  })
  afterAll(async () => {
    await browser.close()
    await copy.stop()
  })

  it('fills the board by itself, on a page opened at once and never reloaded', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(copy.url)
    await page.evaluate(() => Object.assign(window, { opened: 'once' }))
    const checks = page.getByRole('link', { name: /instrument checks: \d of \d as expected/ })
    await checks.waitFor({ timeout: 120_000 })
    // Controls are not listed on the board.
    expect(await page.locator('tr[data-row]').count()).toBe(0)
    const next = page.getByRole('region', { name: 'No entry is ranked yet' })
    const commands = (await next.locator('pre').allTextContents()).join('\n')
    expect(commands).toContain('npx proofboard run --suite typescript --subject claude')
    expect(commands).toContain('npx proofboard run --suite browser --subject playwright')
    expect(await page.evaluate(() => Reflect.get(window, 'opened'))).toBe('once')
    await page.getByRole('link', { name: /^Show \d controls?$/ }).click()
    const row = page.locator('tr[data-row]', { hasText: 'reference' })
    await row.first().waitFor({ timeout: 120_000 })
    expect(await row.first().textContent()).toContain('control')
  })

  it('keeps what it wrote to itself: folders 0700, files 0600', () => {
    const names = readdirSync(copy.dataDir, { recursive: true, encoding: 'utf8' })
    const open = names.filter((name) => {
      const found = lstatSync(join(copy.dataDir, name), { throwIfNoEntry: false })
      return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0
    })
    expect(open.filter((name) => !/^(?:agents|images)(?:\/|$)/.test(name))).toEqual([])
    expect(names.some((name) => name.startsWith('runs/'))).toBe(true)
  })

  it('says what it does on the terminal', () => {
    expect(copy.said()).toMatch(/ready in .*: http:\/\/localhost:\d+/)
    expect(copy.said()).toMatch(/worker +first runs queued/)
  })

  it('shows a one-time link that makes the first account, and works once', async () => {
    const message = copy.said()
    const link = /\n {2}(http:\S+\/setup\?token=\w{43})\n/.exec(message)?.[1] ?? ''
    expect(message.indexOf('ready in')).toBeLessThan(message.indexOf(link))
    const page = await browser.newPage()
    await page.goto(link)
    await page.getByLabel('E-mail').fill('ada@example.org')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Password').fill('ada@example.org')
    await page.getByText('must not be the e-mail address').waitFor()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('alert').filter({ hasText: 'must not be' }).waitFor()
    await page.getByLabel('Password').fill('three words and a horse')
    await page.getByText('Strong.').waitFor()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/admin')
    await page.getByText('ada@example.org, admin').waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  })
})
