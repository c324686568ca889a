import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TracedAction } from '#lib/domain/record/index.ts'
import type { InducedError } from '#lib/domain/reports/index.ts'
import { MISTAKES, mistakesPage } from './mistakes.ts'
import type { PlayScript } from './open-bench.ts'

const DRIVER = 'runner/libraries/measure/mistakes-driver.ts'

/** Makes every mistake once with a library; null if it did not get through all of them. */
export async function induceErrors(play: PlayScript): Promise<InducedError[] | null> {
  const site = await serveMistakes()
  try {
    const { actions } = await play({ driver: DRIVER, origin: site.origin, maxActions: 50 })
    return readErrors(actions)
  } finally {
    await site.close()
  }
}

/** Reads the error of each mistake from the trace of the play. */
export function readErrors(actions: readonly TracedAction[]): InducedError[] | null {
  const errors = MISTAKES.flatMap(({ induced, names }) => {
    const made = actions.find(({ step }) => step === induced)
    if (made === undefined) return []
    return [{ induced, message: made.error, actionable: isActionable(made.error, names) }]
  })
  return errors.length === MISTAKES.length ? errors : null
}

async function serveMistakes() {
  const refused = await findClosedPort()
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(mistakesPage(`http://127.0.0.1:${refused}/`))
  })
  const port = await listen(server)
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { origin: `http://mistakes.localhost:${port}`, close }
}

async function findClosedPort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Words that name a cause; an expired timeout is not one. */
const CAUSES = [
  /\bnot (?:be )?(?:found|there|visible|enabled|editable|interactable|clickable|focusable|attached|exist)/i,
  /\b(?:no such|no (?:visible |matching )?(?:element|option|node|ref)|unable to (?:locate|find)|cannot (?:find|locate)|could ?n[o']t (?:find|locate)|did not find|does ?n[o']t exist|does not (?:say|contain)|is nowhere)\b/i,
  /\b(?:disabled|read-?only|invalid element state)\b/i,
  /\b(?:intercept\w*|obscured|obstructed|covered|cover(?:s|ing)|receive the click|overlay)\b/i,
  /\b(?:refused|ERR_[A-Z_]+|ECONNREFUSED|unreachable)\b/,
]

/**
 * Returns whether an error tells how to fix it. The rule: it names its target (one of `names`: a selector, an
 * accessible name, words, an address), and a cause other than an expired timeout.
 */
export function isActionable(message: string | null, names: readonly string[]): boolean {
  if (message === null) return false
  const low = message.toLowerCase()
  const namesTarget = names.some((name) => low.includes(name.toLowerCase()))
  return namesTarget && CAUSES.some((cause) => cause.test(message))
}
