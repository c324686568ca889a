import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { countOf, parseJson } from '#lib/domain/text/index.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { RUN_VARIABLE } from '../sandbox/process/start-guard.ts'
import { startService } from '../sandbox/process/start-service.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import { findWebSocket } from './host/find-web-socket.ts'
import type { LibraryAdapter, ModelLoop, OptionalPackage, Session } from './library-adapter.ts'
import { libraryEnv } from './mcp/open-mcp-server.ts'
import { AGENT_ONLY, optionalFolder, optionalParts } from './optional-package.ts'
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
  ...AGENT_ONLY,
  adapterVersion: 1,
  targeting: 'ref',
  version: async (env) => versionOf(optionalFolder(PACKAGE, env)),
  programs: (env) => {
    const folder = optionalFolder(PACKAGE, env)
    const { prefix } = readPython(folder)
    return [folder, PROGRAM, ...(prefix.startsWith('/usr') ? [] : [prefix])]
  },
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
  const webSocket = await findWebSocket(endpoint)
  const hearing = new Hearing(loop, log)
  const service = startService({
    argv: [readPython(installed).python, PROGRAM],
    cwd: folder,
    env: libraryEnv(folder, {
      PYTHONPATH: join(installed, PACKAGES),
      NO_PROXY: '127.0.0.1,localhost',
      ANONYMIZED_TELEMETRY: 'false',
      BROWSER_USE_CLOUD_SYNC: 'false',
      BROWSER_USE_VERSION_CHECK: 'false',
    }),
    runMark: RUNNER_ENV[RUN_VARIABLE] ?? '',
    onLine: (line, from) => (from === 'stderr' ? log(line) : void hearing.readStderr(line)),
  })
  signal.addEventListener('abort', () => hearing.fail('its agent was stopped'), { once: true })
  void service.ended.then(({ error }) => hearing.fail(error ?? 'its agent ended without a result'))
  service.send(JSON.stringify({ ...order, folder, webSocket }))
  return hearing.end.finally(service.stop)
}

/** The program's lines; `end` = whether its steps ran out before it was done. */
class Hearing {
  readonly end: Promise<boolean>
  fail!: (why: string) => void
  readonly #loop: ModelLoop
  readonly #log: (line: string) => void
  #done!: (isOut: boolean) => void

  constructor(loop: ModelLoop, log: (line: string) => void) {
    this.#loop = loop
    this.#log = log
    this.end = new Promise((done, fail) => {
      this.#done = done
      this.fail = (why) => fail(new Error(why))
    })
  }

  async readStderr(text: string): Promise<void> {
    const parsed = lineSchema.safeParse(parseJson(text))
    if (!parsed.success) return this.fail(`its program said ${text.slice(0, 200)}`)
    const line = parsed.data
    const { act, connected, maxSteps } = this.#loop
    if ('connected' in line) connected()
    else if ('action' in line)
      await act(line.action, line.args, async () => {}).catch((error: Error) =>
        this.fail(error.message),
      )
    else if ('error' in line) this.fail(line.error)
    else {
      this.#log(`its agent ended after ${countOf(line.steps, 'turn')}`)
      this.#done(!line.done && line.steps >= maxSteps)
    }
  }
}
