import { z } from 'zod'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import type { LibraryAdapter, ModelLoop, OptionalPackage, Session } from './library-adapter.ts'
import { AGENT_ONLY, loadOptional, optionalParts } from './optional-package.ts'

const PACKAGE: OptionalPackage = { library: 'magnitude', name: 'magnitude-core', version: '0.3.1' }

/** Magnitude's own agent: it sends screenshots, and the model responds with coordinates. */
export const magnitude: LibraryAdapter = {
  name: 'magnitude',
  title: 'Magnitude',
  ...optionalParts(PACKAGE),
  ...AGENT_ONLY,
  adapterVersion: 1,
  targeting: 'coordinates',
  lacks: { upload: 'no screenshot shows the dialog of the system that files are chosen in' },
  // Its clients for Anthropic and OpenAI accept no base URL; the third one does.
  modelLoop: { version: 1, protocols: ['openai-chat'], run },
}

/** The part of its API that is used here, from the types of that version. */
type Action = { variant: string }
type BrowserAgent = {
  act: (task: string) => Promise<void>
  events: { on: (name: 'actionDone', listener: (action: Action) => void) => void }
}
const moduleSchema = z.object({
  startBrowserAgent: z.custom<(options: object) => Promise<BrowserAgent>>(isFunction),
})
type Browser = { contexts: () => unknown[]; close: () => Promise<void> }
/** Playwright's module object, or that object as the default of another. */
const playwrightSchema = z.object({
  // Passed as a whole: its methods depend on their object.
  chromium: z.custom<{ connectOverCDP: (endpoint: string) => Promise<Browser> }>(
    (value) => typeof value === 'object' && value !== null && 'connectOverCDP' in value,
  ),
})

const moduleOfPlaywright = playwrightSchema.or(
  z.object({ default: playwrightSchema }).transform((found) => found.default),
)

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

async function run(session: Session, loop: ModelLoop): Promise<boolean> {
  const { startBrowserAgent } = moduleSchema.parse(await loadOptional(PACKAGE, RUNNER_ENV))
  const loaded = await loadOptional(PACKAGE, RUNNER_ENV, 'playwright')
  const { chromium } = moduleOfPlaywright.parse(loaded)
  const browser = await chromium.connectOverCDP(session.endpoint)
  try {
    // Its own context would be gone when it ends, and the final page with it.
    const [context] = browser.contexts()
    const agent = await startBrowserAgent({
      url: loop.start,
      browser: { context },
      llm: { provider: 'openai-generic', options: modelOptions(loop) },
      telemetry: false,
    })
    loop.connected()
    const tooMany = new Promise<never>((_, reject) => {
      agent.events.on('actionDone', (action) => {
        const { variant, ...rest } = action
        loop.act(variant, withoutText(rest), async () => {}).catch(reject)
      })
    })
    await Promise.race([agent.act(loop.prompt), tooMany])
    session.log('its agent ended')
    return false
  } finally {
    await browser.close().catch(() => {})
  }
}

function withoutText(action: Record<string, unknown>): object {
  const { content, ...rest } = action
  return rest
}

/** Configures its client for OpenAI-compatible servers; without a temperature it would request 0. */
export function modelOptions({ baseUrl, key, model, temperature }: ModelLoop): object {
  return {
    model,
    baseUrl: `${baseUrl}/v1`,
    apiKey: key,
    ...(temperature === null ? {} : { temperature }),
  }
}
