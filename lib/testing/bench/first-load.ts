import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'

const BOARD_GOAL = 180_000
const PAGE_GOAL = 110_000
/** React and Next alone are 132 kB: what a page without interaction may cost until they are left out there. */
const PAGE_LIMIT = 165_000

/** A class of pages: how many bytes of gzipped JavaScript its first load should cost, and how many it may. */
type PageClass = {
  name: string
  goal: number
  limit: number
  path: (rowIds: readonly string[]) => string
}

/** One page of each class, on a server with the demo suites. */
export const PAGE_CLASSES: readonly PageClass[] = [
  {
    name: 'board',
    goal: BOARD_GOAL,
    limit: BOARD_GOAL,
    path: () => '/?suite=demo&chart=cost#charts',
  },
  { name: 'suites', goal: PAGE_GOAL, limit: PAGE_LIMIT, path: () => '/suites' },
  { name: 'suite', goal: PAGE_GOAL, limit: PAGE_LIMIT, path: () => '/suites/demo' },
  { name: 'reports', goal: PAGE_GOAL, limit: PAGE_LIMIT, path: () => '/reports' },
  {
    name: 'report',
    goal: PAGE_GOAL,
    limit: PAGE_LIMIT,
    path: () => '/reports/task-completion?suite=demo',
  },
  { name: 'agent', goal: PAGE_GOAL, limit: PAGE_LIMIT, path: () => '/agents/demo-agent-a' },
  { name: 'methodology', goal: PAGE_GOAL, limit: PAGE_LIMIT, path: () => '/methodology' },
  {
    name: 'compare',
    goal: BOARD_GOAL,
    limit: BOARD_GOAL,
    path: (rowIds) => `/compare?rows=${rowIds.slice(0, 2).map(encodeURIComponent).join()}`,
  },
]

export type FirstLoad = { bytes: number; scripts: { path: string; bytes: number }[] }

/** What a browser that was never here fetches of JavaScript until the page is quiet, gzipped. */
export async function measureFirstLoad(browser: Browser, url: string): Promise<FirstLoad> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const reading: Promise<FirstLoad['scripts'][number]>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' || response.status() !== 200) return
    const read = response
      .body()
      .then((body) => ({ path: new URL(response.url()).pathname, bytes: gzipSync(body).length }))
    reading.push(read)
  })
  try {
    await page.goto(url, { waitUntil: 'networkidle' })
    const scripts = await Promise.all(reading)
    scripts.sort((a, b) => b.bytes - a.bytes)
    return { bytes: scripts.reduce((sum, { bytes }) => sum + bytes, 0), scripts }
  } finally {
    await context.close()
  }
}
