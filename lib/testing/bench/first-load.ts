import { gzipSync } from 'node:zlib'
import type { Browser, Response } from 'playwright-core'

const BOARD_GOAL = 200_000
/** A page with tables or charts, and one without. */
const PAGE_GOAL = 192_000
const PLAIN_GOAL = 150_000
/** Bytes of recharts, which a page loads when a chart is about to be visible. */
export const CHART_GOAL = 130_000

/** A class of pages, and its limit of gzipped JavaScript on first load, in bytes. */
type PageClass = {
  name: string
  goal: number
  path: (rowIds: readonly string[]) => string
}

/** One page of each class, on a server with the demo suites. */
export const PAGE_CLASSES: readonly PageClass[] = [
  {
    name: 'board',
    goal: BOARD_GOAL,
    path: () => '/?suite=demo&chart=cost#charts',
  },
  { name: 'suites', goal: PLAIN_GOAL, path: () => '/suites' },
  { name: 'suite', goal: PAGE_GOAL, path: () => '/suites/demo' },
  { name: 'reports', goal: PAGE_GOAL, path: () => '/reports' },
  {
    name: 'report',
    goal: PAGE_GOAL,
    path: () => '/reports/task-completion?suite=demo',
  },
  { name: 'agent', goal: PAGE_GOAL, path: () => '/agents/demo-agent-a' },
  { name: 'methodology', goal: PLAIN_GOAL, path: () => '/methodology' },
  {
    name: 'compare',
    goal: PAGE_GOAL,
    path: (rowIds) => `/compare?rows=${rowIds.slice(0, 2).map(encodeURIComponent).join()}`,
  },
]

export type FirstLoad = {
  /** Bytes without the scripts that draw charts. */
  bytes: number
  /** Bytes of the scripts that draw charts; 0 = the page has no chart in view. */
  chartBytes: number
  scripts: { path: string; bytes: number; isChart: boolean }[]
}

/** Measures the gzipped JavaScript that a browser with an empty cache loads until the page is idle. */
export async function measureFirstLoad(browser: Browser, url: string): Promise<FirstLoad> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const reading: Promise<FirstLoad['scripts'][number]>[] = []
  const read = (response: Response) => {
    const type = response.request().resourceType()
    if ((type !== 'script' && type !== 'document') || response.status() !== 200) return
    reading.push(
      response.body().then((body) => ({
        path: type === 'script' ? new URL(response.url()).pathname : '(in the page)',
        bytes: gzipSync(type === 'script' ? body : inlineScripts(String(body))).length,
        isChart: type === 'script' && body.includes('recharts-surface'),
      })),
    )
  }
  page.on('response', read)
  try {
    await page.goto(url, { waitUntil: 'networkidle' })
    // The body of a reply that arrives while the page closes cannot be read.
    page.off('response', read)
    const scripts = await Promise.all(reading)
    scripts.sort((a, b) => b.bytes - a.bytes)
    const sizeOf = (some: FirstLoad['scripts']) => some.reduce((sum, { bytes }) => sum + bytes, 0)
    return {
      bytes: sizeOf(scripts.filter(({ isChart }) => !isChart)),
      chartBytes: sizeOf(scripts.filter(({ isChart }) => isChart)),
      scripts,
    }
  } finally {
    await context.close()
  }
}

/** The inline scripts of a page, without React's data. */
function inlineScripts(html: string): string {
  const scripts = [...html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)]
  return scripts.map(([, text = '']) => (text.includes('self.__next_f') ? '' : text)).join('')
}
