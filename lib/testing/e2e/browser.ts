import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserServer, chromium, type Page } from 'playwright-core'
import type { Role } from '../../domain/accounts/index.ts'
import { boardSchema } from '../../domain/board/index.ts'
import { findBrowser } from '../../setup/ensure-browser.mjs'
import { waitUntil } from './start-copy.ts'

/** Chromium must neither look for updates nor call home: the tests run without a network. */
const QUIET = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** The Chromium that `npm test` found; `without` = options that Playwright gives by itself. */
export function launchTestChromium(
  args: readonly string[] = [],
  without: readonly string[] = [],
): Promise<Browser> {
  return chromium.launch({ ...testChromium(args), ignoreDefaultArgs: [...without] })
}

/** The same one for several processes, each of which connects to it. */
export function serveTestChromium(): Promise<BrowserServer> {
  return chromium.launchServer(testChromium())
}

function testChromium(more: readonly string[] = []): { executablePath: string; args: string[] } {
  const executablePath = process.env.PROOFBOARD_TEST_CHROMIUM ?? findBrowser() ?? 'chromium'
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return { executablePath, args: [...QUIET, ...asRoot, ...more] }
}

/**
 * What axe finds wrong on a page: one line for each rule and element, none when it is clean. In the page itself: pages of
 * ours embed no other, for which axe would open one more page each time.
 */
export async function listAxeViolations(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`,
    ),
  )
}

export type ReadRow = {
  label: string
  solved: number
  scored: number
  reasons: string[]
  runIds: string[]
}

/** The board's rows by subject, as `/api/v1/leaderboard` gives them; empty while there is no such suite. */
export async function readBoardTable(url: string): Promise<Map<string, ReadRow>> {
  const answer = await fetch(`${url}/api/v1/leaderboard?suite=typescript`)
  if (!answer.ok) return new Map()
  const { rows } = boardSchema.parse(await answer.json())
  return new Map(
    rows.map(({ subject, label, tasks, refusals, runIds }) => [
      subject.name,
      {
        label,
        solved: tasks.reduce((sum, task) => sum + task.solved, 0),
        scored: tasks.reduce((sum, task) => sum + task.scored, 0),
        reasons: refusals.map(({ reason }) => reason),
        runIds,
      },
    ]),
  )
}

const FEW = ['csv-parser', 'glob-matcher', 'lru-cache', 'rate-limiter']
const MORE = [...FEW, 'async-queue', 'deep-merge', 'semver-range', 'text-diff']

/**
 * What the controls of the shared board are tried on. Every attempt is graded for real: eight tasks are the fewest on which
 * two of them differ clearly.
 */
export const CONTROLS = { reference: MORE, nop: MORE, wrong: FEW } as const

/** Waits until the rows of reference, nop and wrong have all their episodes. */
export function boardFilled(url: string): Promise<Map<string, ReadRow>> {
  return waitUntil(
    'the rows of three controls with all their episodes',
    async () => {
      const rows = await readBoardTable(url)
      const areFull = Object.entries(CONTROLS).every(
        ([name, tasks]) => rows.get(name)?.scored === tasks.length,
      )
      return areFull ? rows : null
    },
    { limitMs: 200_000 },
  )
}

export type TestUser = { email: string; password: string; role: Role }

/** Signs a page in by the form, and leaves it at `next`. */
export async function signInAs(
  page: Page,
  url: string,
  { email, password }: TestUser,
  next = '/admin',
): Promise<void> {
  await page.goto(`${url}/sign-in?next=${encodeURIComponent(next)}`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((at) => `${at.pathname}${at.search}` === next)
}

/** Waits until the page's scripts have taken over its forms: a button pressed before sends the form as without scripts. */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main form')].every((form) =>
      Object.keys(form).some((key) => key.startsWith('__reactProps')),
    ),
  )
}

const WIDTHS = [1280, 360] as const
const SCHEMES = ['light', 'dark'] as const
const ALL = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => [width, scheme] as const))

const isAll = process.env.PROOFBOARD_TEST_VIEWS === 'all'

/**
 * In what windows a page is looked at: width in px and colour scheme. Each width and each scheme once; every pair of
 * them, which takes minutes more, with PROOFBOARD_TEST_VIEWS=all.
 */
export const VIEWS = isAll
  ? ALL
  : ([
      [1280, 'light'],
      [360, 'dark'],
    ] as const)

/**
 * Which of many pages is looked at in which window: each in one of `VIEWS`, by turns, or all of them in every window, and
 * then also those that another file looks at with other data.
 */
export function inViews<Name>(
  pages: readonly Name[],
  seenElsewhere: readonly Name[] = [],
): (readonly [page: Name, width: number, colorScheme: 'light' | 'dark'])[] {
  return [...pages, ...(isAll ? seenElsewhere : [])].flatMap((page, at) => {
    const views = isAll ? ALL : VIEWS.slice(at % VIEWS.length).slice(0, 1)
    return views.map(([width, scheme]) => [page, width, scheme] as const)
  })
}
