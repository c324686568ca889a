import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Arm, MeasuredMode, Subject } from '#lib/domain/record/index.ts'
import type { AgentDefinition, Protocol, UsageReport } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import type { GatewayReport } from '../../gateway/gateway-report.ts'
import type { AttemptGateway } from '../../gateway/model-access.ts'
import type { Places } from '../../sandbox/isolation/isolation.ts'
import { runEnclosed } from '../../sandbox/isolation/run-enclosed.ts'
import type { Env } from '../../sandbox/process/own-env.ts'
import { playSteps } from '../play-steps.ts'
import {
  DONE,
  type SubjectContext,
  type SubjectDriver,
  type SubjectEnding,
} from '../subject-driver.ts'
import { type AgentStart, findProgram, findUnreachableAgent, subjectEnv } from './agent-program.ts'
import { type BuiltFile, buildCommand } from './build-command.ts'
import type { OpenLogin } from './login.ts'
import { addServers, mcpSecrets, openServers } from './mcp-servers.ts'
import { buildPrompt } from './prompt.ts'
import { lingeredOf, watchAgent } from './watch-finished.ts'
import { watchProgress } from './watch-progress.ts'

const MAX_PREPARING_MS = 300_000

type AgentParts = {
  definition: AgentDefinition
  subject: Subject
  /** Additional content for its attempts besides the task; absent = none. */
  arm?: Arm | undefined
  provider: { name: string; protocol: Protocol | null }
  found: AgentStart
  /** The subscription in use; null = a key is used. */
  login: OpenLogin | null
  /** The provider's real key; null for the scripted model. */
  key: string | null
  env: Env
  /** Null for an agent that is not metered. */
  openGateway: ((attempt: SubjectContext) => Promise<AttemptGateway>) | null
  mode: MeasuredMode
}

/** Drives a fully resolved agent: opens a gateway, writes its files, runs it in the workspace. */
export function agentDriver(parts: AgentParts): SubjectDriver {
  const { definition, subject, login } = parts
  return {
    subject,
    mode: parts.mode,
    metered: parts.openGateway !== null,
    droppings: definition.droppings,
    // Log and diff are public: an unmetered agent could print the real key that it has to be given.
    secrets: [
      ...(parts.key === null ? [] : [parts.key]),
      ...(login?.secrets ?? []),
      ...mcpSecrets(parts.arm),
    ],
    refuses: () => null,
    findUnreachable: (isolation) =>
      findUnreachableAgent(definition, parts.found, { isolation, env: parts.env }),
    act: async (context) => {
      const gateway = (await parts.openGateway?.(withoutDeadline(context))) ?? null
      const noProgressOf =
        gateway &&
        (await watchProgress(gateway, context, definition.droppings).catch(closing(gateway)))
      let startedAt = ''
      const readReport = (from: AttemptGateway) => sinceStep(from.report(), startedAt)
      const play = (step: SubjectContext) => {
        startedAt = new Date().toISOString()
        const watch =
          gateway && watchAgent({ report: () => readReport(gateway) }, step, definition.droppings)
        return work(parts, step, gateway, watch?.finished).finally(() => watch?.end())
      }
      // A call is recorded just after its last byte, so the report is read after the gateway has closed.
      const ending = await playSteps(context, play, () => gateway?.report().exhausted != null)
        .catch((error) => keepLoss(error, context, gateway))
        .finally(() => gateway?.close())
      const report = gateway && readReport(gateway)
      const lingered = lingeredOf(ending, report)
      const calls = gateway?.calls() ?? null
      const transcript = gateway?.transcript ?? null
      try {
        await noteOwnReport(definition, context.log, report)
        const noProgress = (await noProgressOf?.()) ?? []
        const recording = (await gateway?.recording()) ?? null
        const activation = gateway?.activation()
        return {
          ...ending,
          ...lingered,
          report,
          noProgress,
          recording,
          calls,
          transcript,
          activation,
        }
      } catch (error) {
        // It has worked and cost money: that stays known, whatever failed afterwards.
        return { ...ending, report, calls, transcript, brokenBy: error as Error }
      }
    },
  }
}

/** The longest time that a timer of node can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Steps are judged while the gateway is open, so that each step's own time limit is the only one. */
function withoutDeadline(context: SubjectContext): SubjectContext {
  if (context.nextStep === undefined) return context
  return { ...context, settings: { ...context.settings, timeoutMs: MAX_TIMER_MS } }
}

/** Clears the time of the agent's last message if an earlier step wrote it. */
function sinceStep(report: GatewayReport, startedAt: string): GatewayReport {
  const { finalAnswerAt } = report
  const isOld = finalAnswerAt !== null && finalAnswerAt < startedAt
  return isOld ? { ...report, finalAnswerAt: null } : report
}

function closing(gateway: AttemptGateway) {
  return async (error: Error): Promise<never> => {
    await gateway.close()
    throw error
  }
}

/** Keeps the cost known so far if the harness failed while the agent worked behind the gateway. */
function keepLoss(
  error: Error,
  { signal }: SubjectContext,
  gateway: AttemptGateway | null,
): SubjectEnding {
  if (gateway === null || signal.aborted) throw error
  return { ...DONE, exitCode: null, brokenBy: error }
}

