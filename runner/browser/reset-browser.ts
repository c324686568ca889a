import { z } from 'zod'
import type { BrowserConnection } from './browser-connection.ts'
import { keepOneBlank } from './prepare-browser.ts'

/**
 * Empties a browser of everything an episode left and looks whether it is empty. Throws when something is left or the
 * browser does not answer: such a browser has to be thrown away.
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

const contextsSchema = z.object({ browserContextIds: z.array(z.string()) })

async function disposeContexts(connection: BrowserConnection): Promise<void> {
  const answer = await connection.send('Target.getBrowserContexts')
  for (const browserContextId of contextsSchema.parse(answer).browserContextIds)
    await connection.send('Target.disposeBrowserContext', { browserContextId })
}

async function lookWhetherEmpty(
  connection: BrowserConnection,
  session: string,
  origins: ReadonlySet<string>,
): Promise<void> {
  const targets = await connection.targets()
  const strangers = targets.filter(({ type, url }) => type !== 'tab' && url !== 'about:blank')
  const pages = targets.filter(({ type }) => type === 'page')
  if (strangers.length > 0 || pages.length !== 1)
    throw new Error(`${pages.length} pages and ${strangers.length} other targets are left`)
  const contexts = contextsSchema.parse(await connection.send('Target.getBrowserContexts'))
  if (contexts.browserContextIds.length > 0) throw new Error('a browser context is left')
  const { cookies } = z
    .object({ cookies: z.array(z.unknown()) })
    .parse(await connection.send('Storage.getCookies'))
  if (cookies.length > 0) throw new Error(`${cookies.length} cookies are left`)
  for (const origin of origins) {
    const answer = await connection.send('Storage.getUsageAndQuota', { origin }, session)
    const { usage } = z.object({ usage: z.number() }).parse(answer)
    if (usage > 0) throw new Error(`${usage} bytes are left of ${origin}`)
  }
}
