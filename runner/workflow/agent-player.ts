import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Subject } from '#lib/domain/record/index.ts'
import type { AttemptGateway, ModelAccess } from '../gateway/model-access.ts'
import { stageFiles } from '../libraries/mcp/ref-page.ts'
import { buildModelPrompt } from '../libraries/model-prompt.ts'
import { bundleProgram, HOST_PROGRAM, playLibrary } from '../libraries/play-library.ts'
import { subjectError } from '../runner-error.ts'
import { bubblewrap } from '../sandbox/isolation/bubblewrap.ts'
import { holdsPrivate } from '../sandbox/isolation/system-mounts.ts'
import { nodeProgram } from '../sandbox/process/node-program.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { writeFiles } from '../subjects/agents/agent-driver.ts'
import { type AgentStart, findProgram, subjectEnv } from '../subjects/agents/agent-program.ts'
import { buildCommand } from '../subjects/agents/build-command.ts'
import { notInstalled } from '../subjects/agents/choose-agent.ts'
import { findWorkingAgent } from '../subjects/agents/find-working-agent.ts'
import { plannedClient } from '../subjects/agents/planned-model.ts'
import { modeOf } from '../subjects/agents/providers.ts'
import { type AgentPair, withServer } from './agent-pair.ts'
import {
  ACTION_TIMEOUT_MS,
  type PlayedWorkflow,
  type WorkflowAttempt,
  type WorkflowPlayer,
} from './workflow-player.ts'

/**
 * Plays a coding agent that works in the browser by an MCP server, through the metering gateway, judged like any
 * library. Throws a one-sentence RunnerError before anything runs.
 */
export async function agentPlayer(
  { definition, adapter }: AgentPair,
  subject: Subject,
  access: ModelAccess,
): Promise<WorkflowPlayer> {
  const client = plannedClient(definition, subject, access, RUNNER_ENV)
  const { key, source, provider } = client
  const program = await findWorkingAgent(definition, RUNNER_ENV)
  if (program === null) throw notInstalled(definition)
  refuseWideFolder(definition.name, program)
  return {
    subject,
    mode: modeOf(source, subject),
    driven: 'llm',
    targeting: adapter.targeting,
    webdriver: adapter.webdriver,
    secrets: key === null ? [] : [key],
    act: async (attempt) => {
      const gateway = await access.openGateway(client, attempt)
      const endpoint = { baseUrl: gateway.url, key: gateway.dummyKey }
      const parts = { definition, adapter, found: program, protocol: provider.protocol, endpoint }
      const played = await play(parts, { attempt, subject, socket: gateway.socket }).finally(() =>
        gateway.close(),
      )
      const report = gateway.report()
      const recording = await gateway.recording()
      const { transcript } = gateway
      return {
        ...played,
        ending: { ...played.ending, report, recording, calls: gateway.calls(), transcript },
      }
    },
  }
}

/** Its folder is exposed to its sandbox. */
function refuseWideFolder(name: string, program: AgentStart): void {
  const wide = findProgram(name, program, bubblewrap).folders.find(({ host }) => holdsPrivate(host))
  if (wide)
    throw subjectError(
      `${name} is installed in ${wide.host}, which cannot be shown to a sandbox because it contains more than a program: install it in a folder of its own`,
    )
}

type Parts = AgentPair & {
  found: AgentStart
  protocol: NonNullable<AgentPair['definition']['preferred']>
  endpoint: { baseUrl: string; key: string }
}
type Turn = {
  attempt: WorkflowAttempt
  subject: Subject
  socket: AttemptGateway['socket']
}

async function play(
  { definition, adapter, found, protocol, endpoint }: Parts,
  { attempt, subject, socket }: Turn,
): Promise<PlayedWorkflow> {
  const { task, origin, workspace, home, temporary, isolation, reach } = attempt
  const { instruction, start, budgets } = task.task
  const files = await stageFiles(temporary, Object.values(attempt.files))
  const prompt = buildModelPrompt({ instruction, origin, start, files, hasOwnLoop: false })
  const host = await bundleProgram(HOST_PROGRAM)
  const node = reach === null ? nodeProgram().path : 'node'
  const server = { command: node, args: [host, 'serve', join(temporary, 'order.json')] }
  const program = findProgram(definition.name, found, isolation)
  const inside = isolation.inside({ workspace, home, temporary })
  const built = buildCommand(withServer(definition, server), {
    protocol,
    endpoint,
    start: program.start,
    prompt: prompt.text,
    ...inside,
    model: subject.modelRequested ?? '',
    effort: null,
    usesLogin: false,
    env: subjectEnv({ ...attempt, ...inside }, RUNNER_ENV),
  })
  await mkdir(join(temporary, 'out'), { recursive: true })
  await writeFiles(built.files)
  const played = await playLibrary(
    attempt,
    {
      library: adapter.name,
      definition: adapter.definition,
      drive: {
        kind: 'agent',
        argv: built.argv,
        env: built.env,
        cwd: workspace,
        stdin: built.stdin,
      },
      endpoint: attempt.endpoint,
      webdriverPort: attempt.webdriverPort,
      origin,
      start,
      files: attempt.files,
      actionTimeoutMs: ACTION_TIMEOUT_MS,
      maxActions: budgets.maxActions,
      folder: temporary,
    },
    RUNNER_ENV,
    { gateway: socket, shown: program.folders.map((folder) => folder.host) },
  )
  const { version, digest } = prompt
  return {
    ...played,
    ending: { ...played.ending, prompt: { version, digest, passedBy: built.passedBy } },
  }
}
