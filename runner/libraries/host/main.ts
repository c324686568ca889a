import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import type { TracedAction } from '#lib/domain/record/index.ts'
import { launchChromedriver } from '../../browser/chromedriver.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { runInForeground } from '../../sandbox/process/run-in-foreground.ts'
import { RUN_VARIABLE } from '../../sandbox/process/start-guard.ts'
import { countToolTokens } from '../describe-tools.ts'
import {
  type HostReport,
  type HostRequest,
  hostRequestSchema,
  plainMessage,
} from '../host-protocol.ts'
import type { LibraryAdapter, Session } from '../library-adapter.ts'
import { playScripted } from '../play-driver.ts'
import { resolveLibrary } from '../registry.ts'
import { type HostTools, ModelActions } from './model-actions.ts'
import { openSockets } from './open-sockets.ts'
import { driveByTools } from './play-model.ts'
import { withinTime } from './within-time.ts'

const MAX_CONNECT_MS = 30_000
const MAX_DISPOSE_MS = 5000

/** Runs the process that hosts one library for one episode: request on stdin, trace in a file, log on stdout. */
async function host(): Promise<number> {
  const [, , requested, orderPath] = process.argv
  if (requested === 'serve') return serve(orderPath ?? '')
  const order = hostRequestSchema.parse(JSON.parse(readFileSync(0, 'utf8')))
  const trace = new TraceFile(order.tracePath)
  await openSockets(order.sockets)
  const { chromedriver: path, folder: temporary } = order
  // It ends with the sandbox around all of this.
  const beside = { temporary, runMark: RUNNER_ENV[RUN_VARIABLE] ?? '' }
  if (path !== null) order.webdriverPort = (await launchChromedriver({ path }, beside)).port
  const library = resolveLibrary(order)
  if (library === null) throw new Error(`there is no library “${order.library}”`)
  const report = await drive(order, library, trace)
  log(`${report.ending}${report.rung === null ? '' : `, ${report.rung}`}`)
  trace.report(report)
  return report.ending === 'finished' ? 0 : 1
}

/** Runs as the MCP server of an agent, with the request of its own host. */
async function serve(orderPath: string): Promise<number> {
  const order = hostRequestSchema.parse(JSON.parse(readFileSync(orderPath, 'utf8')))
  const library = resolveLibrary(order)
  if (library === null) throw new Error(`there is no library “${order.library}”`)
  const { serveTools } = await import('./serve-tools.ts')
  await serveTools(order, library)
  return 0
}

async function drive(
  order: HostRequest,
  library: LibraryAdapter,
  trace: TraceFile,
): Promise<HostReport> {
  const startedAt = performance.now()
  const now = () => performance.now() - startedAt
  const ending = new AbortController()
  const results = new ResultCount()
  const session: Session = {
    endpoint: order.endpoint,
    webdriverPort: order.webdriverPort,
    actionTimeoutMs: order.actionTimeoutMs,
    folder: order.folder,
    signal: ending.signal,
    log,
    countResult: (text) => results.count(text),
  }
  const counted = async () => ({
    resultBytes: results.bytes,
    resultTokens: await results.tokens(),
  })
  if (order.drive.kind === 'agent') {
    const code = await runInForeground(order.drive)
    const ending = code === 0 ? ('finished' as const) : ('gave-up' as const)
    const none = { resultBytes: null, resultTokens: null, libraryError: null, firstErrorAt: null }
    return { ...none, ending, connectMs: null, rung: null }
  }
  const keep = trace.action.bind(trace)
  const keepStep = trace.stepEnd.bind(trace)
  if (order.drive.kind === 'llm') {
    const tools = { now, keep, log }
    const played = library.modelLoop
      ? await driveByLoop(order, order.drive, library.modelLoop, session, tools)
      : await driveByTools(order, order.drive, library, session, tools)
    ending.abort()
    return { ...played, ...(await counted()) }
  }
  let actions: Awaited<ReturnType<LibraryAdapter['connect']>>
  try {
    actions = await withinTime(library.connect(session), MAX_CONNECT_MS, 'connecting')
  } catch (error) {
    return { ...(await counted()), ...notConnected(error) }
  }
  const connectMs = now()
  log(`connected in ${Math.round(connectMs)} ms`)
  const played = await playScripted(order, order.drive, actions, { now, keep, keepStep, log })
  await withinTime(actions.dispose(), MAX_DISPOSE_MS, 'dispose').catch((error) =>
    log(plainMessage(error)),
  )
  ending.abort()
  return { ...played, ...(await counted()), connectMs }
}

