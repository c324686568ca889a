import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import type { Plan } from '#lib/domain/record/index.ts'
import { readLaunchFields } from '#lib/domain/runs/index.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
import { syncSuite } from '#lib/worker/sync-suites.ts'
import { freezeLaunch } from './freeze-launch.ts'
import { getLaunchAgain } from './get-launch.ts'

vi.mock('#lib/processes/spawn-runner.ts', async () =>
  (await import('#lib/testing/factories/runner-here.ts')).runnerHere(),
)

const dir = mkdtempSync(join(tmpdir(), 'proofboard-launch-again-test-'))
const { PATH = '' } = process.env
beforeAll(async () => {
  // An agent that prints its version and is never started.
  mkdirSync(join(dir, 'bin'))
  writeFileSync(join(dir, 'bin', 'claude'), '#!/bin/sh\necho "2.1.330 (Claude Code)"\n', {
    mode: 0o755,
  })
  process.env.PATH = `${join(dir, 'bin')}:${PATH}`
  process.env.PROOFBOARD_DATA_DIR = dir
  temporarySuite(dir, 'small', ['lru-cache'])
  await migrateDatabase()
  await syncSuite(database(), 'small', new AbortController().signal)
})
afterAll(async () => {
  process.env.PATH = PATH
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

async function freeze(query: Record<string, string>): Promise<Plan> {
  const result = await freezeLaunch(readLaunchFields({ suite: 'small', ...query }), new Date())
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.plan
}

const ARMS = `arms:
  - { name: careful, promptPrefix: "Read:\\nevery test first.", settings: { maxSteps: 7 } }
  - name: skill
    files: { AGENTS.md: { text: "# Rules\\n- a: b\\n" }, bin/check: { text: "#!/bin/sh\\n", executable: true } }
    mcpServers: { notes: { command: node, args: [server.js], env: { TOKEN: NOTES_TOKEN } } }
`

it('offers the form of a plan with arms again, with the same arms to the byte', async () => {
  const first = await freeze({ subject: 'claude', model: 'scripted', arms: ARMS })
  const query = await getLaunchAgain(first)
  const again = await freeze(Object.fromEntries(new URLSearchParams(query ?? '')))
  expect(first.arms?.map(({ name }) => name)).toEqual(['baseline', 'careful', 'skill'])
  expect(again.arms).toEqual(first.arms)
  expect([again.tasks, again.subject]).toEqual([first.tasks, first.subject])
})

it('offers no form whose address would be longer than servers read', async () => {
  const arms = `arms: [{ name: long, promptPrefix: ${'x'.repeat(7000)} }]`
  expect(
    await getLaunchAgain(await freeze({ subject: 'claude', model: 'scripted', arms })),
  ).toBeNull()
})
