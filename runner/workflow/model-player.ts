import type { Subject } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { ModelAccess } from '../gateway/model-access.ts'
import { driveByModel } from '../libraries/drive-by-model.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { plannedClient } from '../subjects/agents/planned-model.ts'
import { modeOf, type Served } from '../subjects/agents/providers.ts'
import type { WorkflowAttempt, WorkflowPlayer } from './workflow-player.ts'
import { ACTION_TIMEOUT_MS } from './workflow-player.ts'

/**
 * An MCP server that a language model drives through the metering gateway, after all it needs was found here. Throws
 * a RunnerError, in one sentence, before anything runs.
 */
export function modelPlayer(
  adapter: LibraryAdapter,
  subject: Subject,
  access: ModelAccess,
): WorkflowPlayer {
  const served = modelDriven(adapter)
  const client = plannedClient(served, subject, access, RUNNER_ENV)
  const { key, source } = client
  return {
    subject,
    mode: modeOf(source, subject),
    driven: 'llm',
    targeting: adapter.targeting,
    webdriver: adapter.webdriver,
    secrets: key === null ? [] : [key],
    act: async (attempt) => {
      const { ending, trace } = await driveByModel(
        client,
        attempt,
        placeOf(adapter, attempt),
        RUNNER_ENV,
      )
      return { ending, ...trace }
    },
  }
}

function placeOf({ name, definition, modelLoop }: LibraryAdapter, attempt: WorkflowAttempt) {
  const { task, origin, endpoint, webdriverPort, files, temporary } = attempt
  const { instruction, start, budgets } = task.task
  return {
    library: name,
    definition,
    ...{ instruction, start, origin, endpoint, webdriverPort, files },
    folder: temporary,
    hasOwnLoop: modelLoop !== undefined,
    actionTimeoutMs: ACTION_TIMEOUT_MS,
    maxActions: budgets.maxActions,
  }
}

/** Who may answer when a model drives a library: our tool loop speaks two of the gateway's protocols. */
export function modelDriven({
  name,
  modelLoop,
}: Pick<LibraryAdapter, 'name' | 'modelLoop'>): Served {
  const spoken = modelLoop?.protocols ?? TOOL_LOOP
  const providers = Object.entries(PROVIDERS).filter(([, { protocol }]) =>
    spoken.includes(protocol),
  )
  return {
    name,
    metering: 'gateway',
    preferred: spoken[0] ?? null,
    protocols: Object.fromEntries(spoken.map((protocol) => [protocol, {}])),
    providers: Object.fromEntries(providers),
  }
}

/** What our own tool loop speaks, preferred first. */
const TOOL_LOOP: readonly Protocol[] = ['openai-chat', 'anthropic']

const PROVIDERS: Readonly<Record<string, { protocol: Protocol; models: Record<string, string> }>> =
  {
    anthropic: { protocol: 'anthropic', models: {} },
    openai: { protocol: 'openai-chat', models: {} },
    openrouter: { protocol: 'openai-chat', models: {} },
    moonshot: { protocol: 'openai-chat', models: {} },
    xai: { protocol: 'openai-chat', models: {} },
    dashscope: { protocol: 'openai-chat', models: {} },
  }
