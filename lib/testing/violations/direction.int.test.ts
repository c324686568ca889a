import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import configuration from '../../../.dependency-cruiser.mjs'
import { type PlantedTree, plantTree, runToolOnTree } from './plant-tree.ts'

type Violation = { rule: string; from: string; to: string }

/** Files that the violations import; they violate nothing themselves. */
const CLEAN: Record<string, string> = {
  'lib/domain/tasks/task.ts': `import { z } from 'zod'\n\nexport const task = z.string()\n`,
  'lib/domain/tasks/index.ts': `export { task } from './task.ts'\n`,
  'lib/db/open-db.ts': `import { DatabaseSync } from '@photostructure/sqlite'\nimport { task } from '#lib/domain/tasks/index.ts'\n\nexport const db = () => [DatabaseSync, task]\n`,
  'lib/server/runs/runs.ts': `import { db } from '#lib/db/open-db.ts'\n\nexport const runs = () => db()\n`,
  'lib/setup/process.mjs': `import { spawn } from 'node:child_process'\n\nexport const root = spawn\n`,
  'lib/testing/sample.ts': `import { db } from '#lib/db/open-db.ts'\n\nexport const sample = db\n`,
  'lib/processes/spawn-runner.ts': `import { execa } from 'execa'\n\nexport const spawnRunner = execa\n`,
  'runner/sandbox/process/run.ts': `import { spawn } from 'node:child_process'\nimport { task } from '#lib/domain/tasks/index.ts'\n\nexport const run = () => [spawn, task]\n`,
  'components/ui/row.tsx': `import { task } from '#lib/domain/tasks/index.ts'\n\nexport const Row = () => task\n`,
  'app/page.tsx': `import { Row } from '#components/ui/row.tsx'\nimport { runs } from '#lib/server/runs/runs.ts'\n\nexport default () => [Row, runs]\n`,
  'lib/domain/task.test.ts': `import { it } from 'vitest'\nimport { sample } from '../testing/sample.ts'\n\nit('is', sample)\n`,
}

const importing = (name: string) => `import * as thing from '${name}'\n\nexport const it = thing\n`

/** For every rule of the floor plan, the files that break it. */
const BREACHES: Record<string, Record<string, string>> = {
  'domain-is-pure': { 'lib/domain/reads-disk.ts': importing('node:fs') },
  'modules-have-one-face': {
    'lib/server/runs/looks-behind.ts': importing('#lib/domain/tasks/task.ts'),
  },
  'modules-ask-faces': { 'lib/domain/board/looks-behind.ts': importing('../tasks/task.ts') },
  'no-score-reads-transcripts': {
    'lib/domain/transcript/index.ts': `export { task } from '../tasks/index.ts'\n`,
    'lib/domain/eligibility/reads-words.ts': importing('../transcript/index.ts'),
  },
  'db-knows-domain': { 'lib/db/draws.ts': importing('react') },
  'runner-knows-domain': { 'runner/asks-use-case.ts': importing('#lib/server/runs/runs.ts') },
  'components-know-domain': {
    'components/asks-use-case.ts': importing('#lib/server/runs/runs.ts'),
  },
  'every-page-has-it': { 'components/ui/behaviour/grows.ts': importing('react') },
  'links-load-pages': { 'components/ui/leads.tsx': importing('next/link') },
  'prices-stay-on-the-server': {
    'components/prices.tsx': importing('#lib/domain/quotes.ts'),
    'lib/domain/quotes.ts': importing('@pydantic/genai-prices'),
  },
  'setup-stands-alone': { 'lib/setup/asks-domain.mjs': importing('../domain/task.ts') },
  'setup-is-for-commands': {
    'lib/server/runs/reaches-set-up.ts': importing('../../setup/process.mjs'),
  },
  'lib-never-looks-up': { 'lib/server/runs/draws-row.ts': importing('#components/ui/row.tsx') },
  'app-asks-use-cases': { 'app/asks-db.ts': importing('#lib/db/open-db.ts') },
  'use-cases-are-plain': { 'lib/server/board/draws.ts': importing('react') },
  'prisma-lives-in-db': { 'lib/server/runs/opens-sqlite.ts': importing('@photostructure/sqlite') },
  'no-imports-of-the-runner': {
    'lib/worker/imports-runner.ts': importing('#runner/sandbox/process/run.ts'),
  },
  'the-console-is-an-end': {
    'lib/server/console/main.ts': `export const main = () => 0\n`,
    'lib/server/runs/asks-console.ts': importing('#lib/server/console/main.ts'),
  },
  'the-worker-is-an-end': {
    'lib/worker/work.ts': `export const work = () => 0\n`,
    'app/asks-worker.ts': importing('#lib/worker/work.ts'),
    'lib/server/queue/asks-worker.ts': importing('#lib/worker/work.ts'),
  },
  'console-asks-use-cases': { 'lib/server/console/opens-db.ts': importing('#lib/db/open-db.ts') },
  'one-place-spawns': { 'runner/engine/spawns.ts': importing('node:child_process') },
  'no-test-code-in-product': {
    'lib/server/runs/leans-on-test.ts': importing('../../testing/sample.ts'),
  },
  'workflows-know-the-surface': {
    'runner/apps/secret.ts': `export const secret = 1\n`,
    'exercises/browser/buy/driver.ts': importing('#runner/apps/secret.ts'),
  },
  'exercises-are-data': {
    'exercises/browser/buy/steps.ts': `export const steps = []\n`,
    'runner/libraries/imports-driver.ts': importing('../../exercises/browser/buy/steps.ts'),
  },
  'no-cycles': {
    'lib/server/runs/hen.ts': `import { egg } from './egg.ts'\n\nexport const hen = () => egg\n`,
    'lib/server/runs/egg.ts': `import { hen } from './hen.ts'\n\nexport const egg = () => hen\n`,
  },
  'no-unresolved': { 'lib/server/runs/lost.ts': importing('./nowhere.ts') },
  'no-undeclared-package': { 'lib/server/runs/undeclared.ts': importing('semver') },
}

