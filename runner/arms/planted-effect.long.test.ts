import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ArmsView } from '#lib/domain/compare/index.ts'
import { loadOneTask } from '#lib/testing/factories/fake-agent.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { startSkilledModel, writeSkilledAgent } from '#lib/testing/factories/skilled-model.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'

const SKILL =
  'Read every assertion of the tests before the first edit, and write all of it at once.'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-planted-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A pseudo-random number between 0 and 1, the same for an attempt with the skill as for the one without. */
function luck(task: number, nth: number): number {
  return (0.618_034 * task + 0.414_214 * nth) % 1
}

describe('a planted effect', () => {
  it('of +0.2 is found in a real run, on the board of its data folder, with the skill seen in every attempt', async () => {
    const folder = join(PROJECT_ROOT, 'exercises', 'typescript')
    const taskIds = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? entry.name : [],
    )
    const tasks = await Promise.all(taskIds.map(loadOneTask))
    const model = await startSkilledModel(tasks, SKILL, ({ taskId, nth, isSkilled }) => {
      return luck(taskIds.indexOf(taskId), nth) < (isSkilled ? 0.6 : 0.4)
    })
    try {
      const providers = join(root, 'providers.yaml')
      writeFileSync(
        providers,
        `schemaVersion: 1
providers:
  acme:
    keys: []
    price: { input: 2, output: 10 }
    protocols: { anthropic: { baseUrl: ${model.url} } }
`,
      )
      writeFileSync(join(root, 'AGENTS.md'), SKILL)
      const { ended } = startProofboard(join(root, 'data'), [
        ...['run', '--suite', 'typescript', '--agent-file', writeSkilledAgent(root)],
        ...['--provider', 'acme', '--provider-file', providers, '--model', 'm-1'],
        ...['--arm', join(root, 'AGENTS.md'), '--repetitions', '2', '--concurrency', '2', '--json'],
      ])
      const { stdout } = await ended
      const { arms, board, planned, sealed } = lastJson(stdout) as {
        arms: ArmsView
        board: { rows: unknown[] }
        planned: number
        sealed: number
      }
      expect([planned, sealed]).toEqual([100, 100])
      expect(board.rows).toHaveLength(2)
      const [effect] = arms.effects
      expect(effect?.difference?.difference).toBeCloseTo(0.2, 1)
      expect(effect?.difference?.verdict.kind).toBe('better')
      expect(effect?.activation).toContain('in 50 of 50 attempts')
      expect(effect?.costPerGain).toMatchObject({ ok: true })
    } finally {
      await model.close()
    }
  }, 900_000)
})
