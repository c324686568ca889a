import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeParam, isLoopback } from '#lib/domain/record/index.ts'
import { placeError } from '../runner-error.ts'
import { boardPage, rowPage } from './board-pages.ts'
import { episodePage } from './episode-page.ts'
import { page } from './html.ts'
import { LONGEST_SENT } from './limits.ts'
import { readEvidence, type ViewedResults } from './read-results.ts'

export type View = { url: string; close: () => Promise<void> }

/** Only inline styles and images from this server; no scripts, no framing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the pages on this machine alone, read-only. `port` 0 = any that is free. Throws a RunnerError where it is taken. */
export async function serveView(results: ViewedResults, port: number): Promise<View> {
  const server = createServer((request, response) => answer(results, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(placeError(`port ${port} cannot be used (${code}): choose another --port`)),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Answer = { status: number; type: string; body: string | Buffer }

function answer(
  results: ViewedResults,
  { method, url = '/', headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const path = url.split(/[?#]/)[0] ?? '/'
  if (!isForUs(headers.host))
    send(response, plain(421, 'This server is reached as localhost or 127.0.0.1 alone.'))
  else if (method !== 'GET' && method !== 'HEAD') send(response, plain(405, 'Read-only.'))
  else send(response, findPage(results, path) ?? findFile(results, path) ?? NOT_FOUND)
}

function plain(status: number, text: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: `${text}\n` }
}

function asPage(status: number, body: string): Answer {
  return { status, type: 'text/html; charset=utf-8', body }
}

const NOT_FOUND = asPage(404, page('Not found', null, 'There is no such page.'))

/**
 * Refuses names that another site can point here. Loopback names have any port, since an editor or ssh may forward
 * another port to this one.
 */
function isForUs(host: string | undefined): boolean {
  const address = `http://${host}`
  return URL.canParse(address) && isLoopback(address)
}

/** Every address is looked up by id: no part of it becomes a path. */
function findPage(results: ViewedResults, path: string): Answer | null {
  const body = path === '/' ? boardPage(results) : findOne(results, path)
  return body === null ? null : asPage(200, body)
}

function findOne(results: ViewedResults, path: string): string | null {
  const [, kind, id = ''] = /^\/(rows|episodes)\/([^/]+)$/.exec(path) ?? []
  if (kind === 'rows') return rowPage(results, decodeParam(id))
  return kind === 'episodes' ? episodePage(results, decodeParam(id)) : null
}

function findFile(results: ViewedResults, path: string): Answer | null {
  const [, id = '', index = ''] = /^\/episodes\/([^/]+)\/files\/(\d{1,4})$/.exec(path) ?? []
  const viewed = results.episodes.get(decodeParam(id))
  const file = viewed?.episode.evidence[Number(index)]
  if (!viewed || !file) return null
  const { state, bytes } = readEvidence(viewed, file, LONGEST_SENT)
  if (state === 'missing') return null
  const type = file.path.endsWith('.png') ? 'image/png' : 'text/plain; charset=utf-8'
  return { status: 200, type, body: bytes }
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  response.end(body)
}
