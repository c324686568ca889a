import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { closeDatabase } from '../../../db/database.ts'
import type { Db } from '../../../db/db.ts'
import { openDb } from '../../../db/open-db.ts'
import { settleEnv } from '../../../env.ts'
import { addToken } from '../../../server/accounts/tokens.ts'
import { registrationRoute } from '../../../server/http/registration-route.ts'
import { submissionRoute } from '../../../server/http/submission-route.ts'
import { temporaryDatabase } from '../../factories/temporary-database.ts'
import { CONSOLE } from '../submit-body.ts'

/** A server with an empty database, and a token with write access. */
export type HostileTestServer = {
  url: string
  token: string
  db: Db
  dir: string
  /** Counts the rows of every table that results are written to. */
  countRows: () => Promise<number>
  /** Files and folders that a commit left behind. */
  listLeftovers: () => string[]
  close: () => Promise<void>
}

/** A running server on `dir`, and its token. */
export function openRunningServer(url: string, token: string, dir: string): HostileTestServer {
  const db = openDb(join(dir, 'proofboard.db'))
  return { ...watch(db, dir), url, token, close: () => db.$disconnect() }
}

function watch(
  db: Db,
  dir: string,
): Pick<HostileTestServer, 'db' | 'dir' | 'countRows' | 'listLeftovers'> {
  const tables = [
    db.plan,
    db.run,
    db.episode,
    db.subject,
    db.ledgerEntry,
    db.auditEntry,
    db.submission,
    db.submittedRun,
  ]
  return {
    db,
    dir,
    countRows: async () => {
      const counts = await Promise.all(tables.map((table) => (table as typeof db.run).count()))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    listLeftovers: () => {
      try {
        return readdirSync(join(dir, 'received', '.staging'))
      } catch {
        return []
      }
    },
  }
}

/** Closes the databases of this process, and opens a new one. */
export async function openTestServer(): Promise<HostileTestServer> {
  await closeDatabase()
  const { db, dir, close } = await temporaryDatabase()
  Object.assign(process.env, {
    PROOFBOARD_DATA_DIR: dir,
    PROOFBOARD_LOG_LEVEL: 'silent',
    PROOFBOARD_WRITES_PER_MINUTE: '100000',
  })
  settleEnv(process.cwd())
  const order = { name: 'hostile', scopes: ['results:write'] as const, days: 1 }
  const token = await addToken(order, { actor: CONSOLE, now: new Date() })
  const server = await serveResults()
  return {
    ...watch(db, dir),
    url: server.url,
    token,
    close: async () => {
      await server.close()
      await closeDatabase()
      await close()
    },
  }
}

type ResultsServer = { url: string; close: () => Promise<void> }

/** Serves the routes for plans and results with a real HTTP server on a free port, without a build of Next. */
async function serveResults(): Promise<ResultsServer> {
  const [results, plans] = [submissionRoute().POST, registrationRoute().POST]
  const server = createServer((request, response) => {
    const route = request.url?.startsWith('/api/v1/plans') ? plans : results
    void respond(route, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function respond(
  route: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const pairs = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const init = {
    method: incoming.method ?? 'GET',
    headers: pairs,
    body: Readable.toWeb(incoming) as WebStream<Uint8Array>,
    duplex: 'half',
  }
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, init as RequestInit)
  const response = await route(request)
  const bytes = Buffer.from(await response.arrayBuffer())
  const headers = { ...Object.fromEntries(response.headers), 'content-length': bytes.length }
  outgoing.writeHead(response.status, headers)
  outgoing.end(bytes)
}
