import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { SiteFile, SiteInput } from '#components/site/site-input.ts'
import { decodeParam, isLoopback } from '#lib/domain/text/index.ts'
import { loadSite } from '#lib/site/load-site.ts'
import { placeError } from '../runner-error.ts'

export type View = { url: string; close: () => Promise<void> }
type Find = (path: string) => Promise<SiteFile | null>

/** Serves the pages on this machine alone, read-only. `port` 0 = any that is free. Throws a RunnerError where it is taken. */
export async function serveView(input: SiteInput, port: number): Promise<View> {
  const { openSite, policy, assets } = await loadSite()
  const site = openSite(input)
  const find: Find = async (path) => readAsset(assets, path) ?? (await site.draw(path))
  const server = createServer((request, response) => void respond(find, policy, request, response))
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

const ASSETS: Readonly<Record<string, string>> = {
  'board.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'page.js': 'text/javascript; charset=utf-8',
  'site.css': 'text/css; charset=utf-8',
}

function readAsset(folder: string, path: string): SiteFile | null {
  const name = path.replace(/^assets\//, '')
  const type = name === path ? undefined : ASSETS[name]
  return type === undefined ? null : { type, body: readFileSync(join(folder, name)) }
}

async function respond(
  find: Find,
  policy: string,
  { method, url = '/', headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, { type, body }: SiteFile) => {
    response.writeHead(status, {
      ...FIXED_HEADERS,
      'content-type': type,
      [POLICY]: `${policy}; frame-ancestors 'none'`,
    })
    response.end(body)
  }
  const redirect = (path: string) => {
    const location = `/${path.split('/').map(encodeURIComponent).join('/')}`
    response.writeHead(308, { ...FIXED_HEADERS, location }).end()
  }
  if (!isForUs(headers.host))
    return send(421, plain('This server is reached as localhost or 127.0.0.1 alone.'))
  if (method !== 'GET' && method !== 'HEAD') return send(405, plain('Read-only.'))
  const path = decodeParam((url.split(/[?#]/)[0] ?? '/').slice(1))
  try {
    const found =
      path === '' || path.endsWith('/') ? await find(`${path}index.html`) : await find(path)
    if (found) return send(200, found)
    // Links of a page are relative to its folder.
    if (!path.endsWith('/') && (await find(`${path}/index.html`))) return redirect(`${path}/`)
    send(404, plain('There is no such page.'))
  } catch (error) {
    send(500, plain(`This page cannot be drawn: ${(error as Error).message}`))
  }
}

const POLICY = 'content-security-policy'
const FIXED_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

function plain(text: string): SiteFile {
  return { type: 'text/plain; charset=utf-8', body: `${text}\n` }
}

/**
 * Refuses names that another site can point here. Loopback names have any port, since an editor or ssh may forward
 * another port to this one.
 */
function isForUs(host: string | undefined): boolean {
  const address = `http://${host}`
  return URL.canParse(address) && isLoopback(address)
}
