import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { MARKER_VARIABLE, ProcessTree } from './process-tree.ts'
import { RUN_VARIABLE } from './start-guard.ts'

export type ServiceRequest = {
  /** A program and its arguments; no shell reads them. */
  argv: readonly [string, ...string[]]
  cwd: string
  /** The complete environment: nothing is inherited. */
  env: Readonly<Record<string, string>>
  /** The run that it belongs to, whose guard ends it if the runner is killed. */
  runMark: string
  /** Receives every line of its stdout or stderr. */
  onLine: (line: string, from: 'stdout' | 'stderr') => void
}

export type ServiceEnding = { exitCode: number | null; signal: string | null; error: string | null }

/** A program that runs alongside: a browser, an app's server. */
export type Service = {
  pid: number | null
  /** Marks its processes, so that its tree can be found. */
  marker: string
  send: (line: string) => void
  /** Resolves when its first process has ended, or could not be started. */
  ended: Promise<ServiceEnding>
  /** Ends the whole tree: closes stdin, sends SIGTERM, and SIGKILL after `graceMs`. False if something survived. */
  stop: () => Promise<boolean>
}

/** Starts a program that runs until it is stopped; its whole tree has the run's mark. Never throws, however it ends. */
export function startService(request: ServiceRequest, graceMs = 1000): Service {
  const marker = `service-${randomUUID()}`
  const { argv, cwd, env, runMark, onLine } = request
  const [program, ...args] = argv
  const marks = { [RUN_VARIABLE]: runMark, [MARKER_VARIABLE]: marker }
  const child = spawn(program, args, {
    cwd,
    env: { ...env, ...marks } as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
    detached: true,
    stdio: 'pipe',
  })
  const ended = new Promise<ServiceEnding>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal, error: null }))
    child.once('error', ({ message }) => resolve({ exitCode: null, signal: null, error: message }))
  })
  for (const from of ['stdout', 'stderr'] as const) {
    child[from].on('error', () => {})
    createInterface({ input: child[from] }).on('line', (line) => onLine(line, from))
  }
  child.stdin.on('error', () => {}) // it may exit first
  const { pid } = child
  const stop = async () => {
    child.stdin.end()
    if (pid === undefined) return true
    // A service's working folder may be shared, so only marker, ancestry and group identify its processes.
    const tree = new ProcessTree({ rootPid: pid, marker, folder: `/nowhere/${marker}` })
    tree.signal('SIGTERM')
    await Promise.race([ended, sleep(graceMs, undefined, { ref: false })])
    return tree.destroy()
  }
  return { pid: pid ?? null, marker, send: (line) => child.stdin.write(`${line}\n`), ended, stop }
}
