import type { LanguageModel } from 'ai'
import { countOf } from '#lib/domain/text/index.ts'
import type { HostReport, HostRequest } from '../host-protocol.ts'
import { plainMessage } from '../host-protocol.ts'
import type { LibraryAdapter, Session, ToolDescription, ToolServer } from '../library-adapter.ts'
import { type HostTools, ModelActions, type Played } from './model-actions.ts'
import { withinTime } from './within-time.ts'

const MAX_CONNECT_MS = 30_000
const MAX_CLOSE_MS = 5000

/** Opens a library's MCP server and lets the requested model drive it. Never throws for errors of either. */
export async function driveByTools(
  order: HostRequest,
  drive: Extract<HostRequest['drive'], { kind: 'llm' }>,
  library: LibraryAdapter,
  session: Session,
  tools: HostTools,
): Promise<Omit<HostReport, 'resultBytes' | 'resultTokens'>> {
  const open = library.openTools?.(session)
  if (open === undefined) throw new Error(`${library.title} has no tools that a model could call`)
  try {
    const server = await withinTime(open, MAX_CONNECT_MS, 'opening its tools')
    const connectMs = tools.now()
    const played = await playModel(order, drive, server, tools)
    await withinTime(server.close(), MAX_CLOSE_MS, 'closing').catch((error) =>
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

/** The gateway counts every try, so the library's own retries are few. */
const MAX_RETRIES = 2

type ByModel = Extract<HostRequest['drive'], { kind: 'llm' }>

/**
 * Lets a model drive a server's tools until it calls no more. All requests go through the gateway, which meters and
 * limits them; results are text only. Never throws for errors of a model or a tool.
 */
async function playModel(
  order: Pick<HostRequest, 'maxActions'>,
  drive: ByModel,
  server: ToolServer,
  tools: HostTools,
): Promise<Played> {
  const actions = new ModelActions(order, tools)
  const execute = (name: string, args: unknown) =>
    actions.act(name, args, async () => {
      const { text, isError } = await server.call(name, args)
      if (isError) throw new Error(text)
      return text
    })
  try {
    const sdk = await loadSdk()
    const { finishReason, steps } = await sdk.generateText({
      model: modelOf(drive, sdk),
      tools: Object.fromEntries(
        server.tools.map((tool) => [tool.name, asTool(tool, execute, sdk)]),
      ),
      prompt: drive.prompt,
      stopWhen: sdk.stepCountIs(drive.maxSteps),
      maxRetries: MAX_RETRIES,
      abortSignal: actions.ending.signal,
      ...(drive.temperature === null ? {} : { temperature: drive.temperature }),
    })
    tools.log(`the model ended after ${countOf(steps.length, 'turn')}: ${finishReason}`)
    return actions.finish({ wantsMore: finishReason === 'tool-calls' })
  } catch (error) {
    return actions.giveUp(error)
  }
}

/** Loaded only for model runs: most episodes are scripted, and each has its own process. */
async function loadSdk() {
  const [{ dynamicTool, generateText, jsonSchema, stepCountIs }, anthropic, compatible] =
    await Promise.all([
      import('ai'),
      import('@ai-sdk/anthropic'),
      import('@ai-sdk/openai-compatible'),
    ])
  const { createAnthropic } = anthropic
  const { createOpenAICompatible } = compatible
  return {
    dynamicTool,
    generateText,
    jsonSchema,
    stepCountIs,
    createAnthropic,
    createOpenAICompatible,
  }
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>

function modelOf(
  { protocol, baseUrl, key, model }: ByModel,
  { createAnthropic, createOpenAICompatible }: Sdk,
): LanguageModel {
  const at = { baseURL: `${baseUrl}/v1`, apiKey: key }
  if (protocol === 'anthropic') return createAnthropic(at)(model)
  if (protocol === 'openai-chat') return createOpenAICompatible({ name: 'gateway', ...at })(model)
  throw new Error(`a model is driven by openai-chat or anthropic, not by ${protocol}`)
}

function asTool(
  { name, description, inputSchema }: ToolDescription,
  execute: (name: string, args: unknown) => Promise<string>,
  { dynamicTool, jsonSchema }: Sdk,
) {
  return dynamicTool({
    description,
    inputSchema: jsonSchema(inputSchema as Parameters<Sdk['jsonSchema']>[0]),
    execute: (args) => execute(name, args),
  })
}
