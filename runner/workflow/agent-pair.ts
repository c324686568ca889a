import type { Subject } from '#lib/domain/record/index.ts'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import type { KnownProviders } from '../providers/known-providers.ts'
import { subjectError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { chooseAgent } from '../subjects/agents/choose-agent.ts'
import { listAgentNames, pickAgent } from '../subjects/agents/load-agents.ts'

/** Increment when agents get the server in another way. */
const PAIR_VERSION = 1
const WITH = '-with-'

/** A coding agent and the MCP server by which it uses the browser. */
export type AgentPair = { definition: AgentDefinition; adapter: LibraryAdapter }

/** Splits `claude-with-playwright-mcp` into both names; null = not a pair. */
export function splitPair(name: string): { agent: string; library: string } | null {
  const at = name.indexOf(WITH)
  if (at <= 0) return null
  const [agent, library] = [name.slice(0, at), name.slice(at + WITH.length)]
  return listAgentNames().includes(agent) ? { agent, library } : null
}

/** Finds the pair of a name; null = none. Throws a one-sentence RunnerError. */
export function findPair(
  name: string,
  pickLibrary: (library: string) => LibraryAdapter,
): AgentPair | null {
  const names = splitPair(name)
  if (names === null) return null
  const adapter = pickLibrary(names.library)
  if (!adapter.openTools)
    throw subjectError(
      `"${names.library}" is not an MCP server, so no agent can use it: choose one that a model can drive (proofboard libraries)`,
      '--subject',
    )
  if (!Object.hasOwn(SETUPS, names.agent))
    throw subjectError(
      `${names.agent} cannot be given an MCP server: choose from ${Object.keys(SETUPS).join(', ')}`,
      '--subject',
    )
  return { definition: pickAgent(names.agent, null), adapter }
}

/** Combines both in one subject: the name, the versions and the adapter versions of both. */
export async function pairSubject(
  { definition, adapter }: AgentPair,
  library: Subject,
  {
    providers,
    ...request
  }: { model: string | null; provider: string | null; providers: KnownProviders },
): Promise<Subject> {
  if (definition.metering !== 'gateway')
    throw subjectError(
      `${definition.name} cannot be metered, which a browser suite needs`,
      '--subject',
    )
  const agent = await chooseAgent(
    definition,
    { ...request, agentVersion: null, usesLogin: false },
    { known: providers, env: RUNNER_ENV, report: () => {} },
  )
  return {
    ...agent,
    name: `${agent.name}${WITH}${library.name}`,
    version: `${agent.version}+${library.version}`,
    adapterVersion: `${agent.adapterVersion}+${adapter.adapterVersion}+mcp.${PAIR_VERSION}`,
    targeting: adapter.targeting,
  }
}

/** The server's start command for the agent's own configuration. */
export type ServerCommand = { command: string; args: readonly string[] }

/** Adds the server to the definition, in that agent's own way; everything else stays unchanged. */
export function withServer(definition: AgentDefinition, server: ServerCommand): AgentDefinition {
  const setup = SETUPS[definition.name]
  if (setup === undefined) throw new Error(`${definition.name} is given no server`)
  return setup(definition, server)
}

const NAME = 'browser'
const CONFIG_FILE = 'mcp.json'
const IN_HOME = `\${home}/${CONFIG_FILE}`

type Setup = (definition: AgentDefinition, server: ServerCommand) => AgentDefinition

/** Writes a file below HOME, named by options in the argv of every protocol. */
const byOption =
  (...options: readonly string[]): Setup =>
  (definition, server) => ({
    ...addArguments(definition, options),
    files: [
      ...definition.files,
      { path: CONFIG_FILE, format: 'json', content: { mcpServers: { [NAME]: entry(server) } } },
    ],
  })

/** Adds a member to a settings file of the definition. */
const inSettings =
  (path: string): Setup =>
  (definition, server) => {
    const added = { mcpServers: { [NAME]: { ...entry(server), trust: true } } }
    const isThere = definition.files.some((file) => file.path === path)
    const files = definition.files.map((file) =>
      file.path === path && file.format === 'json' && isRecord(file.content)
        ? { ...file, content: { ...file.content, ...added } }
        : file,
    )
    const own = { path, format: 'json' as const, content: added }
    return { ...definition, files: isThere ? files : [...files, own] }
  }

const SETUPS: Readonly<Record<string, Setup>> = {
  claude: byOption('--mcp-config', IN_HOME, '--strict-mcp-config'),
  codex: (definition, { command, args }) =>
    addArguments(definition, [
      ...['-c', `mcp_servers.${NAME}.command=${JSON.stringify(command)}`],
      ...['-c', `mcp_servers.${NAME}.args=${JSON.stringify(args)}`],
    ]),
  copilot: byOption('--additional-mcp-config', `@${IN_HOME}`),
  gemini: inSettings('.gemini/settings.json'),
  qwen: inSettings('.qwen/settings.json'),
}

function entry({ command, args }: ServerCommand) {
  return { command, args: [...args] }
}

/** Inserts before everything else except a subcommand, because a prompt may be at the end. */
function addArguments(definition: AgentDefinition, options: readonly string[]): AgentDefinition {
  const add = (argv: AgentDefinition['argv']) => {
    const [first] = argv
    const skip = typeof first === 'string' && /^[a-z]+$/.test(first) ? 1 : 0
    return [...argv.slice(0, skip), ...options, ...argv.slice(skip)]
  }
  const protocols = Object.entries(definition.protocols).map(
    ([name, setup]) => [name, setup.argv ? { ...setup, argv: add(setup.argv) } : setup] as const,
  )
  return { ...definition, argv: add(definition.argv), protocols: Object.fromEntries(protocols) }
}

function isRecord(value: unknown): value is Record<string, never> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
