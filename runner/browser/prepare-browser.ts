import { z } from 'zod'
import type { BrowserConnection } from './browser-connection.ts'
import { VIEW } from './chromium-arguments.ts'

const CLOSE_ROUNDS = 40
const ROUND_MS = 25

/** Leaves one page on `about:blank`, of the size every page is seen at; downloads go to `folder`. Throws if it cannot. */
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

/** Opens a blank page, then closes every other one, also one that is crashed or shows a dialog; answers its target. */
export async function keepOneBlank(connection: BrowserConnection): Promise<string> {
  const blank = await connection.openBlank()
  for (let round = 0; round < CLOSE_ROUNDS; round++) {
    const others = (await connection.targets()).filter(
      ({ type, targetId }) => (type === 'page' || type === 'tab') && targetId !== blank,
    )
    if (others.length === 0) return blank
    // One that is closing already is no longer known.
    if (round % 8 === 0)
      for (const { targetId } of others)
        await connection.send('Target.closeTarget', { targetId }).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS))
  }
  throw new Error('a page cannot be closed')
}

async function sizeWindow(connection: BrowserConnection, targetId: string): Promise<void> {
  const answer = await connection.send('Browser.getWindowForTarget', { targetId })
  const { windowId } = z.object({ windowId: z.number() }).parse(answer)
  // Unknown to older browsers, whose pages are then smaller by the window's frame.
  await connection.send('Browser.setContentsSize', { windowId, ...VIEW }).catch(() => {})
}
