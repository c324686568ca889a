import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { Plan, Shard } from '#lib/domain/record/index.ts'
import { lastLine, parseJson } from '#lib/domain/text/index.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { runTool } from '../sandbox/process/run-tool.ts'
import { inScratch } from '../scratch.ts'
import { dataFolder, PROJECT_ROOT } from '../suites/project-paths.ts'
import { writeError } from './output.ts'

type Run = { runId: string; plan: Plan; out: string; shard: Shard | null }

const boardSchema = z.object({
  runId: z.string(),
  runUrl: z.string(),
  /** True if a server shows the board now. */
  isServed: z.boolean(),
  rows: z.array(
    z.object({ rowId: z.string(), label: z.string(), isRanked: z.boolean(), url: z.string() }),
  ),
})
/** Rank of a run on the board of its data folder. */
export type LocalBoard = z.infer<typeof boardSchema>

const MAX_MS = 180_000

/**
 * Registers a run that is about to start in this machine's data folder with its ledger, so that its row can be ranked,
 * and has its episodes stored when sealed if a server runs. Does nothing for other folders. A run that cannot be
 * registered still runs; the reason is printed.
 */
export async function registerOnLocalBoard({ runId, plan, out, shard }: Run): Promise<void> {
  if (!isOnLocalBoard(out)) return
  return inScratch('proofboard-plan', async (scratch) => {
    const file = join(scratch, 'plan.json')
    writeFileSync(file, JSON.stringify(plan), { mode: 0o600 })
    const part = shard ? ['--shard', `${shard.index}/${shard.count}`] : []
    const who = ['--run-id', runId, '--pid', String(process.pid)]
    const { code, stderr } = await askServer(['register', '--plan', file, ...who, ...part])
    if (code !== 0)
      writeError(`not registered, so the entry will be unregistered: ${reasonOf(stderr)}`)
  })
}

/**
 * Adds a finished run to the board of its data folder, whether a server runs or not. Returns null for another folder,
 * or, with the reason on stderr, on failure: the server then does it at its start.
 */
export async function collectRun({ runId, out }: Pick<Run, 'runId' | 'out'>) {
  if (!isOnLocalBoard(out)) return null
  const { code, stdout, stderr } = await askServer(['collect', '--run-id', runId])
  const board = boardSchema.safeParse(parseJson(stdout.trim().split('\n').at(-1) ?? ''))
  if (code === 0 && board.success) return board.data
  writeError(`not on the board yet: ${reasonOf(stderr)} (npm start adds it)`)
  return null
}

/** True for runs in the data folder, except where the runner is installed without the server. */
function isOnLocalBoard(out: string): boolean {
  const hasServer = existsSync(join(PROJECT_ROOT, 'lib', 'server', 'console', 'console.mjs'))
  return hasServer && dirname(resolve(out)) === join(dataFolder(RUNNER_ENV), 'runs')
}

async function askServer(args: readonly string[]) {
  const launcher = join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs')
  return runTool([process.execPath, launcher, 'ledger', ...args], {
    env: ownEnvironment(dataFolder(RUNNER_ENV)),
    timeoutMs: MAX_MS,
    cwd: PROJECT_ROOT,
  })
}

/** Returns the variables that our own programs need; provider keys were removed when the command started. */
function ownEnvironment(folder: string): Record<string, string> {
  const inherited = Object.entries(RUNNER_ENV).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return { ...Object.fromEntries(inherited), PROOFBOARD_DATA_DIR: folder }
}

function reasonOf(stderr: string): string {
  return lastLine(stderr) || 'the server part did not answer'
}
