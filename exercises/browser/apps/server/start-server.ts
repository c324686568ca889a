import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AppResponse } from '../app.ts'
import { BadBodyError } from '../kit/bad-body-error.ts'
import { createClientFiles } from '../kit/client-files.ts'
import { NOT_FOUND } from '../kit/respond.ts'
import { answerRequest, errorAnswer } from './answer-request.ts'
import { admit, type Clients, REFUSED } from './clients.ts'
import { answerControl, CONTROL_PATH, createDoor } from './control.ts'
import { createPoints } from './points.ts'
import { send } from './send.ts'
import { createTenants, type Tenant } from './tenants.ts'

type Options = { secret: string; root: string; announce: (line: object) => void; clients: Clients }

/** Serves every tenant and the harness's control on a free port of 127.0.0.1; answers the port. */
export function startServer({ secret, root, announce, clients }: Options): Promise<number> {
  const tenants = createTenants()
  const points = createPoints(announce)
  const readClient = createClientFiles(root)
  const mayControl = createDoor(secret)
  let port = 0

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = readUrl(request)
    if (url?.pathname.startsWith(CONTROL_PATH) && mayControl(request)) {
      return send(response, await answerControl(request, url, { tenants, points, port }))
    }
    const tenant = tenants.find(readTenantName(request, port))
    if (!tenant || !url) return send(response, NOT_FOUND)
    await serveTenant(tenant, request, response, url)
  }

  const serveTenant = async (
    tenant: Tenant,
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ) => {
    const { seen, isAdmitted } = await admit(tenant, request, url.pathname, { clients, tenants })
    if (!isAdmitted) return send(response, REFUSED)
    if (url.pathname === '/events') {
      seen.status = 200
      return tenant.streams.open(response)
    }
    const isClient = /^\/(kit\/)?client\//.test(url.pathname)
    const answer = isClient
      ? (readClient(tenant.appName, url.pathname) ?? NOT_FOUND)
      : await answerRequest(tenant, request, url, { points, readClient }).catch((error: unknown) =>
          answerFailure(error, request),
        )
    if (answer === null) return loseAnswer(response)
    seen.status = answer.status
    send(response, answer)
  }

  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 16 << 10 },
    (request, response) => {
      serve(request, response).catch((error: unknown) => {
        const answer = answerFailure(error, request)
        if (response.headersSent) response.destroy()
        else send(response, answer)
      })
    },
  )
  server.on('clientError', (_error, socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      port = typeof address === 'object' && address ? address.port : 0
      resolve(port)
    })
  })
}

/**
 * Chromium sends a request again by itself, a POST too, when its connection just breaks. A header that contradicts itself
 * is final: the user sees that the answer did not come, and nobody but the user can try again.
 */
function loseAnswer({ socket }: ServerResponse): void {
  socket?.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n')
}

/** Told to the operator by stderr; the user sees a page. */
function answerFailure(error: unknown, request: IncomingMessage): AppResponse {
  if (error instanceof BadBodyError) {
    const type = 'text/plain; charset=utf-8'
    const headers = { connection: 'close' } // the rest of the body is not read
    return { status: error.status, type, body: `Bad request: ${error.message}\n`, headers }
  }
  process.stderr.write(`${request.method} ${request.url}: ${describe(error)}\n`)
  return errorAnswer(request)
}

function describe(error: unknown): string {
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 4000)
}

function readTenantName({ headers }: IncomingMessage, port: number): string {
  const suffix = `.localhost:${port}`
  const host = headers.host?.toLowerCase() ?? ''
  return host.endsWith(suffix) ? host.slice(0, -suffix.length) : ''
}

function readUrl({ url }: IncomingMessage): URL | null {
  try {
    return url?.startsWith('/') ? new URL(`http://app${url}`) : null
  } catch {
    return null
  }
}
