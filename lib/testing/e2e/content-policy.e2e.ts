// @module-tag chromium
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { signInAs } from '#lib/testing/e2e/browser.ts'
import { fillAddress, readBuiltSite, readValue } from '#lib/testing/e2e/built-site.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { makeUser } from '#lib/testing/e2e/make-user.ts'

const site = inject('demoUrl')
const dataDir = inject('demoDir')

let browser: Browser
let page: Page
let values: Record<string, string> = {}
const complaints: string[] = []

beforeAll(async () => {
  browser = await connectToChromium()
  const admin = await makeUser(dataDir)
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('pageerror', (error) => complaints.push(`error on the page: ${error.message}`))
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text())
  })
  await signInAs(page, site, admin)
  const one = (sql: string) => readValue(join(dataDir, 'proofboard.db'), sql)
  values = {
    runId: one('SELECT runId FROM Run LIMIT 1'),
    episodeId: one('SELECT episodeId FROM Episode LIMIT 1'),
    suiteId: 'demo',
    taskId: one('SELECT taskId FROM Task LIMIT 1'),
    axis: 'cost',
    page: 'evidence',
  }
})
afterAll(() => browser.close())

const policyOf = async (path: string) =>
  (await fetch(`${site}${path}`)).headers.get('content-security-policy') ?? ''

describe('the content security policy', () => {
  it('lets scripts run by a nonce of this answer alone', async () => {
    for (const path of ['/', '/sign-in', '/nowhere']) {
      const [policy, again] = [await policyOf(path), await policyOf(path)]
      const script = policy.split('; ').find((part) => part.startsWith('script-src ')) ?? ''
      expect(script).toMatch(/^script-src 'self' 'nonce-[\w+/]{22}==' 'strict-dynamic'$/)
      expect(policy).not.toBe(again)
      for (const part of ["base-uri 'none'", "object-src 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(part)
    }
    expect(await policyOf('/api/v1/health')).toContain("default-src 'none'")
  })

  it('echoes a plausible request id, and makes one for any other', async () => {
    const ask = async (id: string) => {
      const response = await fetch(site, { headers: { 'x-request-id': id } })
      return response.headers.get('x-request-id')
    }
    expect(await ask('edge-0123456789')).toBe('edge-0123456789')
    expect(await ask('<script>')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('stops a script that a page was talked into', async () => {
    await page.goto(site)
    const ran = await page.evaluate(() => {
      const holder = document.createElement('div')
      holder.innerHTML = '<img src="/none" onerror="window.talked = 1">'
      document.body.append(holder)
      return new Promise((resolve) => setTimeout(() => resolve('talked' in window), 300))
    })
    expect(ran).toBe(false)
    expect(complaints.splice(0).join()).toMatch(/content security policy/i)
  })

  it('is obeyed by every page, and every page works under it', async () => {
    const { pages } = readBuiltSite()
    expect(pages.length).toBeGreaterThan(15)
    for (const address of [...pages, '/nowhere']) {
      const path = fillAddress(address, values)
      const response = await page.goto(`${site}${path}`, { waitUntil: 'load' })
      if (response?.status() === 404) {
        // A missing page has no scripts.
        expect(complaints.splice(0), path).toEqual([])
        continue
      }
      const isDark = () => page.locator('html').getAttribute('data-theme')
      await expect.poll(isDark, { timeout: 60_000, message: path }).not.toBeNull()
      const before = await isDark()
      await page.getByRole('button', { name: 'Switch between light and dark' }).click()
      await page.waitForFunction(
        (was) => document.documentElement.getAttribute('data-theme') !== was,
        before,
      )
      expect(complaints.splice(0), path).toEqual([])
    }
  })
})
