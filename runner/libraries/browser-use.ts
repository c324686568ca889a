import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { countOf, parseJson } from '#lib/domain/text/index.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import { findWebSocket } from './host/find-web-socket.ts'
import type { LibraryAdapter, ModelLoop, OptionalPackage, Session } from './library-adapter.ts'
import { optionalFolder, optionalParts } from './optional-package.ts'
import { PACKAGES, pythonSchema } from './python-package.ts'

const PACKAGE: OptionalPackage = {
  library: 'browser-use',
  name: 'browser-use',
  version: '0.13.8',
  from: 'pip',
}
const PROGRAM = join(PROJECT_ROOT, 'runner', 'libraries', 'browser-use', 'run_agent.py')

/**
 * Browser Use's own agent, in Python. WRITTEN FROM THE SOURCE of that version and tested with a stand-in for the
 * package: it was never run with the package itself.
 */
export const browserUse: LibraryAdapter = {
  name: 'browser-use',
  title: 'Browser Use',
  ...optionalParts(PACKAGE),
  adapterVersion: 1,
  targeting: 'ref',
  webdriver: false,
  lacks: {},
  version: async (own) => versionOf(optionalFolder(PACKAGE, own)),
  programs: (own) => {
    const folder = optionalFolder(PACKAGE, own)
    const { prefix } = readPython(folder)
    return [folder, PROGRAM, ...(prefix.startsWith('/usr') ? [] : [prefix])]
  },
  connect: async () => {
    throw new Error('its agent is driven by a model: scripts cannot drive it')
  },
  modelOnly: true,
  modelLoop: { version: 1, protocols: ['openai-chat', 'anthropic'], run },
}

function versionOf(folder: string): string | null {
  const { version } = PACKAGE
  return existsSync(join(folder, PACKAGES, `browser_use-${version}.dist-info`)) ? version : null
}

function readPython(folder: string) {
  return pythonSchema.parse(JSON.parse(readFileSync(join(folder, 'python.json'), 'utf8')))
}

const lineSchema = z.union([
  z.object({ connected: z.literal(true) }),
  z.object({ action: z.string(), args: z.unknown() }),
  z.object({ done: z.boolean(), steps: z.number() }),
  z.object({ error: z.string() }),
])

async function run(session: Session, loop: ModelLoop): Promise<boolean> {
  const { act, connected, ...order } = loop
  const { endpoint, folder, log, signal } = session
  const installed = optionalFolder(PACKAGE, RUNNER_ENV)
  const env = {
    ...RUNNER_ENV,
    PYTHONPATH: join(installed, PACKAGES),
    NO_PROXY: '127.0.0.1,localhost',
    ANONYMIZED_TELEMETRY: 'false',
    BROWSER_USE_CLOUD_SYNC: 'false',
    BROWSER_USE_VERSION_CHECK: 'false',
    BROWSER_USE_CONFIG_DIR: join(folder, 'browser-use'),
  }
  const child = spawn(readPython(installed).python, [PROGRAM], {
    env: env as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
    signal,
  })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  failed.catch(() => {}) // an aborted run has thrown already
  createInterface({ input: child.stderr }).on('line', log)
  const webSocket = await findWebSocket(endpoint)
  child.stdin.on('error', () => {}) // a program that has ended says so on stdout
  child.stdin.end(JSON.stringify({ ...order, folder, webSocket }))
  return Promise.race([failed, hear(child.stdout, loop, log)])
}

/** Returns whether its steps ran out before it was done. */
async function hear(
  replies: NodeJS.ReadableStream,
  { act, connected, maxSteps }: ModelLoop,
  log: (line: string) => void,
): Promise<boolean> {
  for await (const text of createInterface({ input: replies })) {
    const line = lineSchema.parse(parseJson(text))
    if ('connected' in line) connected()
    else if ('action' in line) await act(line.action, line.args, async () => {})
    else if ('error' in line) throw new Error(line.error)
    else {
      log(`its agent ended after ${countOf(line.steps, 'turn')}`)
      return !line.done && line.steps >= maxSteps
    }
  }
  throw new Error('its agent ended without a result')
}
