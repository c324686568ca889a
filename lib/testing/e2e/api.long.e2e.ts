// @module-tag chromium
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAxeViolations } from '#lib/testing/e2e/browser.ts'
import { connectToChromium } from '#lib/testing/e2e/looks.ts'
import type { Copy } from '#lib/testing/e2e/start-copy.ts'
import { startDemoCopy } from '#lib/testing/e2e/start-demo-copy.ts'

const PUBLIC_URL = 'https://board.example'
let copy: Copy
let browser: Browser
let elsewhere: Server
let rowIds: string[] = []
let episodeId = ''
let runId = ''

const api = (path: string, init?: RequestInit) => fetch(`${copy.url}/api/v1${path}`, init)
const json = async (path: string) => (await api(path)).json()

beforeAll(async () => {
  copy = await startDemoCopy({ PROOFBOARD_URL: PUBLIC_URL, PROOFBOARD_READS_PER_MINUTE: '600' })
  browser = await connectToChromium()
  // Another site, which can embed only what the server explicitly allows.
  elsewhere = createServer((_, response) => {
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>x</title>')
  }).listen(0, '127.0.0.1')
  const { rows } = await json('/leaderboard?suite=demo')
  rowIds = rows.map(({ rowId }: { rowId: string }) => rowId)
  const { episodes } = await json('/episodes?suite=demo-browser&outcome=solved&limit=500')
  // The demo suite has evidence for first repetitions only.
  const first = episodes.find(({ repetition }: { repetition: number }) => repetition === 1)
  episodeId = first.episodeId
  runId = first.runId
  const { status } = await api(`/episodes/${episodeId}/screenshot`, { method: 'HEAD' })
  expect(status, 'its evidence is stored').toBe(200)
})
afterAll(async () => {
  elsewhere?.close()
  await browser?.close()
  await copy?.stop()
})

async function onPage<T>(
  path: string,
  look: (page: Page) => Promise<T>,
  { width = 1280, colorScheme = 'light' as 'light' | 'dark' } = {},
): Promise<T> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  try {
    const page = await context.newPage()
    await page.goto(path.startsWith('http') ? path : `${copy.url}${path}`, { waitUntil: 'load' })
    return await look(page)
  } finally {
    await context.close()
  }
}

