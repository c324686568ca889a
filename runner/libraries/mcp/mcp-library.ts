import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { digestJson } from '#lib/domain/digest/index.ts'
import { OWN_FILE_VERSION } from '#lib/domain/record/index.ts'
import { asPlaceholder, fillTemplate } from '../../placeholders.ts'
import { isPrivate } from '../../sandbox/isolation/system-mounts.ts'
import { nodeProgram } from '../../sandbox/process/node-program.ts'
import { type Env, RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { runTool } from '../../sandbox/process/run-tool.ts'
import { findBinary } from '../../subjects/agents/find-binary.ts'
import { findWebSocket } from '../host/find-web-socket.ts'
import { findMissingPackage } from '../installed-package.ts'
import type { LibraryAdapter, Session, ToolServer } from '../library-adapter.ts'
import { MappedActions } from './mapped-actions.ts'
import { MCP_ADAPTER_VERSION, type McpDefinition } from './mcp-definition.ts'
import { openMcpServer } from './open-mcp-server.ts'
import { digestPackage, packageFolder } from './package-bin.ts'
import { showCommand } from './shown-programs.ts'

const VERSION_MS = 20_000

/** Creates the adapter of an MCP server that a file defines. Without `actions` only a model can drive it. */
export function mcpLibrary(definition: McpDefinition): LibraryAdapter {
  const { name, title, actions, passEnv } = definition
  const openTools = (session: Session) => openServer(definition, session)
  return {
    name,
    title,
    package: definition.package ?? null,
    adapterVersion: `${OWN_FILE_VERSION}${MCP_ADAPTER_VERSION}.${shortDigest(definition)}${packageDigest(definition)}`,
    targeting: actions && !actions.snapshot ? 'css' : 'ref',
    webdriver: false,
    lacks: actions && !actions.upload ? { upload: 'its file maps no upload' } : {},
    findMissing: (env) => findMissing(definition, env),
    passesOn: passEnv,
    programs: (env) => shownFor(definition, env),
    version: (env) => readVersion(definition, env),
    connect: async (session) => {
      if (!actions)
        throw new Error(`the file of ${name} maps no actions, so no script can drive it`)
      return new MappedActions(session, actions, openTools).attach()
    },
    openTools,
    modelOnly: actions === undefined,
    definition,
  }
}

/** `+` and the digest of the files of its package; empty if it names none, or it is not installed. */
function packageDigest({ package: name }: McpDefinition): string {
  if (name === undefined || !existsSync(packageFolder(name))) return ''
  return `+${digestPackage(name).slice('sha256:'.length, 'sha256:'.length + 12)}`
}

/** Changes with any word of the file. */
function shortDigest(definition: McpDefinition): string {
  return digestJson(definition).slice('sha256:'.length, 'sha256:'.length + 12)
}

function findMissing({ package: name, command, args, reads, title }: McpDefinition, env: Env) {
  const missing = name === undefined ? null : findMissingPackage(name)
  if (missing !== null)
    return `${missing.replace(/: run npm install\.$/, '')} (npm install --no-save ${name}@<exact version>).`
  if (command !== 'node' && findBinary(command, env.PATH ?? '') === null)
    return `${title} is not installed: there is no program ${command} in PATH.`
  const absent = reads.find((path) => !existsSync(path))
  if (absent !== undefined)
    return `${absent}, which ${title} has to read, is not on this machine: correct reads in its file.`
  const shown = [...reads, ...args.filter((word) => word.startsWith('/') && existsSync(word))]
  const wide = shown.find((path) => isPrivate(path))
  if (wide === undefined) return null
  return `${wide} contains or is more than a library may read (this clone, the data folder or a home): name other folders.`
}

function words({ package: name, command, args }: McpDefinition): string[] {
  const folder = name === undefined ? '' : packageFolder(name)
  return [command, ...args.map((one) => fillTemplate(one, { package: folder }))]
}

/** node is in every sandbox already. */
function shownFor(definition: McpDefinition, env: Env): string[] {
  const [command = '', ...args] = words(definition)
  const path = env.PATH ?? ''
  const found =
    command === 'node' ? showCommand(['', ...args], path) : showCommand([command, ...args], path)
  return [...new Set([...found, ...definition.reads])]
}

async function readVersion({ version }: McpDefinition, environment: Env): Promise<string | null> {
  if (version === undefined) return null
  const [command = '', ...args] = version.command
  const program = command === 'node' ? nodeProgram().path : command
  const env = { PATH: environment.PATH ?? '', CI: '1', NO_COLOR: '1' }
  const { stdout, stderr } = await runTool([program, ...args], { env, timeoutMs: VERSION_MS })
  return new RegExp(version.pattern).exec(`${stdout}\n${stderr}`)?.[1]?.slice(0, 100) ?? null
}

async function openServer(definition: McpDefinition, session: Session): Promise<ToolServer> {
  const { command, args, env, passEnv } = definition
  const values = await placeholders(definition, session)
  const passed = passEnv.flatMap((name) => {
    const value = RUNNER_ENV[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const filled = Object.entries(env).map(
    ([name, value]) => [name, fillTemplate(value, values)] as const,
  )
  return openMcpServer(
    {
      command: command === 'node' ? nodeProgram().path : command,
      args: args.map((one) => fillTemplate(one, values)),
      env: Object.fromEntries([...passed, ...filled]),
    },
    session,
  )
}

async function placeholders(
  definition: McpDefinition,
  session: Session,
): Promise<Record<string, string>> {
  const { endpoint, folder, actionTimeoutMs } = session
  const requested = JSON.stringify([definition.args, definition.env])
  const wsEndpoint = requested.includes(asPlaceholder('wsEndpoint'))
    ? await findWebSocket(endpoint)
    : ''
  return {
    endpoint,
    wsEndpoint,
    folder,
    port: new URL(endpoint).port,
    home: join(folder, 'home'),
    timeoutMs: String(actionTimeoutMs),
    package: definition.package === undefined ? '' : packageFolder(definition.package),
  }
}
