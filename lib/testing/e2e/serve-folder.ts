import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** A minimal static file server: the files of `folder` below `prefix`, and the index of a folder. */
export async function serveFolder(
  folder: string,
  prefix: '/' | `/${string}/`,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname)
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : null
    const file = name === null ? null : findFile(join(folder, name))
    if (file === null) return void response.writeHead(404).end('not found')
    const type = TYPES[extname(file)] ?? 'text/plain; charset=utf-8'
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function findFile(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile()) return path
  const index = join(path, 'index.html')
  return found?.isDirectory() && statSync(index, { throwIfNoEntry: false }) ? index : null
}
