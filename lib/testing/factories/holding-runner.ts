import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const HOLDS = 'hold until '

/** A job's command that lasts until a file exists: see `holdingRunner`. */
export const holdUntil = (path: string): string => `${HOLDS}${path}`

/**
 * Writes a runner for tests of the queue and returns its path for `PROOFBOARD_RUNNER`. A run whose agent's command is
 * `holdUntil(path)` waits for that file, or for the end of its stdin, and ends without an episode: no agent is started
 * and nothing is graded. It lists no suites, which every worker requests at its start. Otherwise it is the real runner.
 */
export function holdingRunner(folder: string): string {
  const path = join(folder, 'holding-runner.mjs')
  writeFileSync(
    path,
    `import { existsSync, readFileSync } from 'node:fs'
const [command, what] = process.argv.slice(2)
const option = (name) => process.argv[process.argv.indexOf(name) + 1]
const plan = command === 'run' ? JSON.parse(readFileSync(option('--plan'), 'utf8')) : {}
const [, awaited] = (plan.command ?? '').split(${JSON.stringify(HOLDS)})
if (command === 'suite' && what === 'list') console.log('{"suites":[]}')
else if (awaited === undefined) await import(${JSON.stringify(resolve('runner/cli/proofboard.mjs'))})
else {
  const end = () => process.exit(1)
  process.stdin.once('end', end).resume()
  process.once('SIGTERM', end)
  setInterval(() => {
    if (!existsSync(awaited)) return
    console.log(JSON.stringify({ event: 'run-ended', runId: option('--run-id'), at: new Date().toISOString(), sealed: 0, void: 0, resultPath: 'none' }))
    process.exit(0)
  }, 50)
}
`,
  )
  return path
}
