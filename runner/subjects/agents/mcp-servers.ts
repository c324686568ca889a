import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Arm, McpServer } from '#lib/domain/record/index.ts'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { asPlaceholder, fillTemplate } from '../../placeholders.ts'
import { subjectError } from '../../runner-error.ts'
import type { Isolation, ProgramFolder } from '../../sandbox/isolation/isolation.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { escapeToml } from './agent-definition.ts'
import { findProgram } from './agent-program.ts'
import type { BuiltCommand, BuiltFile } from './build-command.ts'
import { findBinary } from './find-binary.ts'

const IN_WORKSPACE = `${asPlaceholder('workspace')}/`

/**
 * Finds the program of a server on this machine; null = it is in the overlay, or a problem explains why there is none.
 */
export function findMcpProgram(
  { name, command }: McpServer,
  { files }: Pick<Arm, 'files'>,
): { path: string | null; problem: string | null } {
  if (command.startsWith(IN_WORKSPACE)) {
    const inside = command.slice(IN_WORKSPACE.length)
    const isThere = files.some(({ path, executable }) => path === inside && executable)
    if (isThere) return { path: null, problem: null }
    const problem = `the MCP server "${name}" starts ${inside}, which is not an executable file of this arm`
    return { path: null, problem }
  }
  const path = findBinary(command, RUNNER_ENV.PATH ?? '')
  if (path !== null) return { path, problem: null }
  return {
    path,
    problem: `the MCP server "${name}" starts ${command}, which is not on this machine`,
  }
}

/** A server ready for an agent to start, with the values of its variables. */
type ReadyServer = { name: string; command: string; args: string[]; env: Record<string, string> }

/**
 * The servers of an arm, ready to be written into an agent's configuration, and the folders that its sandbox has to
 * expose for them.
 */
export type OpenServers = { servers: ReadyServer[]; folders: ProgramFolder[] }

type Inside = { workspace: string; home: string }

/** Finds the programs and values of an arm's servers as an attempt sees them. Throws a one-sentence RunnerError. */
export function openServers(
  arm: Arm | undefined,
  isolation: Isolation,
  inside: Inside,
): OpenServers {
  const folders: ProgramFolder[] = []
  const servers = (arm?.mcpServers ?? []).map((server) => {
    const { path, problem } = findMcpProgram(server, arm ?? { files: [] })
    if (problem !== null) throw subjectError(problem)
    const fill = (text: string) => fillTemplate(text, { ...inside })
    let command = fill(server.command)
    if (path !== null && !isSeenInside(path, isolation)) {
      const program = findProgram(`mcp-${server.name}`, { binary: path, node: null }, isolation)
      folders.push(...program.folders)
      command = program.start[0] ?? command
    }
    const env = readVariables(server)
    return { name: server.name, command, args: server.args.map(fill), env }
  })
  return { servers, folders }
}

/** Throws a one-sentence RunnerError if an arm's servers cannot be started on this machine. */
export function checkServers(arm: Arm | undefined, { name, mcp }: AgentDefinition): void {
  for (const server of arm?.mcpServers ?? []) {
    if (!mcp)
      throw subjectError(`the definition of ${name} has no "mcp" section, which MCP servers need`)
    const { problem } = findMcpProgram(server, arm ?? { files: [] })
    if (problem !== null) throw subjectError(problem)
  }
}

/** Lists the values given to an arm's servers, which no evidence may contain. */
export function mcpSecrets(arm: Arm | undefined): string[] {
  return (arm?.mcpServers ?? []).flatMap((server) => Object.values(readVariables(server)))
}

function readVariables({ name, env }: McpServer): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([variable, source]) => {
      const value = RUNNER_ENV[source]
      if (value) return [variable, value]
      throw subjectError(
        `the MCP server "${name}" needs the variable ${source}: set it where the runner starts`,
      )
    }),
  )
}

const NODE_PROGRAMS = new Set(['node', 'npm', 'npx'])

/** A sandbox exposes the system's programs and Node under their own paths. */
function isSeenInside(path: string, { level }: Isolation): boolean {
  return (
    level !== 'local' && (NODE_PROGRAMS.has(basename(path)) || /^\/(usr|bin|sbin)\//.test(path))
  )
}

/** Adds servers to the agent's own configuration, as its definition states. */
export function addServers(
  built: BuiltCommand,
  { name, mcp }: Pick<AgentDefinition, 'name' | 'mcp'>,
  { servers, home }: { servers: readonly ReadyServer[]; home: string },
): BuiltCommand {
  if (servers.length === 0) return built
  if (!mcp) throw new Error(`${name} does not support MCP servers`)
  const argv = mcp.argv.flatMap((element) => fillTemplate(element, { home }))
  const each = servers.flatMap((server) =>
    mcp.argvOfEach.map((element) => fillTemplate(element, tomlValues(server))),
  )
  const env = mcp.envFromAgent ? Object.assign({}, ...servers.map((server) => server.env)) : {}
  return {
    ...built,
    argv: insertOptions(built, [...argv, ...each]),
    env: { ...built.env, ...env },
    files: mcp.file ? mergeFile(built.files, mcp.file, { servers, home }) : built.files,
  }
}

/** Inserts options after program and subcommand, before the first option. */
function insertOptions({ argv, fixed }: BuiltCommand, options: readonly string[]): string[] {
  return [...argv.slice(0, fixed), ...options, ...argv.slice(fixed)]
}

/** JSON strings and lists of them are valid TOML. */
function tomlValues({ name, command, args, env }: ReadyServer): Record<string, string> {
  return {
    server: name,
    command: `"${escapeToml(command)}"`,
    args: `[${args.map((arg) => `"${escapeToml(arg)}"`).join(',')}]`,
    envNames: `[${Object.keys(env)
      .map((one) => `"${one}"`)
      .join(',')}]`,
  }
}

type McpFile = NonNullable<NonNullable<AgentDefinition['mcp']>['file']>

const objectSchema = z.record(z.string(), z.json())

function mergeFile(
  files: readonly BuiltFile[],
  { path, member, server: template }: McpFile,
  { servers, home }: { servers: readonly ReadyServer[]; home: string },
): BuiltFile[] {
  const fullPath = join(home, path)
  const before = files.find((file) => file.path === fullPath)
  const content = before ? objectSchema.parse(parseJson(before.content)) : {}
  const existing = objectSchema.safeParse(content[member])
  const added = servers.map((server) => [server.name, fillServer(template, server)])
  const all = { ...(existing.success ? existing.data : {}), ...Object.fromEntries(added) }
  const text = `${JSON.stringify({ ...content, [member]: all }, null, 2)}\n`
  const merged = { path: fullPath, content: text, mode: 0o600 }
  return [...files.filter((file) => file !== before), merged]
}

/**
 * `${command}`, `${args}`, `${commandLine}` and `${env}` are replaced by whole values; everything else stays unchanged.
 */
function fillServer(template: McpFile['server'], { command, args, env }: ReadyServer) {
  const values: Record<string, unknown> = { command, args, env, commandLine: [command, ...args] }
  return Object.fromEntries(
    Object.entries(template).map(([member, value]) => {
      const named = typeof value === 'string' ? /^\$\{(\w+)\}$/.exec(value)?.[1] : undefined
      return [member, named !== undefined && Object.hasOwn(values, named) ? values[named] : value]
    }),
  )
}
