import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { webMemory } from '../../setup/serve/web-memory.mjs'

const PRELOAD = './lib/setup/serve/exit-with-parent.mjs'
const READY_WITHIN_MS = 400_000

/** A complete Proofboard: `npm start` on a free port with an empty data folder. */
export type Copy = {
  url: string
  dataDir: string
  /** Its output so far. */
  said: () => string
  /** Stops it as Ctrl-C does, removes its data, and returns its exit code. */
  stop: () => Promise<number | null>
}

/**
 * Runs `npm start` and resolves once it is ready. It ends with this process, however that ends. `prepare` may fill the
 * data folder first.
 */
export async function startCopy(
  env: Record<string, string> = {},
  prepare: (dataDir: string) => Promise<void> = async () => {},
): Promise<Copy> {
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'proofboard-e2e-'))
  await prepare(dataDir)
  const child = spawn(process.execPath, ['--import', PRELOAD, 'lib/setup/start.mjs'], {
    env: {
      ...process.env,
      PORT: String(port),
      PROOFBOARD_DATA_DIR: dataDir,
      PROOFBOARD_SUPERVISED: '1',
      // All tests send requests from one address.
      PROOFBOARD_READS_PER_MINUTE: '20000',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let message = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      message += text
    })
  }
  const closed = once(child, 'close').then(([code]) => code as number | null)
  const stop = async () => {
    child.kill('SIGINT')
    const code = await closed
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
    return code
  }
  const isReady = new Promise<boolean>((resolve) => {
    child.stdout.on('data', () => {
      if (/ready in .*(?:http:|a worker alone)/.test(message)) resolve(true)
    })
    void closed.then(() => resolve(false))
    setTimeout(() => resolve(false), READY_WITHIN_MS).unref()
  })
  if (await isReady) return { url: `http://127.0.0.1:${port}`, dataDir, said: () => message, stop }
  await stop()
  throw new Error(`Proofboard did not become ready on port ${port}:\n${message}`)
}

/** Starts only the production web server, without a worker; it ends with this process. */
export async function startWeb(
  dataDir: string,
  port?: number,
): Promise<{ url: string; port: number; pid: number; stop: () => Promise<void> }> {
  const own = port ?? (await freePort())
  const url = `http://127.0.0.1:${own}`
  const next = ['node_modules/next/dist/bin/next', 'start', '--port', String(own)]
  const memory = webMemory(process.env)
  const child = spawn(
    process.execPath,
    [...memory.options, '--import', './lib/setup/serve/exit-with-parent.mjs', ...next],
    {
      env: {
        ...process.env,
        ...memory.env,
        NODE_ENV: 'production',
        PORT: String(own),
        PROOFBOARD_DATA_DIR: dataDir,
        PROOFBOARD_SUPERVISED: '1',
      },
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  )
  const closed = once(child, 'close')
  const answers = () =>
    fetch(`${url}/api/v1/suites`).then(
      ({ ok }) => (ok ? true : null),
      () => null,
    )
  await waitUntil('the web server', answers, { everyMs: 200 })
  return {
    url,
    port: own,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), 8000).unref()
      await closed
    },
  }
}

/** Returns a free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('no port was given'))
      })
    })
  })
}

/** Repeats until the result is neither null nor undefined; throws with `what` after the time limit. */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | null | undefined>,
  { limitMs = 120_000, everyMs = 500 } = {},
): Promise<T> {
  const deadline = Date.now() + limitMs
  while (true) {
    const result = await ask()
    if (result !== null && result !== undefined) return result
    if (Date.now() > deadline)
      throw new Error(`waited ${limitMs / 1000} s for: ${what}, which did not happen`)
    await wait(everyMs)
  }
}
