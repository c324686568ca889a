import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listTreeProcesses } from '#lib/testing/chaos/kill/processes.ts'
import { freePort, waitUntil } from '#lib/testing/e2e/start-copy.ts'
import { ROOT } from './layout.mjs'
import { isPortFree } from './serve/listen.mjs'

const root = mkdtempSync(join(tmpdir(), 'proofboard-first-'))
const clone = join(root, 'clone')
let port = 0
/** Installs a hundred thousand files of packages, on a busy disk. */
const HOOK_MS = 600_000

/** Copies the files that git tracks, in their current state: no packages, nothing built. */
beforeAll(async () => {
  const known = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const names = execFileSync('git', known, { cwd: ROOT, encoding: 'utf8' }).split('\0')
  for (const name of names.filter((one) => one !== '')) {
    mkdirSync(dirname(join(clone, name)), { recursive: true })
    cpSync(join(ROOT, name), join(clone, name), { verbatimSymlinks: true })
  }
  port = await freePort()
}, HOOK_MS)
afterAll(async () => {
  for (const { pid } of listTreeProcesses(root)) process.kill(pid, 'SIGKILL')
  await rm(root, { recursive: true, force: true, maxRetries: 3 })
}, HOOK_MS)

/** Runs `npm start` as a person types it, on a machine whose compilers always fail. */
async function start() {
  const { PATH = '', HTTPS_PROXY = '', HTTP_PROXY = '', NO_PROXY = '', HOME = '' } = process.env
  const failing = { CC: '/bin/false', CXX: '/bin/false', LD: '/bin/false', PYTHON: '/bin/false' }
  const startedAt = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: clone,
    env: {
      PATH,
      HOME,
      HTTPS_PROXY,
      HTTP_PROXY,
      NO_PROXY,
      ...failing,
      PORT: String(port),
      PROOFBOARD_FIRST_RUNS: '0',
      PROOFBOARD_CHROMIUM: 'none',
    } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let message = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      message += text
    })
  const closed = once(npm, 'exit').then(() => true)
  const isReady = async () => (/ready in .*http:/.test(message) ? true : null)
  await Promise.race([
    waitUntil('npm start is ready', isReady, { limitMs: 1_200_000 }),
    closed.then(() => Promise.reject(new Error(`npm start ended:\n${message}`))),
  ])
  const page = await fetch(`http://127.0.0.1:${port}/`)
  expect([page.status, (await page.text()).includes('</html>')]).toEqual([200, true])
  return { npm, closed, seconds: Math.round((performance.now() - startedAt) / 1000) }
}

/** Ends only npm, and waits until no process of the clone is left. */
async function endNpm(
  { npm, closed }: Awaited<ReturnType<typeof start>>,
  signal: 'SIGTERM' | 'SIGKILL',
) {
  npm.kill(signal)
  await closed
  await waitUntil('a free port', async () => ((await isPortFree(port)) ? true : null), {
    limitMs: 30_000,
  })
  const left = async () => (listTreeProcesses(root).length === 0 ? true : null)
  await waitUntil('the end of every process', left, { limitMs: 60_000 })
}

const LATE = 'node_modules/chrome-devtools-mcp'

/** Uses a library outside of the core, which is installed at its first use, while a server is running. */
async function useLibrary() {
  const { PATH = '', HTTPS_PROXY = '', HTTP_PROXY = '', NO_PROXY = '', HOME = '' } = process.env
  const args = ['runner/cli/proofboard.mjs', 'libraries', 'doctor', 'chrome-devtools-mcp']
  const env = { PATH, HOME, HTTPS_PROXY, HTTP_PROXY, NO_PROXY }
  const { stdout } = await execa(process.execPath, args, { cwd: clone, env, extendEnv: false })
  expect(stdout).toContain('ready: it reached a browser')
  expect(existsSync(join(clone, LATE))).toBe(true)
}

it('npm start alone shows the first page, without a compiler, and ends with npm', async () => {
  const first = await start()
  const lock = JSON.parse(readFileSync(join(clone, 'node_modules/.package-lock.json'), 'utf8'))
  const megabytes = execFileSync('du', ['-sm', join(clone, 'node_modules')], { encoding: 'utf8' })
  process.stdout.write(
    `first page after ${first.seconds} s, ${Object.keys(lock.packages).length} packages, ${megabytes.split('\t')[0]} MB\n`,
  )
  expect(existsSync(join(clone, LATE))).toBe(false)
  await useLibrary()
  expect((await fetch(`http://127.0.0.1:${port}/runs`)).status).toBe(200)
  await endNpm(first, 'SIGTERM')
  const second = await start()
  process.stdout.write(`first page of the second start after ${second.seconds} s\n`)
  await endNpm(second, 'SIGKILL')
}, 2_400_000)