/** Other ways to break the same rules, which a pattern might let through. */
const VARIANTS: Record<string, [rule: string, source: string]> = {
  'lib/domain/types-only.ts': [
    'domain-is-pure',
    `import type { Db } from '../db/open-db.ts'\n\nexport type It = Db\n`,
  ],
  'lib/domain/bare-node.ts': ['domain-is-pure', importing('fs')],
  'lib/domain/lazily.ts': ['domain-is-pure', `export const it = () => import('node:fs')\n`],
  'runner/reads-db.ts': ['runner-knows-domain', importing('../lib/db/open-db.ts')],
  'app/imports-runner.ts': [
    'no-imports-of-the-runner',
    importing('#runner/sandbox/process/run.ts'),
  ],
  'lib/server/runs/execa.ts': ['one-place-spawns', importing('execa')],
  'lib/worker/execa.ts': ['one-place-spawns', importing('execa')],
  'lib/server/runs/prisma.ts': ['prisma-lives-in-db', importing('@prisma/driver-adapter-utils')],
  'lib/server/runs/pg.ts': ['prisma-lives-in-db', importing('pg')],
  'lib/server/runs/leans-on-spec.ts': [
    'no-test-code-in-product',
    importing('../../domain/task.test.ts'),
  ],
}

async function cruise(tree: PlantedTree): Promise<Violation[]> {
  const { stdout, stderr } = await runToolOnTree(tree.root, [
    resolve('lib/setup/cruise.mjs'),
    '--json',
  ])
  if (!stdout.startsWith('{')) throw new Error(`nothing was cruised: ${stderr}`)
  return (JSON.parse(stdout) as { violations: Violation[] }).violations
}

describe('direction wall', () => {
  const files = Object.assign({}, ...Object.values(BREACHES)) as Record<string, string>
  const variants = Object.fromEntries(
    Object.entries(VARIANTS).map(([path, [, source]]) => [path, source]),
  )
  const green = plantTree(CLEAN)
  const red = plantTree({ ...CLEAN, ...files, ...variants })
  let violations: Violation[] = []
  beforeAll(async () => {
    violations = await cruise(red)
  })
  afterAll(() => {
    red.remove()
    green.remove()
  })

  it('plants a violation of every import rule', () => {
    const rules = configuration.forbidden.map(({ name }: { name: string }) => name)
    expect(Object.keys(BREACHES).sort()).toEqual(rules.sort())
  })

  it.each(Object.entries(BREACHES))('%s turns red where it is broken', (rule, planted) => {
    const named = violations.filter((violation) => violation.rule === rule).map(({ from }) => from)
    expect(named.filter((from) => from in planted)).not.toEqual([])
  })

  it.each(Object.entries(VARIANTS))('%s does not slip through', (from, [rule]) => {
    expect(violations).toContainEqual(expect.objectContaining({ rule, from }))
  })

  it('names no innocent file', () => {
    expect(violations.map(({ from }) => from).filter((from) => from in CLEAN)).toEqual([])
  })

  // By day the step of the same name shows it on the real tree.
  it('is green on a clean tree', { tags: 'night' }, async () =>
    expect(await cruise(green)).toEqual([]),
  )
})
