import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { benchBeside } from './bench-beside.ts'
import { benchBrowser, benchEpisodes } from './bench-episodes.ts'
import { benchGateway } from './bench-gateway.ts'
import { benchGuards, benchIsolation } from './bench-sandbox.ts'

const PARTS = [
  'board',
  'gateway',
  'isolation',
  'guards',
  'episodes',
  'browser',
  'logs',
  'nginx',
  'scale',
] as const

const EVERYTHING = PARTS.join(',')

const USAGE = `Usage: npm run bench [-- options]

Measures Proofboard itself and prints figures and ratios; it is not a test.

  --only a,b         parts to measure (default: all): ${PARTS.join(', ')}
  --suite NAME       suite of guards and episodes (default: typescript)
  --rounds N         rounds of episodes (default: 3)
  --libraries a,b    libraries of browser (default: playwright,puppeteer,cdp)
  --concurrency N    episodes of browser at a time (default: 1)
  --beside DIR       a ts-bench checkout: judges its exercises with both harnesses, in turns
  --tasks a,b        exercises of --beside
  --sizes a,b        episodes of scale, which runs only when it is named (default: 10000,100000,1000000;
                     a million takes 5 GB of the temporary folder and some ten minutes)
  --parts a,b        what scale measures beside the worker (default: pages,ingest)
  --help             print this and exit
`

/** `npm run bench`: figures and ratios, never a test. A wrong option prints the usage and sets exit code 2. */
export async function main(argv: readonly string[]): Promise<void> {
  const values = readOptions(argv.slice(2))
  if (values === null) return
  if (values.beside !== undefined) return benchBeside(values.beside, { tasks: values.tasks })
  const chosen = values.only.split(',')
  if (chosen.includes('board')) await benchServer('board')
  if (chosen.includes('gateway')) await benchGateway()
  if (chosen.includes('isolation')) await benchIsolation()
  if (chosen.includes('guards')) await benchGuards(values.suite)
  if (chosen.includes('episodes')) await benchEpisodes(values.suite, Number(values.rounds))
  if (chosen.includes('browser'))
    await benchBrowser({
      libraries: values.libraries.split(','),
      repetitions: 1,
      concurrency: Number(values.concurrency),
    })
  if (chosen.includes('logs')) await benchServer('logs')
  if (values.only !== EVERYTHING) await benchRequested(chosen, values)
}

/** Runs the parts that must be named explicitly: one needs Debian's nginx, the other writes gigabytes. */
async function benchRequested(
  chosen: readonly string[],
  { sizes, parts }: { sizes: string; parts: string },
): Promise<void> {
  if (chosen.includes('nginx')) await benchServer('nginx')
  if (chosen.includes('scale')) await benchServer('scale', ['--sizes', sizes, '--parts', parts])
}

/** Null = only show the usage. */
function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        suite: { type: 'string', default: 'typescript' },
        rounds: { type: 'string', default: '3' },
        libraries: { type: 'string', default: 'playwright,puppeteer,cdp' },
        concurrency: { type: 'string', default: '1' },
        beside: { type: 'string' },
        tasks: { type: 'string' },
        only: { type: 'string', default: EVERYTHING },
        sizes: { type: 'string', default: '10000,100000,1000000' },
        parts: { type: 'string', default: 'pages,ingest' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (!values.help) return values
    process.stdout.write(USAGE)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`)
    process.exitCode = 2
  }
  return null
}

/** Runs a separate program, because the runner depends neither on the server nor on samples of tests. */
async function benchServer(
  name: 'board' | 'logs' | 'nginx' | 'scale',
  args: readonly string[] = [],
): Promise<void> {
  const child = spawn(process.execPath, [`lib/testing/bench/${name}.mjs`, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'close')
  if (code !== 0) process.exitCode = 1
}
