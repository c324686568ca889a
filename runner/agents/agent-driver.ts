import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Subject } from '#lib/domain/subject.ts'
import type { SubjectDriver, SubjectEnding, SubjectTurn } from '../controls/subject-driver.ts'
import { runProcess } from '../process/run-process.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { type BuiltCommand, type BuiltFile, buildCommand } from './build-command.ts'
import type { Gateway, GatewayReport, OpenGateway } from './gateway-port.ts'
import { buildPrompt } from './prompt.ts'
import type { Protocol } from './protocols.ts'
import { SCRIPTED } from './providers.ts'
import { readOwnReport } from './read-own-report.ts'
import { subjectEnv } from './subject-env.ts'

const GRACE_MS = 1500
const MOST_PROCESSES = 256
const MOST_PREPARING_MS = 60_000

export type AgentParts = {
  definition: AgentDefinition
  subject: Subject
  provider: { name: string; protocol: Protocol | null }
  binary: string
  /** The provider's real key; null for the scripted model. */
  key: string | null
  own: Readonly<Record<string, string | undefined>>
  openGateway: OpenGateway | null
}

/** An agent of which everything was found: opens a gateway, writes its files, runs it in the workspace. */
export function agentDriver(parts: AgentParts): SubjectDriver {
  const { definition, subject, provider } = parts
  return {
    subject,
    mode: provider.name === SCRIPTED ? 'mock' : 'live',
    metered: definition.metering === 'gateway',
    droppings: definition.droppings,
    refuses: () => null,
    act: async (turn) => {
      const gateway = await openFor(parts, turn)
      // The log is public: an unmetered agent could print the key that it has to be given.
      if (gateway === null) turn.log.hide(parts.key ?? '')
      try {
        const ending = await work(parts, turn, gateway)
        const report = gateway?.report() ?? null
        await noteOwnReport(definition, turn.log, report)
        return { ...ending, report }
      } finally {
        await gateway?.close()
      }
    },
  }
}

/** Leaves both counts in the log, so that an agent that counts otherwise can be seen. */
async function noteOwnReport(
  { usageReport }: AgentDefinition,
  log: SubjectTurn['log'],
  report: GatewayReport | null,
): Promise<void> {
  if (usageReport === null) return
  const own = readOwnReport(usageReport, await readFile(log.path, 'utf8'))
  const say = (value: number | null | undefined) => value ?? 'unknown'
  log.write(
    `\nproofboard: tokens in and out, by the agent's own word ${say(own.input)} and ${say(own.output)}, ` +
      `by the gateway ${say(report?.tokens.input)} and ${say(report?.tokens.output)}\n`,
  )
}

async function openFor(
  { definition, provider, subject, openGateway }: AgentParts,
  { settings, signal }: SubjectTurn,
): Promise<Gateway | null> {
  if (definition.metering !== 'gateway' || provider.protocol === null) return null
  if (openGateway === null) throw new Error(`${definition.name} was started without a gateway`)
  const { temperature, maxSteps, maxTokens, maxCostMicroUsd } = settings
  return openGateway({
    protocol: provider.protocol,
    provider: provider.name,
    model: subject.modelRequested ?? '',
    pins: { temperature },
    budgets: { maxSteps, maxTokens, maxCostMicroUsd },
    signal,
  })
}

/** Its own commands first, then the agent itself; a failed one is the ending. */
async function work(
  parts: AgentParts,
  turn: SubjectTurn,
  gateway: Gateway | null,
): Promise<SubjectEnding> {
  const { definition, provider, subject, binary, own, key } = parts
  const { text, version, digest } = buildPrompt(turn.task)
  const built = buildCommand(definition, {
    protocol: provider.protocol,
    model: subject.modelRequested ?? '',
    prompt: text,
    endpoint: gateway
      ? { baseUrl: gateway.url, key: gateway.dummyKey }
      : { baseUrl: null, key: key ?? '' },
    binary,
    workspace: turn.workspace,
    home: turn.home,
    temporary: turn.temporary,
    env: subjectEnv(turn, own),
  })
  await mkdir(join(turn.temporary, 'out'))
  await writeFiles(built.files)
  const prompt = { version, digest, passedBy: built.passedBy }
  for (const argv of built.preCommands) {
    const ending = await start(turn, built, argv, null, MOST_PREPARING_MS)
    if (ending.cause === 'exited' && ending.exitCode === 0) continue
    turn.log.write(`proofboard: the agent's own command "${argv[1]}" failed before it started\n`)
    return { ...ending, prompt }
  }
  const { argv, stdin } = built
  return { ...(await start(turn, built, argv, stdin, turn.settings.timeoutMs)), prompt }
}

function start(
  turn: SubjectTurn,
  { env }: BuiltCommand,
  argv: readonly string[],
  stdin: string | null,
  mostMs: number,
): Promise<SubjectEnding> {
  const { workspace, folder, marker, settings, log, signal } = turn
  return runProcess({
    command: argv,
    stdin,
    env,
    cwd: workspace,
    folder,
    marker,
    timeoutMs: Math.min(mostMs, settings.timeoutMs),
    diskQuotaBytes: settings.diskQuotaBytes,
    maxProcesses: MOST_PROCESSES,
    graceMs: GRACE_MS,
    log,
    signal,
  })
}

async function writeFiles(files: readonly BuiltFile[]): Promise<void> {
  for (const { path, content, mode } of files) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content, { mode, flag: 'wx' })
  }
}
