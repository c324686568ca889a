import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort } from '#lib/testing/e2e/start-copy.ts'
import { startChild } from './start-child.mjs'
import { restartOnExit, supervise } from './supervise.mjs'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-serve-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a server that never ends by itself; `stubborn` ones ignore SIGTERM. */
function writeServer(name: string, isStubborn: boolean): string {
  const path = join(folder, name)
  const ignoresSigterm = isStubborn ? `process.on('SIGTERM', () => {})` : ''
  writeFileSync(
    path,
    `${ignoresSigterm}\nconsole.log('pid ' + process.pid)\nsetInterval(() => {}, 1000)\n`,
  )
  return path
}

const NEVER_ENDING = writeServer('patient.mjs', false)
const STUBBORN = writeServer('stubborn.mjs', true)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function until(what: () => boolean, limitMs = 10_000): Promise<void> {
  const deadline = Date.now() + limitMs
  while (!what() && Date.now() < deadline) await wait(25)
  expect(what()).toBe(true)
}

describe('startChild', () => {
  it.each([
    ['ends a child that listens', NEVER_ENDING],
    ['kills one that ignores SIGTERM', STUBBORN],
  ])('%s', async (_, path) => {
    const lines: string[] = []
    const child = startChild([path], { onLine: (line: string) => lines.push(line) })
    await until(() => lines.length > 0)
    const pid = Number(lines[0]?.split(' ')[1])
    await child.stop(400)
    expect(isAlive(pid)).toBe(false)
    expect(child.lastOutput()).toBe(`pid ${pid}`)
  })

  it('kills at once what was given time to end and is not waited for any more', async () => {
    const lines: string[] = []
    const child = startChild([STUBBORN], { onLine: (line: string) => lines.push(line) })
    await until(() => lines.length > 0)
    const stopped = child.stop(3_600_000)
    child.kill()
    await stopped
    expect(isAlive(Number(lines[0]?.split(' ')[1]))).toBe(false)
  })

  it('lets a child end in its own order: the order to stop comes once', async () => {
    const polite = join(folder, 'polite.mjs')
    const finish = `console.log('in order'); process.exit(0)`
    writeFileSync(
      polite,
      `process.once('SIGTERM', () => setTimeout(() => { ${finish} }, 400))\nconsole.log('ready')\nsetInterval(() => {}, 1000)\n`,
    )
    const lines: string[] = []
    const child = startChild([polite], { onLine: (line: string) => lines.push(line) })
    await until(() => lines.length > 0)
    await child.stop(10_000)
    expect(lines).toEqual(['ready', 'in order'])
  })

  it('leaves no orphan when the supervisor is killed with -9', async () => {
    const code = `
      import { startChild } from ${JSON.stringify(pathToFileURL(resolve('lib/setup/serve/start-child.mjs')).href)}
      startChild([${JSON.stringify(NEVER_ENDING)}], { onLine: (line) => console.log(line) })`
    const supervisor = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [chunk] = (await once(supervisor.stdout, 'data')) as [Buffer]
    const pid = Number(chunk.toString().trim().split(' ')[1])
    expect(isAlive(pid)).toBe(true)
    supervisor.kill('SIGKILL')
    await until(() => !isAlive(pid))
  })
})

describe('watchParents', () => {
  const project = join(folder, 'project')
  mkdirSync(project)
  const script = `
    import { watchParents } from ${JSON.stringify(pathToFileURL(resolve('lib/setup/serve/watch-parents.mjs')).href)}
    watchParents(() => process.exit(0))
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {})
    console.log('pid ' + process.pid)
    setInterval(() => {}, 1000)`
  writeFileSync(join(project, 'serve.mjs'), script)
  const scripts = { start: 'node serve.mjs' }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'watched', scripts }))

  const startedBy = async (command: string, args: readonly string[]) => {
    const { npm_lifecycle_event: _, ...env } = process.env
    const starter = spawn(command, args, {
      cwd: project,
      env: env as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let said = ''
    starter.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await until(() => /pid \d+/.test(said), 30_000)
    return { starter, pid: Number(/pid (\d+)/.exec(said)?.[1]) }
  }

  it.each([
    ['npm, on SIGTERM', 'npm', ['start'], 'SIGTERM'],
    ['npm, on SIGKILL', 'npm', ['start'], 'SIGKILL'],
    ['a shell, on SIGKILL', 'sh', ['-c', 'node serve.mjs; true'], 'SIGKILL'],
  ] as const)('ends what was started by %s', async (_, command, args, signal) => {
    const { starter, pid } = await startedBy(command, args)
    expect(isAlive(pid)).toBe(true)
    starter.kill(signal)
    await until(() => !isAlive(pid))
  })
})

describe('restartOnExit', () => {
  it('starts a child again that died, says so, and stops for good', async () => {
    const pids: number[] = []
    const said: string[] = []
    const start = () =>
      startChild([NEVER_ENDING], {
        onLine: (line: string) => pids.push(Number(line.split(' ')[1])),
      })
    const keeper = restartOnExit('worker', start, { say: (line: string) => said.push(line) })
    await until(() => pids.length === 1)
    process.kill(pids[0]!, 'SIGKILL')
    await until(() => pids.length === 2)
    expect(said).toEqual(['the worker ended (SIGKILL): starting it again in 0.3 s'])
    await keeper.stop(1000)
    expect(pids.filter(isAlive)).toEqual([])
    expect(said).toHaveLength(1)
  })
})

