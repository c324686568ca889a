import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { libraryEnv } from '../library-env.ts'
import { withinTime } from './within-time.ts'

const MOST_STARTING_MS = 10_000

/** Starts a chromedriver beside the library and answers its port. It ends with the sandbox that all of this runs in. */
export async function startChromedriver(program: string, folder: string): Promise<number> {
  const child = spawn(program, ['--port=0', '--log-level=SEVERE'], {
    cwd: folder,
    env: libraryEnv(folder) as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const listening = new Promise<number>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /started successfully on port (\d+)/.exec(line)?.[1]
      if (port) resolve(Number(port))
    })
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error('the chromedriver ended at its start')
  })
  ended.catch(() => {})
  return await withinTime(
    Promise.race([listening, ended]),
    MOST_STARTING_MS,
    'starting chromedriver',
  )
}
