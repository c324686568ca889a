import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { PageReader } from '../verify/browser/page-reader.ts'
import type { BrowserConnection, CdpTarget } from './browser-connection.ts'
import { isCallTimeout } from './browser-connection.ts'
import { VIEW } from './launch-chromium.ts'
import { findPage, PageWorld } from './page-world.ts'

const SHOT_MS = 5000
const READY_ROUNDS = 20
const ROUND_MS = 50

const cookiesSchema = z.object({
  cookies: z.array(z.object({ name: z.string(), value: z.string(), domain: z.string() })),
})
const storedSchema = z.object({ value: z.string().nullable() }).nullable()

type Place = { connection: BrowserConnection; port: number; downloads: string | null }

/**
 * Attaches to the page of this origin to read its final state. A page that crashed or hangs yields nulls, and is not
 * asked again after the first timeout. A page that was closed, or left for another, shows nothing and has no dialog.
 * `close` detaches.
 */
export async function readPage(
  place: Place,
  origin: string,
): Promise<PageReader & { close: () => Promise<void> }> {
  const { connection } = place
  const found = await quietly(findPage(place, origin).then((target) => ({ target })))
  const target = found?.target ?? null
  const isLeft = found !== null && target === null
  const session = target && (await quietly(connection.attach(target.targetId)))
  const dialog = session ? await quietly(hasDialog(connection, session)) : isLeft ? false : null
  const world = session !== null && dialog === false ? new PageWorld(connection, session) : null
  if (world) await settle(world)
  let isAnswering = world !== null
  const ask = async <Answer>(schema: z.ZodType<Answer>, member: string, ...given: unknown[]) => {
    if (!world || !isAnswering) return null
    try {
      return schema.parse(await world.call(member, ...given))
    } catch (error) {
      if (isCallTimeout(error)) isAnswering = false
      return null
    }
  }
  return {
    url: async () => (isLeft ? '' : ((await findUrl(connection, target)) ?? null)),
    texts: async (css) => (isLeft ? [] : ask(z.array(z.string()).nullable(), 'texts', css)),
    attributes: async (css, name) =>
      isLeft ? [] : ask(z.array(z.string().nullable()).nullable(), 'attributes', css, name),
    storage: (area, key) =>
      area === 'cookie'
        ? readCookie(connection, origin, key)
        : ask(storedSchema, 'stored', area, key),
    hasDialog: async () => dialog,
    downloads: async () =>
      place.downloads === null ? null : quietly(listDownloads(place.downloads)),
    screenshot: async () =>
      isAnswering && session ? quietly(takeScreenshot(connection, session)) : null,
    close: async () => {
      if (session) await connection.detach(session)
    },
  }
}

/** Waits up to a second for a page that is still loading. */
async function settle(world: PageWorld): Promise<void> {
  for (let round = 0; round < READY_ROUNDS; round++) {
    const isReady = await quietly(world.call('isReady'))
    if (isReady !== false) return
    await sleep(ROUND_MS)
  }
}

async function findUrl(connection: BrowserConnection, target: CdpTarget | null) {
  if (!target) return null
  const targets = (await quietly(connection.targets())) ?? []
  return targets.find(({ targetId }) => targetId === target.targetId)?.url ?? null
}

async function readCookie(connection: BrowserConnection, origin: string, key: string) {
  const result = await quietly(connection.send('Storage.getCookies'))
  if (result === null) return null
  const { hostname } = new URL(origin)
  const found = cookiesSchema
    .parse(result)
    .cookies.find(
      ({ name, domain }) =>
        name === key && (domain === hostname || hostname.endsWith(`.${domain.replace(/^\./, '')}`)),
    )
  return { value: found?.value ?? null }
}

/** Takes a screenshot of the visible part, at a fixed size whatever size the library chose. */
async function takeScreenshot(connection: BrowserConnection, session: string): Promise<Buffer> {
  const size = { ...VIEW, deviceScaleFactor: 1, mobile: false }
  await connection.send('Emulation.setDeviceMetricsOverride', size, session)
  const result = await connection.send(
    'Page.captureScreenshot',
    { format: 'png', optimizeForSpeed: true },
    session,
    SHOT_MS,
  )
  return Buffer.from(z.object({ data: z.string() }).parse(result).data, 'base64')
}

async function quietly<Answer>(promise: Promise<Answer>): Promise<Answer | null> {
  return await promise.catch(() => null)
}

const SOON_MS = 500
const ANSWER_MS = 2500
/** CPU time during a timeout, above which a page works (slowly, on a full machine) instead of waiting. */
const BUSY_SECONDS = 0.1

const processesSchema = z.object({
  processInfo: z.array(z.object({ type: z.string(), id: z.number(), cpuTime: z.number() })),
})

/**
 * Returns whether a page waits for a dialog. An open dialog is not reported to later connections, but a page behind it
 * runs no script: one that neither responds nor uses CPU has a dialog. Null = it does not respond but uses CPU, so
 * unknown.
 */
async function hasDialog(connection: BrowserConnection, session: string): Promise<boolean | null> {
  const result = connection.send('Runtime.evaluate', { expression: '1' }, session, ANSWER_MS).then(
    () => true,
    () => false,
  )
  if (await Promise.race([result, sleep(SOON_MS, false)])) return false
  const before = await readTimes(connection)
  if (await result) return false
  const after = await readTimes(connection)
  const isBusy = [...after].some(([id, seconds]) => seconds - (before.get(id) ?? 0) > BUSY_SECONDS)
  return isBusy ? null : true
}

async function readTimes(connection: BrowserConnection): Promise<Map<number, number>> {
  const { processInfo } = processesSchema.parse(await connection.send('SystemInfo.getProcessInfo'))
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  return new Map(renderers.map(({ id, cpuTime }) => [id, cpuTime]))
}

const DOWNLOAD_ROUNDS = 60
const MAX_FILES = 200
const MAX_BYTES = 256 << 20

/** Chromium's names for unfinished downloads. */
const UNFINISHED = /\.crdownload$|^\.(?:org\.chromium|com\.google)\./

/**
 * Lists the complete files of a folder with the digests of their contents, by name. Waits up to three seconds for a
 * running download; null if there is more than can be read.
 */
async function listDownloads(folder: string): Promise<{ name: string; digest: string }[] | null> {
  let names = await readdir(folder)
  for (let round = 0; round < DOWNLOAD_ROUNDS && isComing(names); round++) {
    await sleep(ROUND_MS)
    names = await readdir(folder)
  }
  const whole = names.filter((name) => !UNFINISHED.test(name)).sort()
  if (whole.length > MAX_FILES) return null
  const files: { name: string; digest: string }[] = []
  for (const name of whole) {
    const path = join(folder, name)
    const { size, isFile } = await lstat(path).then((one) => ({
      size: one.size,
      isFile: one.isFile(),
    }))
    if (size > MAX_BYTES) return null
    if (isFile) files.push({ name, digest: await digestFile(path) })
  }
  return files
}

/** Returns true if a download is running; one that has just started may have no file yet. */
function isComing(names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => UNFINISHED.test(name))
}

async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part as Buffer)
  return `sha256:${hash.digest('hex')}`
}
