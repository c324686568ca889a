// @module-tag chromium
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, inject, it } from 'vitest'
import { boardFilled, inViews } from '#lib/testing/e2e/browser.ts'
import { connectToChromium, expectReadable, onPage } from '#lib/testing/e2e/looks.ts'

const site = inject('siteUrl')

let browser: Browser
let pages: Record<string, string> = {}

beforeAll(async () => {
  browser = await connectToChromium()
  const rows = await boardFilled(site)
  const runId = rows.get('nop')?.runIds.at(-1) ?? ''
  const run = await (await fetch(`${site}/runs/${runId}`)).text()
  const [, episodeId = ''] = /\/episodes\/([\w.:-]+)/.exec(run) ?? []
  pages = {
    board: '/',
    'board by task': '/?chart=tasks',
    'run list': '/runs',
    run: `/runs/${runId}`,
    episode: `/episodes/${episodeId}`,
    'one agent': '/agents/reference',
    'suite list': '/suites',
    suite: '/suites/typescript',
    history: '/history?suite=typescript&subject=nop',
    audit: '/audit',
    methodology: '/methodology',
    'not found': '/nowhere',
  }
})
afterAll(() => browser.close())

it.each(
  inViews(
    ['board by task', 'episode', 'not found'],
    [
      'board',
      'run list',
      'run',
      'one agent',
      'suite list',
      'suite',
      'history',
      'audit',
      'methodology',
    ],
  ),
)(
  'the %s page is clean to axe and no wider than the window at %d px, %s',
  (name, width, colorScheme) =>
    onPage(browser, `${site}${pages[name]}`, (page) => expectReadable(page, width), {
      width,
      colorScheme,
    }),
)
