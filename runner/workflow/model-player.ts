import type { Subject } from '#lib/domain/record/index.ts'
import type { ModelAccess } from '../gateway/model-access.ts'
import { driveByModel } from '../libraries/drive-by-model.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { plannedClient } from '../subjects/agents/planned-model.ts'
import { modeOf } from '../subjects/agents/providers.ts'
import { modelDriven } from './model-driven.ts'
import { ACTION_TIMEOUT_MS, type WorkflowAttempt, type WorkflowPlayer } from './workflow-player.ts'

/**
 * Plays an MCP server driven by a language model through the metering gateway, after resolving everything it needs.
 * Throws a one-sentence RunnerError before anything runs.
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
    instruction,
    start,
    origin,
    endpoint,
    webdriverPort,
    files,
    folder: temporary,
    hasOwnLoop: modelLoop !== undefined,
    actionTimeoutMs: ACTION_TIMEOUT_MS,
    maxActions: budgets.maxActions,
  }
}
