import { z } from 'zod'
import { countOf } from '#lib/domain/text/index.ts'
import type { BrowserConnection } from './browser-connection.ts'
import { VIEW } from './launch-chromium.ts'

/**
 * Removes everything that an episode left in a browser and verifies that it is empty. Throws if something is left or
 * the browser does not respond: such a browser has to be discarded.
 */
export async function resetBrowser(
  connection: BrowserConnection,
  seen: Iterable<string>,
): Promise<void> {
  const origins = new Set([...seen, ...(await listOrigins(connection))])
  const [blank] = await Promise.all([keepOneBlank(connection), disposeContexts(connection)])
  const session = await connection.attach(blank)
  try {
    await Promise.all([
      connection.send('Storage.clearCookies'),
      connection.send('Browser.resetPermissions'),
      connection.send('Browser.setDownloadBehavior', { behavior: 'deny' }),
      connection.send('Network.clearBrowserCache', {}, session),
      ...[...origins].map((origin) =>
        connection.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }, session),
      ),
    ])
    await lookWhetherEmpty(connection, session, origins)
  } finally {
    await connection.detach(session)
  }
}

async function listOrigins(connection: BrowserConnection): Promise<string[]> {
  const targets = await connection.targets()
  return targets.flatMap(({ url }) => {
    const origin = URL.canParse(url) ? new URL(url).origin : 'null'
    return /^https?:/.test(origin) ? [origin] : []
  })
}

const usageSchema = z.object({ usage: z.number() })
const cookiesSchema = z.object({ cookies: z.array(z.unknown()) })
const contextsSchema = z.object({ browserContextIds: z.array(z.string()) })

async function disposeContexts(connection: BrowserConnection): Promise<void> {
  const result = await connection.send('Target.getBrowserContexts')
  for (const browserContextId of contextsSchema.parse(result).browserContextIds)
    await connection.send('Target.disposeBrowserContext', { browserContextId })
}

async function lookWhetherEmpty(
  connection: BrowserConnection,
  session: string,
  origins: ReadonlySet<string>,
): Promise<void> {
  // These reads do not affect each other, so they run in parallel.
  const [targets, contexts, cookies, usages] = await Promise.all([
    connection.targets(),
    connection.send('Target.getBrowserContexts'),
    connection.send('Storage.getCookies'),
    Promise.all(
      [...origins].map(async (origin) => {
        const result = await connection.send('Storage.getUsageAndQuota', { origin }, session)
        return { origin, ...usageSchema.parse(result) }
      }),
    ),
  ])
  const others = targets.filter(({ type, url }) => type !== 'tab' && url !== 'about:blank')
  const pages = targets.filter(({ type }) => type === 'page')
  if (others.length > 0 || pages.length !== 1)
    throw new Error(
      `${countOf(pages.length, 'page')} and ${countOf(others.length, 'other target is', 'other targets are')} left`,
    )
  if (contextsSchema.parse(contexts).browserContextIds.length > 0)
    throw new Error('a browser context is left')
  const left = cookiesSchema.parse(cookies).cookies.length
  if (left > 0) throw new Error(`${countOf(left, 'cookie is', 'cookies are')} left`)
  const used = usages.find(({ usage }) => usage > 0)
  if (used) throw new Error(`${countOf(used.usage, 'byte is', 'bytes are')} left of ${used.origin}`)
}

const CLOSE_ROUNDS = 44
const ROUND_MS = 25
/** Most pages close at once. */
const FIRST_ROUND_MS = 4

/** Leaves one page on `about:blank`, of the standard size; downloads go to `folder`. Throws if it cannot. */
export async function prepareBrowser(connection: BrowserConnection, folder: string): Promise<void> {
  const pages = (await connection.targets()).filter(({ type }) => type === 'page')
  const [first] = pages
  const isReady = pages.length === 1 && first?.url === 'about:blank'
  const page = isReady && first ? first.targetId : await keepOneBlank(connection)
  await Promise.all([
    connection.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: folder,
      eventsEnabled: true,
    }),
    sizeWindow(connection, page),
  ])
}

/**
 * Opens a blank page, then closes every other one, including crashed ones and ones with a dialog; returns its target.
 */
async function keepOneBlank(connection: BrowserConnection): Promise<string> {
  const blank = await connection.openBlank()
  for (let round = 0; round < CLOSE_ROUNDS; round++) {
    const others = (await connection.targets()).filter(
      ({ type, targetId }) => (type === 'page' || type === 'tab') && targetId !== blank,
    )
    if (others.length === 0) return blank
    // A page that is already closing is no longer known.
    if (round % 8 === 0)
      for (const { targetId } of others)
        await connection.send('Target.closeTarget', { targetId }).catch(() => {})
    const waitMs = round < 4 ? FIRST_ROUND_MS : ROUND_MS
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  throw new Error('a page cannot be closed')
}

async function sizeWindow(connection: BrowserConnection, targetId: string): Promise<void> {
  const result = await connection.send('Browser.getWindowForTarget', { targetId })
  const { windowId } = z.object({ windowId: z.number() }).parse(result)
  // A maximised, minimised or full-screen window keeps its size, which the next library would get.
  await connection.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } })
  // Not supported by older browsers, whose pages are then smaller by the window's frame.
  await connection.send('Browser.setContentsSize', { windowId, ...VIEW }).catch(() => {})
}