function notConnected(error: unknown) {
  const message = plainMessage(error)
  log(`could not connect: ${message}`)
  return {
    ending: 'gave-up' as const,
    connectMs: null,
    libraryError: { step: null, action: 'connect', message },
    rung: 'given-up' as const,
    firstErrorAt: Date.now(),
  }
}

/** For an MCP server, stdout belongs to the agent. */
const SAYS_ON = process.argv[2] === 'serve' ? process.stderr : process.stdout

function log(line: string): void {
  SAYS_ON.write(`${line}\n`)
}

// A library may throw outside any call, for example if its connection breaks: its next action shows the effect.
process.on('unhandledRejection', (error) => log(`unhandled: ${plainMessage(error)}`))
process.on('uncaughtException', (error) => log(`uncaught: ${plainMessage(error)}`))

/** Writes the trace of one episode: each line is written at once, so that a killed process leaves its actions. */
export class TraceFile {
  readonly #descriptor: number

  constructor(path: string) {
    // Appends, because the MCP server of an agent writes to the same file.
    this.#descriptor = openSync(path, 'a', 0o644)
  }

  action(action: TracedAction): void {
    this.#line({ action })
  }

  stepEnd(stepEnd: { step: string; endMs: number }): void {
    this.#line({ stepEnd })
  }

  /** Writes the last line. */
  report(report: HostReport): void {
    this.#line({ report })
    closeSync(this.#descriptor)
  }

  #line(value: unknown): void {
    writeSync(this.#descriptor, `${JSON.stringify(value)}\n`)
  }
}

/** Exceeds any model's context; beyond it tokens are unknown. */
const MAX_KEPT_BYTES = 8 << 20

/** Counts the text that a library returns to its driver. `bytes` is null as long as it returned nothing. */
export class ResultCount {
  bytes: number | null = null
  readonly #texts: string[] = []

  count(text: string): void {
    this.bytes = (this.bytes ?? 0) + Buffer.byteLength(text)
    if (this.bytes <= MAX_KEPT_BYTES) this.#texts.push(text)
  }

  /** Counts in the o200k encoding, loaded after the library has ended; null = nothing, too much, or unknown. */
  async tokens(): Promise<number | null> {
    if (this.bytes === null || this.bytes > MAX_KEPT_BYTES) return null
    return countToolTokens(this.#texts)
  }
}

host().then(
  (code) => process.exit(code),
  (error) => {
    log(`failed: ${plainMessage(error)}`)
    process.exit(1)
  },
)

/** Lets a library's own model loop do the requested task. Never throws for errors of either. */
async function driveByLoop(
  order: HostRequest,
  drive: Extract<HostRequest['drive'], { kind: 'llm' }>,
  loop: NonNullable<LibraryAdapter['modelLoop']>,
  session: Session,
  tools: HostTools,
): Promise<Omit<HostReport, 'resultBytes' | 'resultTokens'>> {
  const actions = new ModelActions(order, tools)
  let connectMs: number | null = null
  try {
    const { kind, ...model } = drive
    const wantsMore = await loop.run(
      { ...session, signal: AbortSignal.any([session.signal, actions.ending.signal]) },
      {
        ...model,
        start: `${order.origin}${order.start}`,
        files: Object.values(order.files),
        connected: () => {
          connectMs ??= tools.now()
        },
        act: (name, args, run) => actions.act(name, args, run),
      },
    )
    return { ...actions.finish({ wantsMore }), connectMs }
  } catch (error) {
    const played = actions.giveUp(error)
    const message = plainMessage(error)
    const action = connectMs === null ? 'connect' : null
    const libraryError = played.libraryError ?? { step: null, action, message }
    return { ...played, libraryError, firstErrorAt: played.firstErrorAt ?? Date.now(), connectMs }
  }
}