describe('over HTTP', () => {
  it('any site may read and see the headers, and none may bring its cookies', async () => {
    const response = await api('/runs?limit=1', { headers: { origin: 'https://else.example' } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(response.headers.get('access-control-expose-headers')).toMatch(/ETag.*Link.*RateLimit/)
    const preflight = await api('/runs', { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
    ])
  })

  it('other sites’ pages can embed what is made for them, and nothing else', async () => {
    const { port } = elsewhere.address() as AddressInfo
    const shown = await onPage(`http://127.0.0.1:${port}/`, (page) =>
      page.evaluate(
        async ([base, row, episode]) => {
          const load = (path: string) =>
            new Promise<boolean>((resolve) => {
              const image = new Image()
              image.onload = () => resolve(image.naturalWidth > 0)
              image.onerror = () => resolve(false)
              image.src = `${base}${path}`
            })
          const read = await fetch(`${base}/suites`)
          return {
            badge: await load(`/rows/${row}/badge.svg`),
            preview: await load(`/rows/${row}/preview.png`),
            screenshot: await load(`/episodes/${episode}/screenshot`),
            etag: read.headers.get('etag'),
          }
        },
        [`${copy.url}/api/v1`, rowIds[0], episodeId] as const,
      ),
    )
    expect(shown).toEqual({
      badge: true,
      preview: true,
      screenshot: false,
      etag: expect.stringMatching(/^"/),
    })
  })

  it.each(['/suites', '/runs', '/episodes', '/ledger', '/openapi.json', '/schemas/episode'])(
    '%s: its head, its ETag, no other method',
    async (path) => {
      const head = await api(path, { method: 'HEAD' })
      const etag = head.headers.get('etag') ?? ''
      expect([head.status, await head.text(), etag.length > 2]).toEqual([200, '', true])
      const known = await api(path, { headers: { 'if-none-match': etag } })
      expect(known.status).toBe(304)
      const refused = await api(path, { method: 'DELETE' })
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
      expect(refused.headers.get('content-type')).toBe('application/problem+json')
    },
  )

  it('refuses in one form, whatever is wrong', async () => {
    for (const [path, headers, status] of [
      ['/runs?limit=many', {}, 400],
      ['/nowhere', {}, 404],
      ['/runs/run_nowhere', {}, 404],
      ['/subjects/sha256%3Anowhere', {}, 404],
      ['/runs', { accept: 'text/html' }, 406],
    ] as const) {
      const response = await api(path, { headers })
      expect([response.status, response.headers.get('content-type')], path).toEqual([
        status,
        'application/problem+json',
      ])
      expect(await response.json()).toMatchObject({ status, detail: expect.any(String) })
    }
    const { subjects } = await json('/subjects?limit=1')
    const encoded = encodeURIComponent(subjects[0].subjectId)
    expect((await json(`/subjects/${encoded}`)).name).toBe(subjects[0].name)
  })

  it('walks a list by its Link headers to the same whole', async () => {
    const walk = async (path: string | null, ids: string[] = []): Promise<string[]> => {
      if (path === null) return ids
      const response = await fetch(`${copy.url}${path}`)
      const { episodes, next } = await response.json()
      const link = response.headers.get('link')?.match(/^<([^>]*)>; rel="next"$/)?.[1] ?? null
      expect(link).toBe(next)
      return walk(link, [...ids, ...episodes.map((one: { episodeId: string }) => one.episodeId)])
    }
    const big = await walk('/api/v1/episodes?suite=demo&limit=500')
    const small = await walk('/api/v1/episodes?suite=demo&limit=180')
    expect(small).toEqual(big)
    expect(new Set(big).size).toBe(big.length)
  })

  it('gives a range of a log byte for byte, also to who takes packed answers', async () => {
    const headers = { range: 'bytes=2-9', 'accept-encoding': 'gzip, br' }
    const part = await api(`/episodes/${episodeId}/logs/raw?role=events`, { headers })
    expect([part.status, part.headers.get('content-encoding')]).toEqual([206, null])
    const whole = await (await api(`/episodes/${episodeId}/logs/raw?role=events`)).text()
    expect(await part.text()).toBe(whole.slice(2, 10))
  })
})

describe('badges and preview images', () => {
  it('an unknown row’s badge says so', async () => {
    const response = await api('/rows/row_%3Cscript%3E/badge.svg')
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'image/svg+xml; charset=utf-8',
    ])
    expect(await response.text()).toContain('unknown entry')
    expect((await json('/rows/nowhere/badge.json')).isError).toBe(true)
  })

  it('has preview images of a row and of a comparison, and does not render a cached one again', async () => {
    const [a, b] = rowIds
    for (const path of [`/rows/${a}/preview.png`, `/compare/preview.png?rows=${a},${b}`]) {
      const response = await api(path)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(bytes.subarray(1, 4).toString()).toBe('PNG')
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
      const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
      expect((await api(path, { headers })).status).toBe(304)
    }
  })

  it('names them on the pages of row, comparison, run and episode, with whole addresses', async () => {
    const [a, b] = rowIds
    for (const path of [
      `/?suite=demo&open=${a}`,
      `/compare?rows=${a},${b}`,
      `/runs/${runId}`,
      `/episodes/${episodeId}`,
    ]) {
      const text = await (await fetch(`${copy.url}${path}`)).text()
      const image = /<meta property="og:image" content="([^"]*)"/.exec(text)?.[1] ?? ''
      expect(image, path).toMatch(/^https:\/\/board\.example\/api\/v1\/.*preview\.png/)
      expect(text).toContain('<meta name="twitter:card" content="summary_large_image"')
      const own = image.replace(PUBLIC_URL, copy.url).replaceAll('&amp;', '&')
      expect((await fetch(own, { method: 'HEAD' })).status, own).toBe(200)
    }
    const row = await fetch(`${copy.url}/rows/${a}`, { redirect: 'manual' })
    expect([row.status, row.headers.get('location')]).toEqual([307, `/?suite=demo&open=${a}`])
  })

  it('offers a row’s badge to copy where the row is open', () =>
    onPage(`/?suite=demo&open=${rowIds[0]}`, async (page) => {
      await page.getByAltText('Badge of this entry').first().waitFor()
      await page.getByRole('button', { name: 'Copy badge' }).first().waitFor()
    }))
})

