import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LibraryFact } from '#lib/domain/axes/library-facts.ts'
import type { TracedAction } from '#lib/domain/browser/traced-action.ts'
import type { AppHouse } from '../../apps/app-house.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { countCodeLines } from './count-code-lines.ts'
import type { PlayScript } from './open-bench.ts'

/** A workflow that begins with signing in; its script is cut off soon after. */
const SHOP = {
  app: 'shop',
  seed: 7,
  driver: 'exercises/browser/shop-sort-wishes/driver.ts',
  steps: 'exercises/browser/apps/shop/shop-steps.ts',
  step: 'sign in',
}
const ENOUGH_ACTIONS = 12

let plays = 0

/** Signs in to the shop once, as its workflows do, and reads out of the trace how long that step took. */
export async function timeSignIn(
  play: PlayScript,
  apps: AppHouse,
): Promise<LibraryFact['authSetup']> {
  const { app, seed, driver } = SHOP
  const tenant = await apps.open({ app, tenant: `signin${plays++}`, seed, fault: null })
  try {
    const { actions } = await play({ driver, origin: tenant.origin, maxActions: ENOUGH_ACTIONS })
    return { lines: await countSignInLines(), ms: durationOf(actions) }
  } finally {
    await tenant.close()
  }
}

/** From the step's first action to the end of its last; null when it failed, or was not left for another step. */
export function durationOf(actions: readonly TracedAction[]): number | null {
  const own = actions.filter(({ step }) => step === SHOP.step)
  const [first] = own
  const last = own.at(-1)
  const isLeft = actions.some(({ step }) => step !== SHOP.step)
  if (!first || !last || !isLeft || own.some(({ error }) => error !== null)) return null
  return Math.round(last.startMs + last.durationMs - first.startMs)
}

async function countSignInLines(): Promise<number | null> {
  const source = await readFile(join(PROJECT_ROOT, SHOP.steps), 'utf8')
  const [body] = /^export function signInAs\([\s\S]*?^\}/m.exec(source) ?? []
  return body === undefined ? null : countCodeLines(body)
}
