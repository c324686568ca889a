import { appendFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import type { HostRequest } from '../host-protocol.ts'
import type { LibraryAdapter, Session } from '../library-adapter.ts'
import { ModelActions } from './model-actions.ts'

/**
 * Serves the tools of a library's server to a coding agent over MCP, unchanged; each call is recorded and limited like
 * a model's own. Runs on stdin and stdout until the agent closes them.
 */
export async function serveTools(order: HostRequest, library: LibraryAdapter): Promise<void> {
  const { Server, StdioServerTransport, ...schemas } = await loadSdk()
  const ending = new AbortController()
  const startedAt = performance.now()
  const session: Session = {
    endpoint: order.endpoint,
    webdriverPort: order.webdriverPort,
    actionTimeoutMs: order.actionTimeoutMs,
    folder: order.folder,
    signal: ending.signal,
    log: (line) => process.stderr.write(`${line}\n`),
    countResult: () => {},
  }
  const behind = await library.openTools?.(session)
  if (behind === undefined)
    throw new Error(`${library.title} has no tools that an agent could call`)
  const actions = new ModelActions(order, {
    now: () => performance.now() - startedAt,
    // The process that started the agent writes the last line of the same file.
    keep: (action) => appendFileSync(order.tracePath, `${JSON.stringify({ action })}\n`),
    log: session.log,
  })
  const server = new Server({ name: library.name, version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(schemas.ListToolsRequestSchema, async () => ({
    tools: behind.tools.map((tool) => schemas.ToolSchema.parse(tool)),
  }))
  server.setRequestHandler(
    schemas.CallToolRequestSchema,
    async ({ params: { name, arguments: args = {} } }) => {
      const result = actions.act(name, args, async () => {
        const { text, isError } = await behind.call(name, args)
        if (isError) throw new Error(text)
        return text
      })
      return result.then(
        (text) => ({ content: [{ type: 'text' as const, text }] }),
        // Complete, as the server reported it: it may contain the page.
        (error: unknown) => ({
          content: [{ type: 'text' as const, text: (error as Error).message }],
          isError: true,
        }),
      )
    },
  )
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
    process.stdin.once('end', resolve)
  })
  await server.connect(new StdioServerTransport())
  await closed
  ending.abort()
  await behind.close()
}

/** Loaded dynamically, otherwise every library's process would load it at start. */
async function loadSdk() {
  const [{ Server }, { StdioServerTransport }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  const { CallToolRequestSchema, ListToolsRequestSchema, ToolSchema } = types
  return { Server, StdioServerTransport, CallToolRequestSchema, ListToolsRequestSchema, ToolSchema }
}
