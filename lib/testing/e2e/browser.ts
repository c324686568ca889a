import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserServer, chromium, type Page } from 'playwright-core'
import type { Role } from '../../domain/accounts/index.ts'
import { boardSchema } from '../../domain/board/index.ts'
import { findBrowser } from '../../setup/ensure-browser.mjs'
import { waitUntil } from './start-copy.ts'

/** Chromium must not look for updates or send reports: the tests run without a network. */
const QUIET = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Starts the Chromium that `npm test` found; `without` = default options of Playwright to omit. */
export function launchTestChromium(
  args: readonly string[] = [],
  without: readonly string[] = [],
): Promise<Browser> {
  return chromium.launch({ ...testChromium(args), ignoreDefaultArgs: [...without] })
}

/** Starts it for several processes, each of which connects to it. */
export function serveTestChromium(): Promise<BrowserServer> {
  return chromium.launchServer(testChromium())
}

function testChromium(more: readonly string[] = []): { executablePath: string; args: string[] } {
  const executablePath = process.env.PROOFBOARD_TEST_CHROMIUM ?? findBrowser() ?? 'chromium'
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return { executablePath, args: [...QUIET, ...asRoot, ...more] }
}

/** The size of links and buttons (WCAG 2.2 AA), which axe checks only if asked. */
const MORE_RULES = { 'target-size': { enabled: true } }

/**
 * Violations that axe finds on a page: one line per rule and element. Runs in the page itself, because our pages embed
 * no frames, for which axe would open an additional page each time.
 */
export async function listAxeViolations(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'], rules: MORE_RULES })
    .setLegacyMode()
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

/** The board's rows by subject, from `/api/v1/leaderboard`; empty if there is no such suite. */
export async function readBoardTable(url: string): Promise<Map<string, ReadRow>> {
  const response = await fetch(`${url}/api/v1/leaderboard?suite=typescript`)
  if (!response.ok) return new Map()
  const { rows } = boardSchema.parse(await response.json())
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
 * Tasks of the controls on the shared board. Every attempt is really graded; eight tasks are the minimum for a
 * significant difference.
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

/** Signs in with the form and goes to `next`. */
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

/** Waits until the page's scripts handle its forms: until then, a button submits the form as without scripts. */
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
 * Viewports of the tests: width in px and colour scheme. Each width and each scheme once; with
 * PROOFBOARD_TEST_VIEWS=all every combination, which takes minutes more.
 */
export const VIEWS = isAll
  ? ALL
  : ([
      [1280, 'light'],
      [360, 'dark'],
    ] as const)

/**
 * Distributes pages over viewports: each page in one of `VIEWS`, or with PROOFBOARD_TEST_VIEWS=all in every one. Then
 * pages that another file opens with other data are included too.
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
