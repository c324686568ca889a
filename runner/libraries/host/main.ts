import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { launchChromedriver } from '../../browser/launch-chromedriver.ts'
import { OWN_ENV } from '../../process/own-env.ts'
import { RUN_VARIABLE } from '../../process/start-guard.ts'
import { type HostOrder, type HostReport, hostOrderSchema } from '../host-protocol.ts'
import type { LibraryAdapter, Session } from '../library-adapter.ts'
import { findLibrary } from '../registry.ts'
import { ResultCount } from './count-results.ts'
import { driveByTools } from './drive-by-tools.ts'
import { openDoors } from './open-doors.ts'
import { plainMessage } from './plain-message.ts'
import { playScripted } from './play-scripted.ts'
import { TraceFile } from './trace-file.ts'
import { withinTime } from './within-time.ts'

const MOST_CONNECT_MS = 30_000
const MOST_DISPOSE_MS = 5000

/** The process that hosts one library for one episode: order on stdin, trace in a file, log on stdout. */
async function host(): Promise<number> {
  const order = hostOrderSchema.parse(JSON.parse(readFileSync(0, 'utf8')))
  const trace = new TraceFile(order.tracePath)
  await openDoors(order.doors)
  const { chromedriver: path, folder: temporary } = order
  // It ends with the sandbox that all of this runs in.
  const beside = { temporary, runMark: OWN_ENV[RUN_VARIABLE] ?? '' }
  if (path !== null) order.webdriverPort = (await launchChromedriver({ path }, beside)).port
  const library = findLibrary(order.library)
  if (library === null) throw new Error(`there is no library “${order.library}”`)
  const report = await drive(order, library, trace)
  log(`${report.ending}${report.rung === null ? '' : `, ${report.rung}`}`)
  trace.report(report)
  return report.ending === 'finished' ? 0 : 1
}

async function drive(
  order: HostOrder,
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
  const keep = trace.action.bind(trace)
  if (order.drive.kind === 'llm') {
    const played = await driveByTools(order, order.drive, library, session, { now, keep, log })
    ending.abort()
    return { ...played, ...(await counted()) }
  }
  let actions: Awaited<ReturnType<LibraryAdapter['connect']>>
  try {
    actions = await withinTime(library.connect(session), MOST_CONNECT_MS, 'connecting')
  } catch (error) {
    return { ...(await counted()), ...notConnected(error) }
  }
  const connectMs = now()
  log(`connected in ${Math.round(connectMs)} ms`)
  const played = await playScripted(order, order.drive, actions, { now, keep, log })
  await withinTime(actions.dispose(), MOST_DISPOSE_MS, 'dispose').catch((error) =>
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

function log(line: string): void {
  process.stdout.write(`${line}\n`)
}

// A library may throw where nobody waits for it, as when its connection breaks: what it does next tells.
process.on('unhandledRejection', (error) => log(`unhandled: ${plainMessage(error)}`))
process.on('uncaughtException', (error) => log(`uncaught: ${plainMessage(error)}`))

host().then(
  (code) => process.exit(code),
  (error) => {
    log(`failed: ${plainMessage(error)}`)
    process.exit(1)
  },
)
