import { z } from 'zod'
import { countOf } from '#lib/domain/text/index.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { findWebSocket } from './host/find-web-socket.ts'
import type { LibraryAdapter, ModelLoop, OptionalPackage, Session } from './library-adapter.ts'
import { AGENT_ONLY, loadOptional, optionalParts } from './optional-package.ts'

const PACKAGE: OptionalPackage = {
  library: 'stagehand',
  name: '@browserbasehq/stagehand',
  version: '3.7.3', // 4 has another API and needs a newer node
}

/** Stagehand's own agent, in its default mode: it reads the accessibility tree and calls the model for every act. */
export const stagehand: LibraryAdapter = {
  name: 'stagehand',
  title: 'Stagehand',
  ...optionalParts(PACKAGE),
  ...AGENT_ONLY,
  adapterVersion: 1,
  targeting: 'ref',
  lacks: { upload: 'its agent has no tool that gives files to a page' },
  modelLoop: { version: 1, protocols: ['openai-chat', 'anthropic'], run },
}

/** The part of its API that is used here, from its documentation and the types of that version. */
type Page = { goto: (url: string) => Promise<unknown> }
type Agent = {
  execute: (options: {
    instruction: string
    maxSteps: number
    signal?: AbortSignal
    callbacks: { onStepFinish: (step: unknown) => Promise<void> }
  }) => Promise<unknown>
}
type Stagehand = {
  init: () => Promise<void>
  close: () => Promise<void>
  context: { pages: () => Page[] }
  agent: (options: { mode: 'dom' }) => Agent
}
const moduleSchema = z.object({
  Stagehand: z.custom<new (options: object) => Stagehand>((value) => typeof value === 'function'),
})

const stepSchema = z.object({
  toolCalls: z.array(z.object({ toolName: z.string(), input: z.unknown() })),
})
const resultSchema = z.object({ completed: z.boolean().optional(), message: z.string().optional() })
const lineSchema = z.object({ message: z.string() })

async function run(session: Session, loop: ModelLoop): Promise<boolean> {
  const loaded = moduleSchema.parse(await loadOptional(PACKAGE, RUNNER_ENV))
  const { actionTimeoutMs, endpoint, log } = session
  const stagehand = new loaded.Stagehand({
    env: 'LOCAL',
    localBrowserLaunchOptions: { cdpUrl: await findWebSocket(endpoint) },
    model: modelOf(loop),
    domSettleTimeout: actionTimeoutMs,
    disableAPI: true,
    experimental: true, // required for callbacks with the agent's actions
    disablePino: true,
    verbose: 1,
    logger: (line: unknown) => log(lineSchema.catch({ message: '' }).parse(line).message),
  })
  await stagehand.init()
  try {
    loop.connected()
    await stagehand.context.pages()[0]?.goto(loop.start)
    let steps = 0
    const result = await stagehand.agent({ mode: 'dom' }).execute({
      instruction: loop.prompt,
      maxSteps: loop.maxSteps,
      callbacks: {
        onStepFinish: async (step) => {
          steps += 1
          const { toolCalls } = stepSchema.catch({ toolCalls: [] }).parse(step)
          // Tool calls are reported when they are done.
          for (const { toolName, input } of toolCalls)
            await loop.act(toolName, input, async () => {})
        },
      },
    })
    const { completed = true, message = '' } = resultSchema.catch({}).parse(result)
    log(`its agent ended after ${countOf(steps, 'turn')}: ${message}`)
    return !completed && steps >= loop.maxSteps
  } finally {
    await stagehand.close().catch(() => {})
  }
}

/** Returns Stagehand's settings for a model behind another address. */
export function modelOf({ protocol, baseUrl, key, model, temperature }: ModelLoop): object {
  const vendor = protocol === 'anthropic' ? 'anthropic' : 'openai'
  return {
    modelName: `${vendor}/${model}`,
    apiKey: key,
    baseURL: `${baseUrl}/v1`,
    ...(vendor === 'openai' ? { openaiEndpointFormat: 'chat' } : {}),
    ...(temperature === null ? {} : { temperature }),
  }
}
