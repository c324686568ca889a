import { z } from 'zod'
import { withinTime } from './host/within-time.ts'
import type { Session } from './library-adapter.ts'

/**
 * Returns the capabilities by which a WebDriver library attaches to the harness's browser through the harness's
 * chromedriver. Throws if there is none.
 */
export function webdriverCapabilities(session: Session) {
  const { endpoint, webdriverPort, actionTimeoutMs } = session
  if (webdriverPort === null) throw new Error('there is no chromedriver to connect to')
  return {
    server: { hostname: '127.0.0.1', port: webdriverPort },
    capabilities: {
      browserName: 'chrome',
      'goog:chromeOptions': { debuggerAddress: new URL(endpoint).host },
      pageLoadStrategy: 'eager' as const,
      unhandledPromptBehavior: 'accept' as const,
      timeouts: { implicit: 0, pageLoad: actionTimeoutMs, script: actionTimeoutMs },
    },
  }
}

const QUIT_MS = 1000

/** Begins a new WebDriver session. The old one, whose page may hang, may not end; another can begin in parallel. */
export async function reconnectSession(actions: {
  dispose(): Promise<void>
  attach(): Promise<void>
}): Promise<void> {
  await withinTime(actions.dispose(), QUIT_MS, 'ending the session').catch(() => {})
  await actions.attach()
}

const STEPS = 10
const pointSchema = z.object({ x: z.number(), y: z.number() })
const endsSchema = z.object({ from: pointSchema, to: pointSchema })

/**
 * WebDriver moves a pointer only inside the window and does not scroll by itself, so its users first scroll both
 * elements into view. Returns the centre of the visible part of each, in CSS pixels of the window; its arguments are
 * the two.
 */
export const DRAG_ENDS = `
  const [start, end] = arguments
  const middle = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const [x, y] = [Math.max(left, 0) + Math.min(right, innerWidth), Math.max(top, 0) + Math.min(bottom, innerHeight)]
    return { x: Math.round(x / 2), y: Math.round(y / 2) }
  }
  const inside = ({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight
  if (!inside(middle(end))) end.scrollIntoView({ block: 'center', inline: 'center' })
  if (!inside(middle(start))) start.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return { from: middle(start), to: middle(end) }`

type Point = z.infer<typeof pointSchema>

/** Parses the script's result: where a drag begins and the points it passes, the last one its end. */
export function parseDragPath(result: unknown): { from: Point; path: Point[] } {
  const { from, to } = endsSchema.parse(result)
  const path = Array.from({ length: STEPS }, (_, index) => {
    const part = (index + 1) / STEPS
    return {
      x: Math.round(from.x + (to.x - from.x) * part),
      y: Math.round(from.y + (to.y - from.y) * part),
    }
  })
  return { from, path }
}

const TYPED = ['text', 'search', 'email', 'url', 'tel', 'password', 'number']

/** Returns whether typed keys are inserted unchanged; a date's keys depend on the browser's language. */
export function takesKeys(tag: string, type: string | null): boolean {
  return tag !== 'input' || TYPED.includes(type ?? 'text')
}

/** The script by which WebDriver's users set the value of such a field; its arguments are the field and the value. */
export const SET_VALUE = `
  const [field, value] = arguments
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, value)
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))`

/** WebDriver's key codes by DOM name; any other key is its own character. */
const CODES: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
}

/** Returns WebDriver's code for a key with this DOM name. Throws for an unknown key. */
export function webdriverKey(key: string): string {
  const code = CODES[key] ?? key
  if ([...code].length !== 1) throw new Error(`there is no key “${key}”`)
  return code
}

/** Control and A, then Backspace: empties a field as a user would. WebDriver's own clearing fires no input event. */
export const EMPTYING_KEYS = '\uE009a\uE000\uE003'