/** Writes both counts to the log, so that an agent that counts differently is noticed. */
async function noteOwnReport(
  { usageReport }: AgentDefinition,
  log: SubjectContext['log'],
  report: GatewayReport | null,
): Promise<void> {
  if (usageReport === null) return
  log.flush()
  const own = readUsageReport(usageReport, await readFile(log.path, 'utf8'))
  const say = (value: number | null | undefined) => value ?? 'unknown'
  log.write(
    `\nproofboard: tokens in and out, by the agent's own word ${say(own.input)} and ${say(own.output)}, ` +
      `by the gateway ${say(report?.tokens.input)} and ${say(report?.tokens.output)}\n`,
  )
}

/** Runs its own commands first, then the agent itself; a failed one is the ending. */
async function work(
  parts: AgentParts,
  context: SubjectContext,
  gateway: AttemptGateway | null,
  finished: AbortSignal | undefined,
): Promise<SubjectEnding> {
  const { definition, provider, subject, found, login, env, key, arm } = parts
  const { text, version, digest } = buildPrompt(
    context.task,
    context.settings.customInstruction,
    arm?.promptPrefix,
  )
  const inside = context.isolation.inside(context)
  const program = findProgram(definition.name, found, context.isolation)
  const { servers, folders } = openServers(arm, context.isolation, inside)
  const plain = buildCommand(definition, {
    protocol: provider.protocol,
    effort: context.settings.effort ?? null,
    usesLogin: context.settings.login !== undefined,
    model: subject.modelRequested ?? '',
    prompt: text,
    endpoint: gateway
      ? { baseUrl: gateway.url, key: gateway.dummyKey }
      : { baseUrl: null, key: key ?? '' },
    start: program.start,
    ...inside,
    env: subjectEnv({ ...context, ...inside }, env),
  })
  const built = addServers(plain, definition, { servers, home: inside.home })
  const onHost = hostPaths(inside, context)
  await mkdir(join(context.temporary, 'out'))
  const handed = (login?.files() ?? []).map(({ path, content }) => ({
    path: join(inside.home, path),
    content,
    mode: 0o400,
  }))
  await writeFiles(
    [...built.files, ...handed].map((file) => ({ ...file, path: onHost(file.path) })),
  )
  const start = (argv: readonly string[], stdin: string | null, mostMs: number) =>
    runEnclosed(context, {
      command: argv,
      env: built.env,
      stdin: stdin && onHost(stdin),
      mostMs,
      programs: [...program.folders, ...folders],
      gateway: gateway?.socket ?? null,
      finished,
    })
  const prompt = { version, digest, passedBy: built.passedBy }
  // One limit for all of its commands together.
  const endsAtMs = performance.now() + context.settings.timeoutMs
  const leftMs = () => Math.max(1, endsAtMs - performance.now())
  for (const argv of built.preCommands) {
    const ending = await start(argv, null, Math.min(MAX_PREPARING_MS, leftMs()))
    if (ending.cause === 'exited' && ending.exitCode === 0) continue
    const command = argv[program.start.length]
    const how = ending.cause === 'exited' ? `exited with ${ending.exitCode}` : ending.cause
    context.log.write(`proofboard: the agent's own command "${command}" failed before it started\n`)
    const setupFailed = `the agent's own set-up command "${command}" failed: ${how}`
    return { ...ending, prompt, setupFailed }
  }
  return { ...(await start(built.argv, built.stdin, leftMs())), prompt }
}

/** Maps a path that the agent sees to the path on this machine. */
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

/** Writes files that must not exist yet, with their folders. */
export async function writeFiles(files: readonly BuiltFile[]): Promise<void> {
  for (const { path, content, mode } of files) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content, { mode, flag: 'wx' })
  }
}

type OwnUsage = { input: number | null; output: number | null; costUsd: number | null }

/**
 * Reads an agent's own report of its usage from its output; null if there is none. Output that is not JSON is skipped:
 * there are lines of noise between.
 */
export function readUsageReport(report: UsageReport, output: string): OwnUsage {
  const items = output
    .split('\n')
    .flatMap(parseLine)
    .filter((item) => memberOf(item, 'type') === report.type)
  const read = (path: string | null) => {
    const numbers = items.flatMap((item) => toNumber(path === null ? null : memberOf(item, path)))
    if (numbers.length === 0) return null
    return report.sum ? numbers.reduce((sum, one) => sum + one, 0) : (numbers.at(-1) ?? null)
  }
  return { input: read(report.input), output: read(report.output), costUsd: read(report.costUsd) }
}

/** Parses the objects of one line: a single one, or an array. */
function parseLine(line: string): unknown[] {
  if (!/^\s*[{[]/.test(line)) return []
  const value = parseJson(line) ?? []
  return Array.isArray(value) ? value : [value]
}

function memberOf(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    const isMember = typeof at === 'object' && at !== null && Object.hasOwn(at, name)
    return isMember ? (at as Record<string, unknown>)[name] : undefined
  }, value)
}

function toNumber(value: unknown): number[] {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? [value] : []
}