const isCurl = (line: string) => line.startsWith('curl ')

/** The status for an address of the page on this server. */
async function tryLine(line: string): Promise<number> {
  const address = /'(https:[^']*)'$/.exec(line)?.[1] ?? ''
  expect(address.startsWith(PUBLIC_URL), line).toBe(true)
  const stop = new AbortController()
  const method = isSending(line) ? 'POST' : 'GET'
  const { signal } = stop
  const { status } = await fetch(address.replace(PUBLIC_URL, copy.url), { method, signal })
  stop.abort()
  return status
}

const isSending = (line: string) => line.includes('--data-binary')

/**
 * Statuses that are also correct: a complete row has no top-up, most episodes have no screenshot or transcript, no plan
 * was registered, and submissions need a token.
 */
function mayAnswer(line: string): number[] {
  if (isSending(line)) return [401]
  if (/top-up/.test(line)) return [200, 409]
  return /screenshot|transcript|atif|planDigest/.test(line) ? [200, 404] : [200]
}

describe('the page about it', () => {
  it('has a line for every operation, and each line works', () =>
    onPage('/docs/api', async (page) => {
      expect(new URL(page.url()).pathname).toBe('/api-reference')
      const lines = (await page.locator('pre').allTextContents()).filter(isCurl)
      const { paths } = await json('/openapi.json')
      expect(lines.length).toBeGreaterThan(Object.keys(paths).length)
      for (const line of lines) expect(mayAnswer(line), line).toContain(await tryLine(line))
      await page.locator('#getHealth summary').click()
      await page.locator('#getHealth').getByText('"status"').waitFor()
    }))

  it.each([
    [1280, 'light'],
    [360, 'dark'],
  ] as const)('at %i px, %s, is clean to axe and no wider than the window', (width, colorScheme) =>
    onPage(
      '/api-reference',
      async (page) => {
        expect(await listAxeViolations(page)).toEqual([])
        const widest = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(widest).toBeLessThanOrEqual(width)
      },
      { width, colorScheme },
    ),
  )
})

// Last, because afterwards this address is rate-limited.
it('counts the reads of an address, and refuses with the time to wait', async () => {
  const first = await api('/suites', { headers: { 'x-proofboard-peer': '192.0.2.1' } })
  expect(first.headers.get('ratelimit-policy')).toBe('"reads";q=600;w=60')
  let refused: Response | null = null
  for (let requestedAt = 0; requestedAt < 1200 && refused === null; requestedAt += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => api('/suites')))
    refused = answers.find(({ status }) => status === 429) ?? null
  }
  expect(refused?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect(await refused?.json()).toMatchObject({ code: 'too-many-requests' })
  const forged = { 'x-proofboard-peer': '192.0.2.2', 'x-forwarded-for': '192.0.2.3' }
  const burst = Array.from({ length: 60 }, () => api('/suites', { headers: forged }))
  const statuses = (await Promise.all(burst)).map(({ status }) => status)
  expect(statuses, 'no header makes another address of it').toContain(429)
  expect((await api(`/rows/${rowIds[0]}/badge.svg`)).status, 'badges are counted apart').toBe(200)
})
