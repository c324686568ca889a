import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { dynamicTool, generateText, jsonSchema, type LanguageModel, stepCountIs } from 'ai'
import type { TracedAction } from '#lib/domain/record/index.ts'
import type { HostReport, HostRequest } from '../host-protocol.ts'
import { plainMessage } from '../host-protocol.ts'
import type { LibraryAdapter, Session, ToolDescription, ToolServer } from '../library-adapter.ts'
import { withinTime } from './within-time.ts'

const MOST_CONNECT_MS = 30_000
const MOST_CLOSE_MS = 5000

/** Opens a library's MCP server and lets the model of an order drive it. Never throws for what either does. */
export async function driveByTools(
  order: HostRequest,
  drive: Extract<HostRequest['drive'], { kind: 'llm' }>,
  library: LibraryAdapter,
  session: Session,
  tools: Parameters<typeof playModel>[3],
): Promise<Omit<HostReport, 'resultBytes' | 'resultTokens'>> {
  const open = library.openTools?.(session)
  if (open === undefined) throw new Error(`${library.title} has no tools that a model could call`)
  try {
    const server = await withinTime(open, MOST_CONNECT_MS, 'opening its tools')
    const connectMs = tools.now()
    const played = await playModel(order, drive, server, tools)
    await withinTime(server.close(), MOST_CLOSE_MS, 'closing').catch((error) =>
      tools.log(plainMessage(error)),
    )
    return { ...played, connectMs }
  } catch (error) {
    const message = plainMessage(error)
    tools.log(message)
    const libraryError = { step: null, action: 'connect', message }
    const at = Date.now()
    return { ending: 'gave-up', connectMs: null, libraryError, rung: null, firstErrorAt: at }
  }
}

/** The gateway counts every try; the library's own retries are kept few. */
const MOST_RETRIES = 2
const MOST_TARGET_CHARS = 500
const MOST_ACTION_CHARS = 60

type ByModel = Extract<HostRequest['drive'], { kind: 'llm' }>
type Played = Pick<HostReport, 'ending' | 'rung' | 'libraryError' | 'firstErrorAt'>
type Tools = {
  now: () => number
  keep: (action: TracedAction) => void
  log: (line: string) => void
}

/**
 * Lets a model drive a server's tools until it calls none any more. Everything it asks goes through the gateway, which
 * meters and bounds it; results are text alone. Never throws for what a model or a tool does.
 */
async function playModel(
  order: Pick<HostRequest, 'maxActions'>,
  drive: ByModel,
  server: ToolServer,
  { now, keep, log }: Tools,
): Promise<Played> {
  const ending = new AbortController()
  const state = { calls: 0, isOut: false }
  const played: Played = { ending: 'finished', rung: null, libraryError: null, firstErrorAt: null }
  const execute = async (name: string, args: unknown): Promise<string> => {
    if (state.calls >= order.maxActions) {
      state.isOut = true
      ending.abort()
      throw new Error(`the episode has used up its ${order.maxActions} tool calls`)
    }
    state.calls += 1
    const action = name.slice(0, MOST_ACTION_CHARS)
    const startMs = now()
    const told = { step: null, action, target: shorten(args), startMs }
    try {
      const { text, isError } = await server.call(name, args)
      if (isError) throw new Error(text)
      keep({ ...told, durationMs: now() - startMs, error: null })
      return text
    } catch (error) {
      const message = plainMessage(error)
      played.firstErrorAt ??= Date.now()
      played.libraryError = { step: null, action, message }
      keep({ ...told, durationMs: now() - startMs, error: message })
      throw error
    }
  }
  try {
    const { finishReason, steps } = await generateText({
      model: modelOf(drive),
      tools: Object.fromEntries(server.tools.map((tool) => [tool.name, asTool(tool, execute)])),
      prompt: drive.prompt,
      stopWhen: stepCountIs(drive.maxSteps),
      maxRetries: MOST_RETRIES,
      abortSignal: ending.signal,
      ...(drive.temperature === null ? {} : { temperature: drive.temperature }),
    })
    log(`the model ended after ${steps.length} turns: ${finishReason}`)
    if (finishReason === 'tool-calls' || state.isOut) played.ending = 'out-of-actions'
  } catch (error) {
    log(`the model was not heard: ${plainMessage(error)}`)
    played.ending = state.isOut ? 'out-of-actions' : 'gave-up'
  }
  return played
}

function modelOf({ protocol, baseUrl, key, model }: ByModel): LanguageModel {
  const at = { baseURL: `${baseUrl}/v1`, apiKey: key }
  if (protocol === 'anthropic') return createAnthropic(at)(model)
  if (protocol === 'openai-chat') return createOpenAICompatible({ name: 'gateway', ...at })(model)
  throw new Error(`a model is driven by openai-chat or anthropic, not by ${protocol}`)
}

function asTool(
  { name, description, inputSchema }: ToolDescription,
  execute: (name: string, args: unknown) => Promise<string>,
) {
  return dynamicTool({
    description,
    inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]),
    execute: (args) => execute(name, args),
  })
}

function shorten(args: unknown): string | null {
  const text = JSON.stringify(args)
  return text === undefined || text === '{}' ? null : text.slice(0, MOST_TARGET_CHARS)
}
