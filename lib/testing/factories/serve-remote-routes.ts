import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { runExportEndpoint } from '#lib/domain/api/index.ts'
import { openRunExport, respondExported } from '#lib/server/board/export.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { shardReportRoute, shardResultsRoute } from '#lib/server/http/remote-route.ts'

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>

/**
 * Serves the routes that a shard calls, over real HTTP, on the database of this process: for tests that need no
 * complete site. Returns the address and a function that stops it.
 */
export async function serveRemoteRoutes(): Promise<{ url: string; close: () => Promise<void> }> {
  const routes: [RegExp, Route][] = [
    [/^\/api\/v1\/remote-runs\/([^/]+)\/progress$/, shardReportRoute().POST as Route],
    [/^\/api\/v1\/remote-runs\/([^/]+)\/results$/, shardResultsRoute().POST as Route],
    [/^\/api\/v1\/runs\/([^/]+)\/export$/, exportRoute() as Route],
  ]
  const server = createServer(async (incoming, response) => {
    const { pathname } = new URL(incoming.url ?? '', 'http://localhost')
    const found = routes.find(([path]) => path.test(pathname))
    const [, runId] = found?.[0].exec(pathname) ?? []
    const reply = found
      ? await found[1](toRequest(incoming), { params: Promise.resolve({ runId } as never) })
      : new Response(null, { status: 404 })
    response.writeHead(reply.status, Object.fromEntries(reply.headers))
    response.end(Buffer.from(await reply.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function exportRoute() {
  return readRoute(runExportEndpoint, async ({ request, params: { runId }, query: { format } }) =>
    respondExported(request, await openRunExport(runId, format), format),
  ).GET
}

function toRequest(incoming: IncomingMessage): Request {
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  const body = incoming.method === 'GET' ? null : (Readable.toWeb(incoming) as ReadableStream)
  const url = `http://localhost${incoming.url}`
  return new Request(url, {
    method: incoming.method ?? 'GET',
    headers,
    body,
    duplex: 'half',
  } as RequestInit)
}