describe('supervise, before the first healthy answer', () => {
  const serve = `
    import { appendFileSync, readFileSync } from 'node:fs'
    import { createServer } from 'node:http'
    const [marks, end, times, , port] = process.argv.slice(2)
    appendFileSync(marks, '.')
    if (readFileSync(marks, 'utf8').length <= Number(times)) {
      if (end === 'exit') process.exit(1)
      process.kill(process.pid, end)
    }
    createServer((_, response) => response.end('{}'))
      .listen(Number(port), '127.0.0.1', () => console.log('booted'))`
  const script = join(folder, 'web.mjs')
  writeFileSync(script, serve)

  /** Starts a web server that ends in this way the first times; returns its output, and how often it was started. */
  const startEnding = async (end: string, times: number) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const marks = join(folder, `marks-${end}-${times}`)
    const stop = new AbortController()
    const said: string[] = []
    const failure = await supervise({
      roles: ['web'],
      address: { port, host: '127.0.0.1', url, probeUrl: url },
      webArgs: [script, marks, end, String(times)],
      env: { PATH: process.env.PATH ?? '' },
      signal: stop.signal,
      hurry: new AbortController().signal,
      say: (line: string) => said.push(line.trim()),
      onReady: () => {
        said.push('ready')
        stop.abort()
      },
    }).then(
      () => null,
      (error: Error) => error.message,
    )
    return { failure, said, starts: readFileSync(marks, 'utf8').length }
  }
  const again = 'the web server was killed (SIGKILL) before it was ready: starting it again'

  it.each([
    ['killed once: it is started again', 'SIGKILL', 1, null, [again, 'ready'], 2],
    [
      ...(['killed every time: it says so after three', 'SIGKILL', 9] as const),
      ...['The web server ended (SIGKILL).', [again, again], 3],
    ],
    ['one that ends by itself', 'exit', 1, 'The web server ended (exit 1).', [], 1],
  ] as const)('%s', async (_, end, times, failure, said, starts) => {
    expect(await startEnding(end, times)).toEqual({ failure, said, starts })
  })
})

describe('supervise, where no worker can use the database', () => {
  it('starts the worker once and ends, also before the web server is healthy', async () => {
    const script = join(folder, 'booted.mjs')
    writeFileSync(script, `console.log('booted')\nsetInterval(() => {}, 1000)`)
    const dataDir = mkdtempSync(join(folder, 'unusable-'))
    writeFileSync(join(dataDir, 'proofboard.db'), 'x'.repeat(9000))
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const said: string[] = []
    const failure = await supervise({
      roles: ['web', 'worker'],
      address: { port, host: '127.0.0.1', url, probeUrl: url },
      webArgs: [script],
      env: { PATH: process.env.PATH ?? '', PROOFBOARD_DATA_DIR: dataDir },
      signal: new AbortController().signal,
      hurry: new AbortController().signal,
      say: (line: string) => said.push(line.trim()),
      onReady: () => said.push('ready'),
    }).catch((error: Error) => error.message)
    expect(failure).toMatch(/^the database file is damaged or no SQLite database/)
    expect(said.filter((line) => /again|ready/.test(line))).toEqual([])
  })
})

describe('supervise, on a port that another server takes meanwhile', () => {
  const script = join(folder, 'late.mjs')
  const started = join(folder, 'late-started')
  const go = join(folder, 'late-go')
  writeFileSync(
    script,
    `import { existsSync, writeFileSync } from 'node:fs'
    import { createServer } from 'node:http'
    const port = Number(process.argv[process.argv.indexOf('--port') + 1])
    writeFileSync(${JSON.stringify(started)}, '')
    const timer = setInterval(() => {
      if (!existsSync(${JSON.stringify(go)})) return
      clearInterval(timer)
      createServer().listen(port, '127.0.0.1').on('error', (error) => {
        console.error(error)
        process.exit(1)
      })
    }, 20)`,
  )

  it('says so in one line, and starts no worker', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const said: string[] = []
    const failure = supervise({
      roles: ['web', 'worker'],
      address: { port, host: '127.0.0.1', url, probeUrl: url },
      webArgs: [script],
      env: { PATH: process.env.PATH ?? '', PROOFBOARD_DATA_DIR: join(folder, 'data') },
      signal: new AbortController().signal,
      hurry: new AbortController().signal,
      say: (line: string) => said.push(line.trim()),
      onReady: () => said.push('ready'),
    }).then(
      () => null,
      ({ message, output }: Error & { output: string }) => ({ message, output }),
    )
    await until(() => existsSync(started))
    // It is healthy before the new server finds that it cannot listen.
    const other = createHttpServer((_, response) => response.end('{}')).listen(port, '127.0.0.1')
    await once(other, 'listening')
    await wait(1000)
    writeFileSync(go, '')
    const message = `port ${port} is in use: set PORT to a free port, for example \`PORT=${port + 1} npm start\``
    expect(await failure).toEqual({ message, output: '' })
    other.close()
    expect(said).toEqual([])
  })
})
