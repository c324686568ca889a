// @module-tag chromium
import { readdirSync } from 'node:fs'
import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { signInAs } from '#lib/testing/e2e/browser.ts'
import { readValue } from '#lib/testing/e2e/built-site.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import { makeUser } from '#lib/testing/e2e/make-user.ts'
import { startWeb } from '#lib/testing/e2e/start-copy.ts'

const site = inject('demoUrl')
const dataDir = inject('demoDir')
const SHARED = 'public, s-maxage=5, stale-while-revalidate=60'

type Answer = { status: number; headers: IncomingHttpHeaders; text: string }

/** Sends a request from an address of this machine; each counts as a separate network. */
function ask(path: string, headers: Record<string, string> = {}, localAddress = '127.0.0.1') {
  return askAt(`${site}${path}`, headers, localAddress)
}

function askAt(url: string, headers: Record<string, string> = {}, localAddress = '127.0.0.1') {
  return new Promise<Answer>((resolve, reject) => {
    const sent = get(url, { headers, localAddress, agent: new Agent() })
    sent.once('error', reject)
    sent.once('response', (response) => {
      const { statusCode: status = 0, headers: told } = response
      textOf(response).then((text) => resolve({ status, headers: told, text }), reject)
    })
  })
}

const policyOf = ({ headers }: Answer) => String(headers['content-security-policy'] ?? '')
const nonceOf = (result: Answer) => /'nonce-([^']+)'/.exec(policyOf(result))?.[1] ?? ''

let browser: Browser
let rowId = ''
beforeAll(async () => {
  browser = await connectToChromium()
  rowId = readValue(join(dataDir, 'proofboard.db'), 'SELECT rowId FROM BoardRowId LIMIT 1')
})
afterAll(() => browser.close())

describe('a public page', () => {
  it('may be stored by every cache for seconds, and is not sent again while nothing changed', async () => {
    const first = await ask('/?suite=demo')
    expect(first.status).toBe(200)
    expect(first.headers['cache-control']).toBe(SHARED)
    // nginx does not cache pages with a longer Vary header.
    expect(String(first.headers.vary).length).toBeLessThanOrEqual(128)
    const tag = String(first.headers.etag)
    expect(tag).toContain(nonceOf(first))
    const again = await ask('/?suite=demo', { 'if-none-match': tag })
    // A page changes once a minute.
    expect([200, 304]).toContain(again.status)
    const fresh =
      again.status === 304
        ? again
        : await ask('/?suite=demo', { 'if-none-match': String(again.headers.etag) })
    expect(fresh.status).toBe(304)
    expect(fresh.text).toBe('')
    // A policy here would replace the one with the nonce of the cached page.
    expect(policyOf(fresh)).toBe('')
    expect(fresh.headers['cache-control']).toBe(SHARED)
  })

  it('has a tag that every server of the same build knows', async () => {
    const other = await startWeb(dataDir)
    const revalidate = async () => {
      const { headers } = await ask('/suites/demo')
      return askAt(`${other.url}/suites/demo`, { 'if-none-match': String(headers.etag) })
    }
    const first = await revalidate()
    // A page changes once a minute.
    const { status } = first.status === 304 ? first : await revalidate()
    await other.stop()
    expect(status).toBe(304)
  })

  it('has a nonce of its own for each render, which its scripts name', async () => {
    const [first, second] = [await ask('/suites/demo'), await ask('/suites/demo')]
    expect(nonceOf(first)).not.toBe(nonceOf(second))
    const scripts = first.text.match(/<script\b[^>]*>/g) ?? []
    expect(scripts.length).toBeGreaterThan(2)
    for (const script of scripts) expect(script).toContain(`nonce="${nonceOf(first)}"`)
  })

  it('has no tag where it shows more than the public data', async () => {
    const { headers } = await ask('/ledger')
    expect([headers['cache-control'], headers.etag]).toEqual([SHARED, undefined])
  })

  it('is found, moved or missing before it is rendered', async () => {
    const moved = await ask(`/rows/${rowId}`)
    expect(moved.status).toBe(307)
    expect(moved.headers.location).toContain(encodeURIComponent(rowId))
    for (const path of [
      '/agents/nobody',
      '/rows/row_none',
      '/?suite=none',
      '/reports/none',
      '/suites/demo/tasks/none',
      '/nowhere',
    ]) {
      const { status, text } = await ask(path)
      expect([path, status]).toEqual([path, 404])
      expect(text).toMatch(/<h1[^>]*>[^<]*not found/i)
    }
  })
})

it('answers 404 for every page that shows one thing, where that thing is missing', async () => {
  const pages = readdirSync('app/(board)', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\[\w+\]\/page\.tsx$/.test(path))
    .map((path) =>
      path
        .replace(/(?:^|\/)\(\w+\)/g, '')
        .replace(/\[\w+\]/g, 'none')
        .replace('/page.tsx', ''),
    )
  expect(pages.length).toBeGreaterThan(7)
  for (const path of pages) expect([path, (await ask(`/${path}`)).status]).toEqual([path, 404])
})

describe('what depends on its reader', () => {
  it.each([
    ['a session', '/', { cookie: 'proofboard.session_token=x' }],
    ['a credential', '/', { authorization: 'Bearer x' }],
    ["the data of Next's router", '/', { rsc: '1' }],
    ['the sign-in', '/sign-in', {}],
    ['the administration', '/admin', {}],
  ])('is stored by nothing: %s', async (_, path, headers) => {
    const { headers: told } = await ask(path, headers as Record<string, string>)
    expect(String(told['cache-control'])).toContain('no-store')
    expect(told['cache-control']).not.toMatch(/public|s-maxage/)
    expect(told.etag).toBeUndefined()
  })

  it('shows a browser that signs in no page that it stored before', async () => {
    const user = await makeUser(dataDir)
    const page = await browser.newPage()
    const controls: (string | undefined)[] = []
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/runs')
        controls.push(response.headers()['cache-control'])
    })
    await page.goto(`${site}/runs`)
    await signInAs(page, site, user)
    await page.goto(`${site}/runs`)
    expect(controls).toEqual([SHARED, 'private, no-store'])
    await page.close()
  })

  it('is asked for each time that a browser opens it: `stale-while-revalidate` is for caches between', async () => {
    const page = await browser.newPage()
    for (let time = 0; time < 3; time++) {
      await page.goto(`${site}/ledger`)
      const size = await page.evaluate(() =>
        performance
          .getEntriesByType('navigation')
          .map((entry) => ('transferSize' in entry ? entry.transferSize : 0)),
      )
      expect(Number(size[0])).toBeGreaterThan(0)
    }
    await page.close()
  })
})

describe('a flood of one network', () => {
  // fair-queue.test.ts counts the renders in between: here pages also wait in sockets until this process reads them.
  it('is answered after another network, however much earlier it asked', async () => {
    const order: string[] = []
    const answered = async (name: string, result: Promise<Answer>) => {
      const { status } = await result
      order.push(name)
      expect(status).toBe(200)
    }
    const flood = Array.from({ length: 40 }, (_, index) =>
      answered('flood', ask(`/methodology?flood=${index}`, {}, '127.0.0.9')),
    )
    await Promise.race(flood)
    const reader = answered('reader', ask('/methodology', {}, '127.0.0.10'))
    await Promise.all([...flood, reader])
    // A queue in order of arrival would serve it last. Responses in sockets are read in any order.
    expect(order.indexOf('reader')).toBeLessThan(flood.length * 0.75)
  })
})
