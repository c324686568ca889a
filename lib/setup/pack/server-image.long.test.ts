import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ROOT } from '../layout.mjs'
import { runCommand } from '../process.mjs'

type Step = { word: string; rest: string }

/** Reads the instructions of a Dockerfile in order, without comments, with continued lines joined. */
function readDockerfile(): Step[] {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replace(/^#.*\n/gm, '')
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [word = '', ...rest] = line.split(' ')
      return { word, rest: rest.join(' ') }
    })
}

const steps = readDockerfile()
const all = (word: string): string[] =>
  steps.filter((step) => step.word === word).map(({ rest }) => rest)
const only = (word: string): string => all(word).at(-1) ?? ''

const folder = mkdtempSync(join(tmpdir(), 'proofboard-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('the Dockerfile of the server', () => {
  it('copies what there is, from images that are pinned, and runs as a plain user', () => {
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
    const sources = all('COPY')
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(' ').slice(0, -1))
    for (const source of sources) {
      expect(existsSync(join(ROOT, source)), source).toBe(true)
      expect(ignored).not.toContain(source)
    }
    for (const image of all('FROM')) expect(image).toMatch(/^node:\d+\.\d+\.\d+-bookworm/)
    const major = readFileSync(join(ROOT, '.nvmrc'), 'utf8').trim()
    for (const image of all('FROM')) expect(image).toContain(`node:${major}.`)
    expect(only('USER')).toBe('node')
    expect(only('VOLUME')).toBe('/data')
    expect(JSON.parse(only('ENTRYPOINT'))).toEqual(['tini', '--'])
  })

  it('makes a folder that starts with its command, is healthy, runs a job and stops when told', async () => {
    const app = join(folder, 'app')
    const make = all('RUN').find((rest) => rest.includes('--server')) ?? ''
    const [program = '', ...words] = make.replace('/app', app).split(' ')
    const made = await runCommand(program, words)
    expect(made.code, made.output).toBe(0)
    const size = execFileSync('du', ['-sm', app], { encoding: 'utf8' }).split('\t')[0]
    process.stderr.write(`the server's folder: ${size} MB\n`)

    const port = await freePort()
    const home = join(folder, 'home')
    mkdirSync(home)
    const declared = Object.fromEntries(all('ENV').map((rest) => rest.split('=')))
    const env = {
      ...declared,
      PORT: String(port),
      HOME: home,
      XDG_CACHE_HOME: join(home, 'cache'),
      PROOFBOARD_DATA_DIR: join(folder, 'data'),
    }
    const stopping = new AbortController()
    const [command = '', ...args] = JSON.parse(only('CMD')) as string[]
    const server = runCommand(command, args, { cwd: app, env, signal: stopping.signal })
    const [, check = '[]'] = /CMD (\[.*\])$/.exec(only('HEALTHCHECK')) ?? []
    const [prober = '', ...question] = JSON.parse(check) as string[]
    const isHealthy = async () => (await runCommand(prober, question, { cwd: app, env })).code === 0
    const proofboard = (...line: string[]) =>
      runCommand('node', [join(app, 'runner/cli/proofboard.mjs'), ...line], { cwd: app, env })
    try {
      await expect.poll(isHealthy, { timeout: 90_000, interval: 1000 }).toBe(true)
      const page = await (await fetch(`http://127.0.0.1:${port}/`)).text()
      expect(page).toContain('Proofboard')
      const [style = ''] = /\/_next\/static\/[^"]+\.css/.exec(page) ?? []
      expect((await fetch(`http://127.0.0.1:${port}${style}`)).status).toBe(200)
      const queue = await proofboard('queue', 'list')
      expect(queue.code, queue.output).toBe(0)
      // The first start queues controls: the worker starts the runner, which seals episodes.
      const board = `http://127.0.0.1:${port}/api/v1/leaderboard?suite=typescript`
      const rows = async () => JSON.stringify(await (await fetch(board)).json())
      await expect.poll(rows, { timeout: 120_000, interval: 2000 }).toContain('"nop"')
    } finally {
      stopping.abort()
    }
    const { code, output } = await server
    expect(output).toContain('ready in')
    expect(code).toBe(0)
    expect(statSync(join(folder, 'data')).mode & 0o077).toBe(0)
  }, 600_000)
})
