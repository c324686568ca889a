import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { plainUser } from '../../run/postgres-programs.mjs'

const PORT = 5432
const USER = 'proofboard'
const READY_MS = 30_000

/** A database server on its own host, which may crash and restart. */
export class PostgresHost {
  readonly url: string
  readonly #words: readonly string[]
  readonly #folder: string
  #child: ChildProcess | null = null

  constructor(root: string, address: string, place: { bin: string; on: readonly string[] }) {
    const password = 'soak'
    this.url = `postgresql://${USER}:${password}@${address}:${PORT}/postgres`
    this.#folder = join(root, 'postgres')
    const { uid, gid } = plainUser() ?? { uid: 0, gid: 0 }
    const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
    this.#words = [...place.on, ...asUser, '--pdeathsig=KILL']
    mkdirSync(this.#folder)
    chownSync(this.#folder, uid, gid)
    chmodSync(this.#folder, 0o700)
    const secret = join(root, 'postgres-password')
    writeFileSync(secret, password)
    chmodSync(secret, 0o644)
    const made = [
      '--username',
      USER,
      '--pwfile',
      secret,
      '--auth',
      'scram-sha-256',
      '--encoding',
      'UTF8',
      '--locale',
      'C',
    ]
    run([...asUser, join(place.bin, 'initdb'), '--pgdata', this.#folder, ...made])
    const rules = join(this.#folder, 'pg_hba.conf')
    writeFileSync(rules, `${readFileSync(rules, 'utf8')}\nhost all all samenet scram-sha-256\n`)
    this.#bin = place.bin
    this.#address = address
  }

  readonly #bin: string
  readonly #address: string

  async start(): Promise<void> {
    const settings = [
      'listen_addresses=*',
      `unix_socket_directories=${this.#folder}`,
      'max_connections=200',
    ]
    const options = settings.flatMap((setting) => ['-c', setting])
    const words = [...this.#words, join(this.#bin, 'postgres'), '-D', this.#folder, ...options]
    const [program = '', ...args] = words
    this.#child = spawn(program, args, { stdio: 'ignore' })
    const deadline = performance.now() + READY_MS
    while (!(await answers(this.#address, PORT))) {
      if (performance.now() > deadline) throw new Error('PostgreSQL did not start')
      await pause(100)
    }
  }

  /** Sends SIGQUIT: it ends at once without writing data back, and recovers from its log at the next start. */
  async crash(): Promise<void> {
    await this.#end('SIGQUIT')
    await this.start()
  }

  stop(): Promise<void> {
    return this.#end('SIGINT')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }
}

function run([program = '', ...args]: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 })
    const say = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket
      .once('connect', () => say(true))
      .once('error', () => say(false))
      .once('timeout', () => say(false))
  })
}
