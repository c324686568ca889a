import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { BrowserConnection } from './browser-connection.ts'
import { isCallTimeout } from './browser-connection.ts'
import { findPage, PageWorld } from './page-world.ts'

const PROOF_MS = 1500
const ROUND_MS = 25
const BLOCKED_MS = 300

type Place = { connection: BrowserConnection; port: number }

/** Kills the page's process; the browser's own report is the evidence. */
export async function crashRenderer(place: Place, origin: string): Promise<string | null> {
  return await inject(place, origin, async ({ connection, session, url }) => {
    const name = `Inspector.targetCrashed.${session}`
    let stop = () => {}
    const crashed = new Promise<boolean>((resolve) => {
      stop = connection.on(name, () => resolve(true))
    })
    await connection.send('Inspector.enable', {}, session)
    connection.send('Page.crash', {}, session, PROOF_MS).catch(() => {}) // a crashed page does not respond
    const isProven = await Promise.race([crashed, sleep(PROOF_MS, false)])
    stop()
    return isProven ? `the process of ${url} crashed (Inspector.targetCrashed)` : null
  })
}

/** Closes the page's tab; its absence is the evidence. */
export async function closeTab(place: Place, origin: string): Promise<string | null> {
  const { connection } = place
  try {
    const page = await findPage(place, origin)
    if (!page) return null
    await connection.send('Target.closeTarget', { targetId: page.targetId })
    for (let waited = 0; waited < PROOF_MS; waited += ROUND_MS) {
      const targets = await connection.targets()
      if (targets.every(({ targetId }) => targetId !== page.targetId))
        return `the tab of ${page.url} was closed and is gone`
      await sleep(ROUND_MS)
    }
    return null
  } catch {
    return null
  }
}

const openedSchema = z.object({ opened: z.boolean(), closed: z.boolean() })

/**
 * Opens an alert and leaves it open. Does not subscribe to it, because unsubscribing closes the dialog. Evidence: a
 * page that responded before and does not now, or an alert that was already answered.
 */
export async function openDialog(place: Place, origin: string): Promise<string | null> {
  return await inject(place, origin, async ({ connection, session, url }) => {
    const world = new PageWorld(connection, session)
    await world.evaluate(
      `globalThis.seen = { opened: false, closed: false }; setTimeout(() => {
        seen.opened = true; alert('Please read our new terms.'); seen.closed = true }, 0); 0`,
    )
    const until = performance.now() + PROOF_MS
    while (performance.now() < until) {
      const alert = await lookAtAlert(world)
      if (alert !== 'coming') return alert && `an alert ${alert} on ${url}`
      await sleep(ROUND_MS)
    }
    return null
  })
}

/** Null = unknown. */
async function lookAtAlert(world: PageWorld): Promise<string | null> {
  try {
    const { opened, closed } = openedSchema.parse(await world.evaluate('seen', BLOCKED_MS))
    return opened && closed ? 'was opened and answered at once' : 'coming'
  } catch (error) {
    return isCallTimeout(error) ? 'is open, so that no script runs,' : null
  }
}

type Attached = { connection: BrowserConnection; session: string; url: string }

/** Attaches, injects and detaches at once; null if there is no such page or the injection failed. */
async function inject(
  place: Place,
  origin: string,
  act: (attached: Attached) => Promise<string | null>,
): Promise<string | null> {
  const { connection } = place
  try {
    const page = await findPage(place, origin)
    if (!page) return null
    const session = await connection.attach(page.targetId)
    try {
      return await act({ connection, session, url: page.url })
    } finally {
      await connection.detach(session)
    }
  } catch {
    return null
  }
}
