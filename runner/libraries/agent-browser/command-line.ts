import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { runTool } from '../../sandbox/process/run-tool.ts'
import type { Session } from '../library-adapter.ts'
import { libraryEnv } from '../mcp/open-mcp-server.ts'
import { packageFolder } from '../mcp/package-bin.ts'

/** Idle limit of an abandoned daemon, longer than any pause between two actions. */
const MAX_IDLE_MS = 120_000
const MAX_ENDING_MS = 2000
/** Added to the daemon's own limit, so that its own error is reported. */
const GRACE_MS = 4000
/** The maximum length of a unix socket's path, minus the file name. */
const MAX_SOCKET_FOLDER = 80

const answersSchema = z.array(
  z.object({
    success: z.boolean(),
    error: z.string().nullable(),
    result: z.record(z.string(), z.unknown()).nullable(),
    warning: z.string().optional(),
  }),
)
type Answer = { result: Record<string, unknown>; warning: string | null }
export type AgentBrowserCommand = readonly string[]

/** A command that the library refused, with its message. */
export class CommandError extends Error {}

/** Settings of an episode's commands: its own socket folder, HOME and daemon. */
export type CommandLine = {
  binary: string
  env: Record<string, string>
  /** The daemon's pid file. */
  pidPath: string
  limitMs: number
}

/** Creates the folders of an episode. Throws if its path is too long for a socket. */
export function createCommandLine(binary: string, session: Session): CommandLine {
  const sockets = join(session.folder, 'ab')
  if (Buffer.byteLength(sockets) > MAX_SOCKET_FOLDER)
    throw new Error(`${sockets} is too long a path for a socket: give the run a shorter folder`)
  mkdirSync(sockets, { recursive: true, mode: 0o700 })
  const name = `pb-${randomUUID().slice(0, 8)}`
  const env = libraryEnv(session.folder, {
    AGENT_BROWSER_SOCKET_DIR: sockets,
    AGENT_BROWSER_SESSION: name,
    AGENT_BROWSER_CDP: session.endpoint,
    AGENT_BROWSER_DEFAULT_TIMEOUT: String(session.actionTimeoutMs),
    AGENT_BROWSER_IDLE_TIMEOUT_MS: String(MAX_IDLE_MS),
    // It checks online whether Chromium is outdated, and starts its own browser if it has lost the given one.
    AGENT_BROWSER_NO_VERSION_CHECK: '1',
    AGENT_BROWSER_EXECUTABLE_PATH: join(sockets, 'no-browser-of-its-own'),
  })
  return { binary, env, pidPath: join(sockets, `${name}.pid`), limitMs: session.actionTimeoutMs }
}

/** Runs commands in order, up to the first that fails: one process. Returns one result per command, or throws. */
export async function runCommands(
  { binary, env, limitMs }: CommandLine,
  commands: readonly AgentBrowserCommand[],
  mostMs = limitMs + GRACE_MS,
): Promise<Answer[]> {
  const args = ['--cdp', env.AGENT_BROWSER_CDP ?? '', '--json', 'batch', '--bail']
  const { code, stdout, stderr } = await runTool([binary, ...args], {
    env,
    timeoutMs: mostMs,
    input: JSON.stringify(commands),
  })
  if (stdout.trim() !== '') return readAnswers(stdout)
  const silence = `no answer within ${mostMs} ms`
  throw new CommandError(code === null ? silence : stderr.trim() || 'it answered nothing')
}

function readAnswers(output: string): Answer[] {
  const json: unknown = parse(output)
  const answers = answersSchema.safeParse(json)
  if (!answers.success) throw new CommandError(output.trim().slice(0, 2000))
  const failed = answers.data.find(({ success }) => !success)
  if (failed) throw new CommandError(failed.error ?? 'the command failed without a message')
  return answers.data.map(({ result, warning }) => ({
    result: result ?? {},
    warning: warning ?? null,
  }))
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return null
  }
}

/** Ends the daemon, gracefully first; the browser stays. */
export async function endDaemon(line: CommandLine): Promise<void> {
  if (daemonOf(line) === null) return
  await runCommands(line, [['close']], MAX_ENDING_MS).catch(() => {})
  const left = daemonOf(line)
  if (left === null) return
  try {
    process.kill(left, 'SIGKILL')
  } catch {
    // gone in the meantime
  }
}

function daemonOf({ pidPath }: CommandLine): number | null {
  try {
    const pid = Number.parseInt(readFileSync(pidPath, 'utf8'), 10)
    return pid > 1 ? pid : null
  } catch {
    return null
  }
}

export const AGENT_BROWSER = 'agent-browser'

/** Finds the native program of the package for this machine; null if there is none. */
export function findAgentBrowser(): string | null {
  const program = `agent-browser-${systemName()}-${process.arch}`
  const path = join(packageFolder(AGENT_BROWSER), 'bin', program)
  if (!existsSync(path)) return null
  // npm keeps the packed permissions if install scripts are off.
  if ((statSync(path).mode & 0o111) === 0) chmodSync(path, 0o755)
  return path
}

function systemName(): string {
  if (process.platform !== 'linux') return process.platform
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime === undefined ? 'linux-musl' : 'linux'
}
