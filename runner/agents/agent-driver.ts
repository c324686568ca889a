import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MeasuredMode } from '#lib/domain/episode.ts'
import type { Subject } from '#lib/domain/subject.ts'
import type { SubjectDriver, SubjectEnding, SubjectTurn } from '../controls/subject-driver.ts'
import type { Places } from '../isolation/isolation.ts'
import { runEnclosed } from '../isolation/run-enclosed.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { type BuiltFile, buildCommand } from './build-command.ts'
import { findProgram } from './find-program.ts'
import { findUnreachableAgent } from './find-unreachable.ts'
import type { GatewayReport, OpenGateway } from './gateway-port.ts'
import { type AttemptGateway, openAttemptGateway } from './open-attempt-gateway.ts'
import { buildPrompt } from './prompt.ts'
import type { Protocol } from './protocols.ts'
import { readOwnReport } from './read-own-report.ts'
import { subjectEnv } from './subject-env.ts'
import { watchProgress } from './watch-progress.ts'

const MOST_PREPARING_MS = 60_000
/** The gateway ends the conversation when the time is up; so long an agent may take to notice. */
const WIND_UP_MS = 10_000

export type AgentParts = {
  definition: AgentDefinition
  subject: Subject
  provider: { name: string; protocol: Protocol | null }
  binary: string
  /** The provider's real key; null for the scripted model. */
  key: string | null
  own: Readonly<Record<string, string | undefined>>
  openGateway: OpenGateway | null
  mode: MeasuredMode
}

/** An agent of which everything was found: opens a gateway, writes its files, runs it in the workspace. */
export function agentDriver(parts: AgentParts): SubjectDriver {
  const { definition, subject } = parts
  return {
    subject,
    mode: parts.mode,
    metered: definition.metering === 'gateway',
    droppings: definition.droppings,
    // Log and diff are public: an unmetered agent could print the key that it has to be given.
    secrets: parts.key === null ? [] : [parts.key],
    refuses: () => null,
    findUnreachable: (isolation) =>
      findUnreachableAgent(definition, parts.binary, { isolation, own: parts.own }),
    act: async (turn) => {
      const gateway = await openFor(parts, turn)
      const noProgressOf = gateway && (await watchProgress(gateway, turn, definition.droppings))
      // A call is written down just after its last byte, so the gateway is asked when it has closed.
      const ending = await work(parts, turn, gateway).finally(() => gateway?.close())
      const report = gateway?.report() ?? null
      await noteOwnReport(definition, turn.log, report)
      const noProgress = (await noProgressOf?.()) ?? []
      const recording = (await gateway?.recording()) ?? null
      return { ...ending, report, noProgress, recording, calls: gateway?.calls() ?? null }
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
  log.flush()
  const own = readOwnReport(usageReport, await readFile(log.path, 'utf8'))
  const say = (value: number | null | undefined) => value ?? 'unknown'
  log.write(
    `\nproofboard: tokens in and out, by the agent's own word ${say(own.input)} and ${say(own.output)}, ` +
      `by the gateway ${say(report?.tokens.input)} and ${say(report?.tokens.output)}\n`,
  )
}

async function openFor(
  { definition, provider, subject, openGateway, key }: AgentParts,
  turn: SubjectTurn,
): Promise<AttemptGateway | null> {
  const { name, protocol } = provider
  if (definition.metering !== 'gateway' || protocol === null) return null
  if (openGateway === null) throw new Error(`${definition.name} was started without a gateway`)
  return openAttemptGateway({ subject, provider: { name, protocol }, openGateway, key }, turn)
}

/** Its own commands first, then the agent itself; a failed one is the ending. */
async function work(
  parts: AgentParts,
  turn: SubjectTurn,
  gateway: AttemptGateway | null,
): Promise<SubjectEnding> {
  const { definition, provider, subject, binary, own, key } = parts
  const { text, version, digest } = buildPrompt(turn.task)
  const inside = turn.isolation.inside(turn)
  const program = findProgram(definition.name, binary, turn.isolation)
  const built = buildCommand(definition, {
    protocol: provider.protocol,
    model: subject.modelRequested ?? '',
    prompt: text,
    endpoint: gateway
      ? { baseUrl: gateway.url, key: gateway.dummyKey }
      : { baseUrl: null, key: key ?? '' },
    binary: program.path,
    ...inside,
    env: subjectEnv({ ...turn, ...inside }, own),
  })
  const onHost = hostPaths(inside, turn)
  await mkdir(join(turn.temporary, 'out'))
  await writeFiles(built.files.map((file) => ({ ...file, path: onHost(file.path) })))
  const start = (argv: readonly string[], stdin: string | null, mostMs: number) =>
    runEnclosed(turn, {
      command: argv,
      env: built.env,
      stdin: stdin && onHost(stdin),
      mostMs,
      programs: program.folders,
      gateway: gateway?.door ?? null,
    })
  const prompt = { version, digest, passedBy: built.passedBy }
  const { timeoutMs } = turn.settings
  for (const argv of built.preCommands) {
    const ending = await start(argv, null, Math.min(MOST_PREPARING_MS, timeoutMs))
    if (ending.cause === 'exited' && ending.exitCode === 0) continue
    turn.log.write(`proofboard: the agent's own command "${argv[1]}" failed before it started\n`)
    return { ...ending, prompt }
  }
  const windUpMs = gateway ? WIND_UP_MS : 0
  return { ...(await start(built.argv, built.stdin, timeoutMs + windUpMs)), prompt }
}

/** Where a path that the agent sees lies on this machine. */
function hostPaths(inside: Places, host: Places): (path: string) => string {
  const pairs = (['home', 'temporary', 'workspace'] as const).map((name) => [
    inside[name],
    host[name],
  ])
  return (path) => {
    const [seen = '', real = ''] = pairs.find(([place]) => path.startsWith(`${place}/`)) ?? []
    return real + path.slice(seen.length)
  }
}

async function writeFiles(files: readonly BuiltFile[]): Promise<void> {
  for (const { path, content, mode } of files) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content, { mode, flag: 'wx' })
  }
}
