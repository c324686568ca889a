import type { Subject } from '#lib/domain/subject.ts'
import { AgentError } from '../agents/agent-error.ts'
import { type GatewayHouse, gatewayHouse } from '../agents/gateway-house.ts'
import { modeOf } from '../agents/model-source.ts'
import { findKey, refuseMisfit } from '../agents/planned-agent.ts'
import { findProvider, SCRIPTED } from '../agents/providers.ts'
import { driveByModel } from '../libraries/drive-by-model.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { ACTION_TIMEOUT_MS } from './action-timeout.ts'
import { modelDriven } from './model-driven.ts'
import type { WorkflowPlayer, WorkflowTurn } from './workflow-player.ts'

/**
 * An MCP server that a language model drives through the metering gateway, after all it needs was found here. Throws
 * AgentError, in one sentence, before anything runs.
 */
export function modelPlayer(
  adapter: LibraryAdapter,
  subject: Subject,
  house: GatewayHouse,
): WorkflowPlayer {
  const served = modelDriven(adapter)
  const provider = findProvider(served, subject.provider ?? '')
  if (!provider?.protocol)
    throw new AgentError(`the plan names no provider of ${adapter.name} that is known here`)
  const { source } = house
  refuseMisfit(adapter.name, subject.provider === SCRIPTED, source)
  const key = source.kind === 'replay' ? null : findKey(served, provider, OWN_ENV)
  const parts = {
    subject,
    provider: { name: provider.name, protocol: provider.protocol },
    openGateway: gatewayHouse(house),
    key,
  }
  return {
    subject,
    mode: modeOf(source, subject),
    driven: 'llm',
    targeting: adapter.targeting,
    webdriver: adapter.webdriver,
    secrets: key === null ? [] : [key],
    act: async (turn) => {
      const { ending, trace } = await driveByModel(parts, turn, placeOf(adapter, turn), OWN_ENV)
      return { ending, ...trace }
    },
  }
}

function placeOf({ name }: LibraryAdapter, turn: WorkflowTurn) {
  const { task, origin, endpoint, webdriverPort, files, temporary } = turn
  const { instruction, start, budgets } = task.task
  return {
    library: name,
    ...{ instruction, start, origin, endpoint, webdriverPort, files },
    folder: temporary,
    actionTimeoutMs: ACTION_TIMEOUT_MS,
    maxActions: budgets.maxActions,
  }
}
