import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../../../db/migrate.ts'
import { isPortFree } from '../../../setup/serve/listen.mjs'
import { temporarySuite } from '../../factories/proofboard-command.ts'
import { MIGRATIONS_DIR } from '../../factories/temporary-database.ts'

const PRELOAD = './lib/setup/serve/exit-with-parent.mjs'
const HOST = '127.0.0.1'

type Stopped = { code: number | null; drainMs: number }

/** Runs `npm start` in a test environment, and restarts it whenever it ends, as a service manager would. */
export class System {
  readonly url: string
  readonly #ground: TestEnvironment
  readonly #port: number
  #child: ChildProcess | null = null
  #stopping = false
  #living: Promise<void> = Promise.resolve()
  #lastCode: number | null = null

  constructor(ground: TestEnvironment, port: number) {
    this.#ground = ground
    this.#port = port
    this.url = `http://${HOST}:${port}`
  }

  start(): void {
    this.#stopping = false
    this.#living = this.#live()
  }

  isPortFree(): Promise<boolean> {
    return isPortFree(this.#port, HOST)
  }

  /** Stops it; returns the exit code and the duration in ms. A closed terminal sends SIGHUP. */
  async stop(signal: 'SIGTERM' | 'SIGHUP' = 'SIGTERM'): Promise<Stopped> {
    this.#stopping = true
    const start = performance.now()
    if (signal === 'SIGHUP') for (const stream of this.#streams()) stream.destroy()
    this.#child?.kill(signal)
    await this.#living
    return { code: this.#lastCode, drainMs: performance.now() - start }
  }

  #streams(): Readable[] {
    return [this.#child?.stdout, this.#child?.stderr].flatMap((stream) => stream ?? [])
  }

  async #live(): Promise<void> {
    while (!this.#stopping) {
      // The servers of a killed process end by themselves, and release the port last.
      if (!(await this.isPortFree())) await pause(50)
      else this.#lastCode = await this.#run()
    }
  }

  #run(): Promise<number | null> {
    const { root, dataDir, temporary } = this.#ground
    const child = spawn(process.execPath, ['--import', PRELOAD, 'lib/setup/start.mjs'], {
      env: {
        ...process.env,
        HOST,
        PORT: String(this.#port),
        TMPDIR: temporary,
        PROOFBOARD_DATA_DIR: dataDir,
        PROOFBOARD_FIRST_RUNS: '0',
        PROOFBOARD_CHROMIUM: 'none',
        // If this process is killed, it ends too.
        PROOFBOARD_SUPERVISED: '1',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#child = child
    const data = createWriteStream(join(root, 'said.log'), { flags: 'a' })
    for (const stream of [child.stdout, child.stderr]) stream.pipe(data, { end: false })
    child.stdin.on('error', () => {})
    return new Promise((resolve) => {
      child.once('exit', (code) => resolve(code))
    })
  }
}

export const SUITE_ID = 'kill'
const TASKS = ['lru-cache', 'rate-limiter']

/** Everything is below one folder, including temporary files, so that leftovers are visible. */
export type TestEnvironment = {
  root: string
  dataDir: string
  temporary: string
  database: string
  agent: string
}

/** Creates a folder with an empty, migrated database, a small suite and a slow agent. */
export function createTestEnvironment(): TestEnvironment {
  const root = mkdtempSync(join(tmpdir(), 'proofboard-kill-'))
  const dataDir = join(root, 'data')
  const temporary = join(root, 'tmp')
  for (const folder of [dataDir, temporary]) mkdirSync(folder)
  temporarySuite(dataDir, SUITE_ID, TASKS)
  const database = join(dataDir, 'proofboard.db')
  migrate(database, MIGRATIONS_DIR)
  // The agent may be another user than the runner, and has to enter these folders.
  for (const folder of [root, temporary]) chmodSync(folder, 0o711)
  const files = { 'agent.sh': AGENT, 'child.sh': CHILD, ...solutions() }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, name), text)
    chmodSync(join(root, name), 0o644)
  }
  return { root, dataDir, temporary, database, agent: `sh ${join(root, 'agent.sh')} ${root}` }
}

/** Solutions by file name, which the agent copies when it solves a task. */
function solutions(): Record<string, string> {
  const read = (task: string) =>
    readFileSync(join(resolve('exercises/typescript'), task, '.meta', 'reference.ts'), 'utf8')
  return Object.fromEntries(TASKS.map((task) => [`${task}.ts`, read(task)]))
}

/** Takes 0.1 to 1.8 seconds, writes files, starts a child process, and solves the task two times out of three. */
const AGENT = `
case $(($$ % 4)) in 0) length=0.1 ;; 1) length=0.5 ;; 2) length=1 ;; *) length=1.8 ;; esac
sh "$1/child.sh" "$length" &
mkdir -p notes
for part in 1 2 3; do echo "$part of $length" > "notes/$part.txt"; done
[ $(($$ % 3)) -eq 0 ] || cp "$1/$PROOFBOARD_TASK.ts" "$PROOFBOARD_TASK.ts"
wait
`
const CHILD = `echo "a child for $1 s"; sleep "$1"; true\n`

export type PageResponse = { status: number; text: string }

/**
 * Requests a page and reads it completely. Null = no response in time, or the connection broke because the server was
 * killed. Uses its own timer, because an abort signal does not always end a request to a killed server.
 */
export async function requestPage(url: string, withinMs: number): Promise<PageResponse | null> {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      resolve(null)
      stop.abort()
    }, withinMs)
  })
  const result = fetch(url, { signal: stop.signal })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch(() => null)
  return Promise.race([result, late]).finally(() => clearTimeout(timer))
}
