import { z } from 'zod'
import { type BrowserConnection, withTimeout } from './browser-connection.ts'
import { findPage } from './page-world.ts'

const SHOT_MS = 1000

/** Just large enough to guess the text. */
const SIZE = { format: 'jpeg', quality: 50, maxWidth: 480, maxHeight: 480 }

const frameSchema = z.object({ data: z.string() })

/**
 * Takes a small JPEG of the page of this origin while a library works with it; null = no such page, or no response. The
 * compositor scales its last frame: a screenshot would draw the page again and, scaled, move it below the pointer of
 * the library.
 */
export async function filmPage(
  place: { connection: BrowserConnection; port: number },
  origin: string,
): Promise<Buffer | null> {
  return await withTimeout(film(place, origin), SHOT_MS, 'the screenshot of a step').catch(
    () => null,
  )
}

async function film(
  place: { connection: BrowserConnection; port: number },
  origin: string,
): Promise<Buffer | null> {
  const { connection } = place
  const target = await findPage(place, origin)
  if (target === null) return null
  const session = await connection.attach(target.targetId)
  try {
    return await nextFrame(connection, session)
  } finally {
    await connection.detach(session) // ends the screencast
  }
}

async function nextFrame(connection: BrowserConnection, session: string): Promise<Buffer> {
  let ignore = () => {}
  const frame = new Promise<Buffer>((resolve, reject) => {
    ignore = connection.on(`Page.screencastFrame.${session}`, (event) => {
      const { success, data } = frameSchema.safeParse(event)
      if (success) resolve(Buffer.from(data.data, 'base64'))
      else reject(new Error('the browser sent no screenshot'))
    })
  })
  try {
    const started = connection.send('Page.startScreencast', SIZE, session, SHOT_MS)
    return await Promise.all([withTimeout(frame, SHOT_MS, 'a frame'), started]).then(
      ([jpeg]) => jpeg,
    )
  } finally {
    ignore()
  }
}
