import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { z } from 'zod'
import { tellingLine } from '../../repository/telling-line.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { MARKER_VARIABLE, ProcessTree } from '../../sandbox/process/process-tree.ts'
import { RUN_VARIABLE } from '../../sandbox/process/start-guard.ts'
import type { Session, ToolDescription, ToolServer } from '../library-adapter.ts'

const MAX_STARTING_MS = 20_000
/** Exceeds every limit of a server, so that its own error is reported. */
const MAX_CALL_MS = 60_000
const MAX_TOOLS = 500
const MAX_PAGES = 50
const MAX_RESULT_CHARS = 1 << 20
const MAX_LINE_CHARS = 2000
const MAX_SAID_CHARS = 20_000
const MAX_MESSAGE_BYTES = 64 << 20

type ServerProgram = {
  command: string
  args: readonly string[]
  /** Added to the allow-listed environment. */
  env?: Record<string, string>
}

/**
 * Starts an MCP server over stdio, with its own environment, HOME and working folder in this episode. Throws if it does
 * not start; `close` ends every process it started, by force if necessary.
 */
export async function openMcpServer(program: ServerProgram, session: Session): Promise<ToolServer> {
  const { Client, StdioClientTransport } = await loadSdk()
  const transport = new StdioClientTransport({
    command: program.command,
    args: [...program.args],
    env: libraryEnv(session.folder, program.env),
    cwd: session.folder,
    stderr: 'pipe',
    maxBufferSize: MAX_MESSAGE_BYTES,
  })
  let stderr = ''
  if (transport.stderr) {
    const lines = createInterface({ input: transport.stderr as Readable })
    lines.on('line', (line) => {
      stderr = `${stderr}${line.slice(0, MAX_LINE_CHARS)}\n`.slice(-MAX_SAID_CHARS)
      session.log(line.slice(0, MAX_LINE_CHARS))
    })
  }
  const client = new Client({ name: 'proofboard', version: '1' })
  const close = closeOnce(client, transport)
  session.signal.addEventListener('abort', () => void close(), { once: true })
  try {
    await client.connect(transport, { timeout: MAX_STARTING_MS })
    const tools = await listTools(client)
    return { tools, call: (name, args) => callTool(client, session, name, args), close }
  } catch (error) {
    await close()
    const why = tellingLine(stderr) || ', it printed no error'
    throw new Error(`the server did not start: ${(error as Error).message}${why}`)
  }
}

/** Loaded on demand: most commands never use it. */
async function loadSdk() {
  const [{ Client }, { StdioClientTransport }, { ErrorCode, McpError }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  return { Client, StdioClientTransport, ErrorCode, McpError }
}

async function listTools(client: Client): Promise<ToolDescription[]> {
  const tools: ToolDescription[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
    const result = await client.listTools(cursor === undefined ? {} : { cursor })
    for (const { name, description = '', inputSchema } of result.tools)
      tools.push({ name, description, inputSchema })
    cursor = result.nextCursor
    if (cursor === undefined) break
  }
  return tools
}

/** Returns a tool's output as text; a refusal of the server is a value, a server that is gone throws. */
async function callTool(
  client: Client,
  { signal, countResult }: Session,
  name: string,
  args: unknown,
) {
  const result = await client
    .callTool({ name, arguments: args as Record<string, unknown> }, undefined, {
      timeout: MAX_CALL_MS,
      signal,
    })
    .catch(async (error: unknown) => {
      const { ErrorCode, McpError } = await loadSdk()
      if (!(error instanceof McpError) || error.code === ErrorCode.ConnectionClosed) throw error
      return { content: [{ type: 'text', text: error.message }], isError: true }
    })
  const text = resultText(result.content).slice(0, MAX_RESULT_CHARS)
  countResult(text)
  return { text, isError: result.isError === true }
}

/** The process tree is read before the server is stopped, because its children cannot be found afterwards. */
function closeOnce(client: Client, transport: StdioClientTransport): () => Promise<void> {
  let closing: Promise<void> | null = null
  const close = async () => {
    const { pid } = transport
    if (pid === null) return client.close()
    const mark = `mcp-${randomUUID()}`
    const tree = new ProcessTree({ rootPid: pid, marker: mark, folder: `/nowhere/${mark}` })
    tree.look()
    await client.close()
    await tree.destroy()
  }
  return () => {
    closing ??= close()
    return closing
  }
}

const contentSchema = z.array(
  z.looseObject({
    type: z.string(),
    text: z.string().optional(),
    uri: z.string().optional(),
    resource: z.looseObject({ uri: z.string().optional(), text: z.string().optional() }).optional(),
  }),
)

/** Returns a tool's result as text only: images and sounds become a line that says that they were left out. */
function resultText(content: unknown): string {
  const parsed = contentSchema.safeParse(content)
  if (!parsed.success) return '[a result that is not MCP content]'
  return parsed.data
    .map(({ type, text, uri, resource }) => {
      if (type === 'text') return text ?? ''
      if (resource?.text !== undefined) return resource.text
      const where = uri ?? resource?.uri
      return where === undefined ? `[${type} left out: text only]` : `[${type}: ${where}]`
    })
    .join('\n')
}

/** Harmless variables of the machine, and the marks by which the harness finds processes that a library leaves. */
const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'TZ', MARKER_VARIABLE, RUN_VARIABLE] as const

/**
 * Builds the whole environment of a program that a library starts: HOME and all its other folders are below `folder`.
 */
export function libraryEnv(folder: string, more: Record<string, string> = {}) {
  const home = join(folder, 'home')
  const temporary = join(folder, 't') // short, because socket paths are limited
  for (const place of [home, temporary]) mkdirSync(place, { recursive: true, mode: 0o700 })
  const passed = PASSED_ON.flatMap((name) => (RUNNER_ENV[name] ? [[name, RUNNER_ENV[name]]] : []))
  return {
    ...(Object.fromEntries(passed) as Record<string, string>),
    HOME: home,
    TMPDIR: temporary,
    XDG_RUNTIME_DIR: temporary,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    CI: '1',
    NO_COLOR: '1',
    ...more,
  }
}
