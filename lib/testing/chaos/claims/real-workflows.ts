import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleSchema } from '#lib/domain/record/bundle.ts'
import { isFrozen, type Plan } from '#lib/domain/record/index.ts'
import { startProofboard } from '../../factories/proofboard-command.ts'
import type { RealAttempt } from './real-attempts.ts'

/** The browser suite of the attacked board: two of the shipped workflows with their apps. */
export const BROWSER_SUITE = 'claims-browser'
const SOURCE = 'exercises/browser'
const WORKFLOWS = ['shop-rain-jacket', 'console-unpaid-note']
const TEXTS = ['subject.log', 'steps.ndjson', 'final-state.json']

/** A plan of playwright, and one solved attempt at each task with its text evidence. */
export type RealWorkflows = { plan: Plan; attempts: ReadonlyMap<string, RealAttempt> }

/** Puts the suite into a data folder. */
export function temporaryBrowserSuite(dataDir: string): void {
  const folder = join(dataDir, 'suites', BROWSER_SUITE)
  mkdirSync(folder, { recursive: true })
  const about = JSON.parse(readFileSync(join(SOURCE, 'suite.json'), 'utf8'))
  const suite = { ...about, suiteId: BROWSER_SUITE, title: BROWSER_SUITE }
  writeFileSync(join(folder, 'suite.json'), JSON.stringify(suite))
  for (const name of [...WORKFLOWS, 'apps'])
    cpSync(join(SOURCE, name), join(folder, name), { recursive: true })
}

/** Runs both workflows once; needs Chromium. */
export async function makeRealWorkflows(dataDir: string): Promise<RealWorkflows> {
  temporaryBrowserSuite(dataDir)
  const out = join(mkdtempSync(join(dataDir, 'workflows-')), 'out')
  const args = ['run', '--suite', BROWSER_SUITE, '--subject', 'playwright', '--out', out]
  const { code, stderr } = await startProofboard(dataDir, args).ended
  if (code !== 0) throw new Error(`the workflows were not solved: ${stderr.slice(-2000)}`)
  const bundle = bundleSchema.parse(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!isFrozen(bundle.plan)) throw new Error('a run of ours has a frozen plan')
  const attempts = bundle.episodes.map((episode) => {
    const folder = join(out, 'episodes', episode.taskId, `r1-a${episode.attempt}`)
    const evidence = episode.evidence.filter(({ path }) => TEXTS.includes(path))
    const files = Object.fromEntries(
      evidence.map(({ path }) => [path, readFileSync(join(folder, path), 'utf8')]),
    )
    return [episode.taskId, { episode: { ...episode, evidence }, files }] as const
  })
  return { plan: bundle.plan, attempts: new Map(attempts) }
}
