import { z } from 'zod'
import { countOf } from '#lib/domain/text/index.ts'
import { SCREEN, Screen } from './computer/screen.ts'
import { packageParts } from './installed-package.ts'
import type { LibraryAdapter, ModelLoop, Session } from './library-adapter.ts'

const PACKAGE = 'chrome-remote-interface'
/** The gateway counts every try, so the loop's own retries are few. */
const MAX_RETRIES = 2

/**
 * A screen, a mouse and a keyboard: the model gets screenshots and returns coordinates. Requests use Anthropic's
 * computer tool in its own format; our loop performs the actions over the DevTools protocol.
 */
export const computerUse: LibraryAdapter = {
  name: 'computer-use',
  title: 'Computer use',
  ...packageParts(PACKAGE),
  adapterVersion: 1,
  targeting: 'coordinates',
  lacks: { upload: 'no screenshot shows the dialog of the system that files are chosen in' },
  connect: async () => {
    throw new Error('coordinates come from a model: scripts have none')
  },
  modelOnly: true,
  modelLoop: { version: 1, protocols: ['anthropic'], run },
}

const point = z.tuple([z.number(), z.number()])

/** The model's actions; an unknown one fails when it is performed. */
const screenActionSchema = z.object({
  action: z.string(),
  coordinate: point.optional(),
  start_coordinate: point.optional(),
  text: z.string().optional(),
  duration: z.number().optional(),
  scroll_amount: z.number().optional(),
  scroll_direction: z.enum(['up', 'down', 'left', 'right']).optional(),
})
export type ScreenAction = z.infer<typeof screenActionSchema>

async function run(session: Session, loop: ModelLoop): Promise<boolean> {
  const [{ default: library }, { createAnthropic }, { generateText, stepCountIs, tool }] =
    await Promise.all([
      import('chrome-remote-interface'),
      import('@ai-sdk/anthropic'),
      import('ai'),
    ])
  const screen = new Screen(library, session)
  try {
    await screen.open(loop.start)
    loop.connected()
    const anthropic = createAnthropic({ baseURL: `${loop.baseUrl}/v1`, apiKey: loop.key })
    const computer = tool({
      type: 'provider',
      ...computerTool(loop.model),
      inputSchema: screenActionSchema,
      execute: (request) =>
        loop.act(request.action, shown(request), () => perform(screen, request)),
      toModelOutput: ({ output }) => ({
        type: 'content',
        value: [{ type: 'image-data', data: output, mediaType: 'image/png' }],
      }),
    })
    const { finishReason, steps } = await generateText({
      model: anthropic(loop.model),
      tools: { computer },
      prompt: loop.prompt,
      stopWhen: stepCountIs(loop.maxSteps),
      maxRetries: MAX_RETRIES,
      abortSignal: session.signal,
      ...(loop.temperature === null ? {} : { temperature: loop.temperature }),
    })
    session.log(`the model ended after ${countOf(steps.length, 'turn')}: ${finishReason}`)
    return finishReason === 'tool-calls'
  } finally {
    await screen.close()
  }
}

type ToolVersion = { id: `anthropic.${string}`; args: Record<string, unknown> }

/** Returns the version of the tool for a model; each generation has another one with the same actions. */
export function computerTool(model: string): ToolVersion {
  const display = { displayWidthPx: SCREEN.width, displayHeightPx: SCREEN.height }
  if (/-5(?!\d)|opus-4-8/.test(model) && !/-4-5/.test(model))
    return {
      id: 'anthropic.computer_toolset_20260801',
      args: { configs: { zoom: { enabled: false } } },
    }
  if (/opus-4-[5-7]/.test(model)) return { id: 'anthropic.computer_20251124', args: display }
  return { id: 'anthropic.computer_20250124', args: display }
}

/** Formats an action for the step trace, without typed text. */
function shown({ action, text, ...rest }: ScreenAction): object {
  return action === 'type' || text === undefined ? rest : { ...rest, text }
}

/** Performs one action; returns the screen after it. */
export async function perform(screen: Screen, request: ScreenAction): Promise<string> {
  const play = ACTIONS[request.action]
  if (play === undefined) throw new Error(`there is no action “${request.action}”`)
  await play(screen, request)
  return screen.screenshot()
}

const SECOND = 1
const NOTCHES = 3

type Play = (screen: Screen, request: ScreenAction) => Promise<void>

const click =
  (button: 'left' | 'middle' | 'right', count = 1): Play =>
  (screen, { coordinate, text }) =>
    screen.click(coordinate, button, count, text)

const ACTIONS: Readonly<Record<string, Play>> = {
  screenshot: async () => {},
  cursor_position: async () => {},
  left_click: click('left'),
  right_click: click('right'),
  middle_click: click('middle'),
  double_click: click('left', 2),
  triple_click: click('left', 3),
  mouse_move: (screen, { coordinate }) => screen.move(coordinate ?? screen.position()),
  left_mouse_down: (screen) => screen.press('left'),
  left_mouse_up: (screen) => screen.release('left'),
  left_click_drag: (screen, { start_coordinate, coordinate }) =>
    screen.drag(start_coordinate ?? screen.position(), coordinate ?? screen.position()),
  type: (screen, { text = '' }) => screen.type(text),
  key: (screen, { text = '' }) => screen.keys(text),
  hold_key: (screen, { text = '' }) => screen.keys(text),
  wait: (screen, { duration = SECOND }) => screen.wait(duration),
  scroll: (screen, { coordinate, scroll_amount = NOTCHES, scroll_direction = 'down' }) => {
    const sign = scroll_direction === 'up' || scroll_direction === 'left' ? -1 : 1
    const amount = sign * scroll_amount
    const isAcross = scroll_direction === 'left' || scroll_direction === 'right'
    return screen.scroll(coordinate, isAcross ? amount : 0, isAcross ? 0 : amount)
  },
}
