import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SeededGenerator } from '../../../domain/statistics/seeded-generator.ts'
import { temporarySuite } from '../../factories/proofboard-command.ts'
import { listTreeProcesses } from '../kill/processes.ts'
import { Network } from './network.ts'
import { PostgresHost } from './postgres-host.ts'

const PRELOAD = './lib/setup/serve/exit-with-parent.mjs'
const READY_MS = 180_000
export const SOAK_SUITE = 'soak'
export const SOAK_TASKS = ['lru-cache', 'rate-limiter']

/** Machines of a cluster, each a network namespace: a database, an evidence store, web servers, workers. */
export class Cluster {
  readonly network = new Network()
  readonly webs = ['web1', 'web2'] as const
  readonly workers = ['worker1', 'worker2', 'worker3'] as const
  readonly root: string
  readonly #addresses = new Map<string, string>()
  readonly #children = new Map<string, ChildProcess>()
  #settings: Readonly<Record<string, string>> = {}
  #database: PostgresHost | null = null
  #stopping = false

  /** `root` is an empty folder that all users can enter. */
  constructor(root: string) {
    this.root = root
  }

  /** Environment of every server and command: the database and the evidence store. */
  get settings(): Readonly<Record<string, string>> {
    return this.#settings
  }

  settle(settings: Readonly<Record<string, string>>): void {
    this.#settings = settings
  }

  async openNetwork(): Promise<void> {
    await this.network.open()
    for (const host of ['database', 'store', ...this.webs, ...this.workers])
      this.#addresses.set(host, await this.network.add(host))
  }

  async startDatabase(bin: string): Promise<string> {
    const address = this.addressOf('database')
    this.#database = new PostgresHost(this.root, address, { bin, on: this.network.on('database') })
    await this.#database.start()
    return this.#database.url
  }

  async crashDatabase(): Promise<void> {
    await this.#database?.crash()
  }

  addressOf(host: string): string {
    const address = this.#addresses.get(host)
    if (address === undefined) throw new Error(`there is no host ${host}`)
    return address
  }

  get urls(): readonly string[] {
    return this.webs.map((host) => `http://${this.addressOf(host)}:3000`)
  }

  dataDirOf(host: string): string {
    return join(this.root, host)
  }

  /** Starts `npm start` with one role on a host and restarts it whenever it ends, as a service manager does. */
  start(host: string, more: Readonly<Record<string, string>> = {}): void {
    const dataDir = this.dataDirOf(host)
    const temporary = join(this.root, `${host}-tmp`)
    for (const folder of [dataDir, temporary]) mkdirSync(folder, { recursive: true })
    temporarySuite(dataDir, SOAK_SUITE, SOAK_TASKS)
    const data = createWriteStream(join(this.root, `${host}.log`), { flags: 'a' })
    const words = [...this.network.on(host), process.execPath, '--import', PRELOAD]
    const [program = '', ...args] = [...words, 'lib/setup/start.mjs']
    const child = spawn(program, args, {
      env: {
        ...process.env,
        ...this.#settings,
        HOST: '0.0.0.0',
        PORT: '3000',
        TMPDIR: temporary,
        PROOFBOARD_SERVERS: host.startsWith('web') ? 'web' : 'worker',
        PROOFBOARD_HOST_ID: host,
        PROOFBOARD_DATA_DIR: dataDir,
        PROOFBOARD_FIRST_RUNS: '0',
        PROOFBOARD_CHROMIUM: 'none',
        PROOFBOARD_SUPERVISED: '1',
        PROOFBOARD_WRITES_PER_MINUTE: '100000',
        ...more,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.on('error', () => {})
    for (const stream of [child.stdout, child.stderr]) stream.pipe(data, { end: false })
    this.#children.set(host, child)
    child.once('exit', () => {
      if (!this.#stopping) setTimeout(() => this.start(host, more), 500)
    })
  }

  /** Waits until every web server responds. */
  async untilServing(): Promise<void> {
    const deadline = performance.now() + READY_MS
    for (const url of this.urls) {
      for (;;) {
        const signal = AbortSignal.timeout(5000)
        const response = await fetch(`${url}/api/v1/health`, { signal }).catch(() => null)
        if (response?.ok) break
        if (performance.now() > deadline) throw new Error(`${url} did not become healthy`)
        await pause(300)
      }
    }
  }

  /** Kills a server process of one of these hosts, not its service manager; returns its name. */
  killOne(hosts: readonly string[], chance: SeededGenerator): string {
    const host = hosts[chance.nextBelow(hosts.length)] ?? ''
    const wanted = host.startsWith('web') ? 'web' : 'worker'
    for (const { pid, kind } of listTreeProcesses(this.dataDirOf(host)))
      if (kind === wanted) process.kill(pid, 'SIGKILL')
    return host
  }

  /** Stops web servers and workers in order. */
  async stopServers(): Promise<void> {
    this.#stopping = true
    const ending = [...this.#children.values()].map((child) => {
      if (child.exitCode !== null || child.signalCode !== null) return null
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      return gone
    })
    await Promise.all(ending)
  }

  /** Stops the servers, then the database, then the network. */
  async stop(): Promise<void> {
    await this.stopServers()
    await this.#database?.stop()
    await this.network.close()
  }
}
