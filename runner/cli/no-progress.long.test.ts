import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseBundle } from '#lib/domain/record/index.ts'
import { writeToolAgent } from '#lib/testing/factories/echo-agent.ts'
import { startProofboard } from '#lib/testing/factories/proofboard-command.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

type Turn = { call: { tool: string; input: object } }
const turn = (tool: string, input: object): Turn => ({ call: { tool, input } })
const many = (count: number, make: (index: number) => Turn) =>
  Array.from({ length: count }, (_, index) => make(index))
const write = (text: string) => turn('write', { path: 'notes.txt', text })

/** Runs an agent with a script, as a user would, and reads the sealed effort. */
async function effortOf(turns: readonly Turn[]) {
  const [agent, script] = [join(root, 'agent.yaml'), join(root, 'script.json')]
  writeFileSync(agent, writeToolAgent(root))
  writeFileSync(script, JSON.stringify({ turns }))
  const where = ['--suite', 'typescript', '--tasks', 'lru-cache', '--out', join(root, 'out')]
  const who = ['--agent-file', agent, '--provider', 'scripted', '--model', 'm-1']
  const args = ['run', ...where, ...who, '--script', script]
  const { code, stderr } = await startProofboard(join(root, 'data'), args).ended
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('does not fit')])
  const bundle = parseBundle(JSON.parse(readFileSync(join(root, 'out', 'result.json'), 'utf8')))
  const [episode] = bundle.ok ? bundle.value.episodes : []
  return episode?.effort
}

describe('an episode reports the stalled steps of an agent', () => {
  it('with every signal, each streak once', async () => {
    const effort = await effortOf([
      write('first'),
      ...many(4, (index) => turn('fail', { index })),
      ...many(4, () => turn('look', {})),
      ...many(25, (index) => turn('look', { index })),
      write('last'),
      ...many(3, (index) => turn('fail', { index })),
    ])
    expect(effort?.steps).toBe(39)
    expect(effort?.noProgress).toEqual([
      { signal: 'failing-calls', count: 2 },
      { signal: 'identical-calls', count: 1 },
      { signal: 'unchanged-workspace', count: 1 },
    ])
  })

  it('with none where it went on', async () => {
    const effort = await effortOf(
      many(24, (index) =>
        index % 3 === 2 ? write(`${index}`) : turn(index % 3 ? 'fail' : 'look', {}),
      ),
    )
    expect(effort).toMatchObject({ steps: 25, noProgress: [] })
  })
})
