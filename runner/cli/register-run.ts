import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Shard } from '#lib/domain/expand-plan.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { runTool } from '../process/run-tool.ts'
import { dataFolder, PROJECT_ROOT } from '../suites/project-paths.ts'
import { complain } from './output.ts'

type Run = { runId: string; plan: FrozenPlan; out: string; shard: Shard | null }

const MOST_MS = 120_000

/**
 * Registers a run that is about to start in this machine's data folder with the server's ledger, so that its row can be
 * ranked. Elsewhere there is nothing to do. A run that cannot be registered runs all the same, and is told why.
 */
export async function registerRun({ runId, plan, out, shard }: Run): Promise<void> {
  const folder = dataFolder(OWN_ENV)
  if (dirname(resolve(out)) !== join(folder, 'runs')) return
  const launcher = join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs')
  if (!existsSync(join(folder, 'proofboard.db'))) {
    complain('not registered: this data folder has no server yet (npm start); see README')
    return
  }
  const scratch = mkdtempSync(join(tmpdir(), 'proofboard-plan-'))
  try {
    const file = join(scratch, 'plan.json')
    writeFileSync(file, JSON.stringify(plan), { mode: 0o600 })
    const part = shard ? ['--shard', `${shard.index}/${shard.count}`] : []
    const args = ['ledger', 'register', '--plan', file, '--run-id', runId, ...part]
    const { code, stderr } = await runTool([process.execPath, launcher, ...args], {
      env: ownEnvironment(folder),
      timeoutMs: MOST_MS,
      cwd: PROJECT_ROOT,
    })
    const why = stderr.trim().split('\n').at(-1)
    if (code !== 0) complain(`not registered, so the entry will be unregistered: ${why}`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** What a program of ours needs; keys of providers were taken out when the command started. */
function ownEnvironment(folder: string): Record<string, string> {
  const inherited = Object.entries(OWN_ENV).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return { ...Object.fromEntries(inherited), PROOFBOARD_DATA_DIR: folder }
}
