import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { PageReader } from '../contracts/browser/page-reader.ts'
import type { BrowserConnection, Target } from './browser-connection.ts'
import { VIEW } from './chromium-arguments.ts'
import { findPage } from './find-page.ts'
import { hasDialog } from './has-dialog.ts'
import { listDownloads } from './list-downloads.ts'
import { PageWorld } from './page-world.ts'
import { isUnanswered } from './within.ts'

const SHOT_MS = 5000
const READY_ROUNDS = 20
const ROUND_MS = 50

const cookiesSchema = z.object({
  cookies: z.array(z.object({ name: z.string(), value: z.string(), domain: z.string() })),
})
const storedSchema = z.object({ value: z.string().nullable() }).nullable()

type Place = { connection: BrowserConnection; port: number; downloads: string | null }

/**
 * Attaches to the page of this origin to read how the episode left it. A page that crashed, hangs or is not there is
 * answered with nulls; once it did not answer it is not asked again. `close` lets go of it.
 */
export async function readPage(
  place: Place,
  origin: string,
): Promise<PageReader & { close: () => Promise<void> }> {
  const { connection } = place
  const target = await quietly(findPage(place, origin))
  const session = target && (await quietly(connection.attach(target.targetId)))
  const dialog = session === null ? null : await quietly(hasDialog(connection, session))
  const world = session !== null && dialog === false ? new PageWorld(connection, session) : null
  if (world) await settle(world)
  let isAnswering = world !== null
  const ask = async <Answer>(schema: z.ZodType<Answer>, member: string, ...given: unknown[]) => {
    if (!world || !isAnswering) return null
    try {
      return schema.parse(await world.call(member, ...given))
    } catch (error) {
      if (isUnanswered(error)) isAnswering = false
      return null
    }
  }
  return {
    url: async () => (await findUrl(connection, target)) ?? null,
    texts: (css) => ask(z.array(z.string()).nullable(), 'texts', css),
    attributes: (css, name) =>
      ask(z.array(z.string().nullable()).nullable(), 'attributes', css, name),
    storage: (area, key) =>
      area === 'cookie'
        ? readCookie(connection, origin, key)
        : ask(storedSchema, 'stored', area, key),
    hasDialog: async () => dialog,
    downloads: async () =>
      place.downloads === null ? null : quietly(listDownloads(place.downloads)),
    screenshot: async () =>
      isAnswering && session ? quietly(takePicture(connection, session)) : null,
    close: async () => {
      if (session) await connection.detach(session)
    },
  }
}

/** A page that is still being loaded gets a second to be there. */
async function settle(world: PageWorld): Promise<void> {
  for (let round = 0; round < READY_ROUNDS; round++) {
    const isReady = await quietly(world.call('isReady'))
    if (isReady !== false) return
    await sleep(ROUND_MS)
  }
}

async function findUrl(connection: BrowserConnection, target: Target | null) {
  if (!target) return null
  const targets = (await quietly(connection.targets())) ?? []
  return targets.find(({ targetId }) => targetId === target.targetId)?.url ?? null
}

async function readCookie(connection: BrowserConnection, origin: string, key: string) {
  const answer = await quietly(connection.send('Storage.getCookies'))
  if (answer === null) return null
  const { hostname } = new URL(origin)
  const found = cookiesSchema
    .parse(answer)
    .cookies.find(
      ({ name, domain }) =>
        name === key && (domain === hostname || hostname.endsWith(`.${domain.replace(/^\./, '')}`)),
    )
  return { value: found?.value ?? null }
}

/** What can be seen, at the house's size whatever size the library chose. */
async function takePicture(connection: BrowserConnection, session: string): Promise<Buffer> {
  const size = { ...VIEW, deviceScaleFactor: 1, mobile: false }
  await connection.send('Emulation.setDeviceMetricsOverride', size, session)
  const answer = await connection.send(
    'Page.captureScreenshot',
    { format: 'png' },
    session,
    SHOT_MS,
  )
  return Buffer.from(z.object({ data: z.string() }).parse(answer).data, 'base64')
}

async function quietly<Answer>(promise: Promise<Answer>): Promise<Answer | null> {
  return await promise.catch(() => null)
}
