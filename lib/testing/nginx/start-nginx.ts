import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findNginx } from '../../setup/ensure-program.mjs'

const READY_WITHIN_MS = 10_000

export type Nginx = {
  url: string
  /** Every file of the cache as text, including headers. */
  readCache: () => Promise<string[]>
  stop: () => Promise<void>
}

/** Starts nginx with deploy/nginx.conf in front of local web servers, `host:port` each. */
export async function startNginx(servers: readonly string[]): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-nginx-'))
  const port = await freePort()
  const cache = join(folder, 'cache')
  const shipped = await readFile('deploy/nginx.conf', 'utf8')
  const text = replaceAll(shipped, [
    ['server web:3000 resolve;', servers.map((server) => `server ${server};`).join(' ')],
    ['/var/cache/nginx/board', cache],
    ['listen 80 default_server', `listen 127.0.0.1:${port} default_server`],
    // Tests set their client addresses, because all requests come from this machine.
    ['server_tokens off;', `server_tokens off; ${OF_TESTS}`],
    ['http {', `http { ${temporary(folder)}`],
  ])
  const file = join(folder, 'nginx.conf')
  await writeFile(file, text)
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const options = `daemon off; error_log stderr warn; pid ${join(folder, 'pid')}; ${user}`
  const child = spawn(findNginx() ?? 'nginx', ['-p', folder, '-c', file, '-g', options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let message = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    message += part
  })
  const closed = once(child, 'close')
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
    await rm(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  if (await isListening(url)) return { url, readCache: () => readFiles(cache), stop }
  await stop()
  throw new Error(`nginx did not start:\n${message}`)
}

const OF_TESTS = 'set_real_ip_from 127.0.0.1; real_ip_header X-Test-Address;'

/** Creates folders that Debian's nginx expects below /var. */
function temporary(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(' ')
}

function replaceAll(text: string, pairs: readonly [string, string][]): string {
  return pairs.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`deploy/nginx.conf has no line "${from}"`)
    return before.replace(from, () => to)
  }, text)
}

async function isListening(url: string): Promise<boolean> {
  for (const until = performance.now() + READY_WITHIN_MS; performance.now() < until; ) {
    const response = await fetch(`${url}/api/v1/health`).catch(() => null)
    await response?.arrayBuffer()
    if (response) return true
    await wait(50)
  }
  return false
}

async function readFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}
