import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseBundle } from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { loadOneTask } from '#lib/testing/factories/fake-agent.ts'
import { lastJson, pollUntil, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { startSkilledModel, writeSkilledAgent } from '#lib/testing/factories/skilled-model.ts'

const SKILL = 'Always write the whole solution in one go, and read the tests first.'
const TASKS = ['lru-cache', 'rate-limiter']
const closing: (() => Promise<void>)[] = []
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-stop-'))
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  rmSync(root, { recursive: true, force: true })
})

function write(name: string, text: string): string {
  const path = join(root, name)
  writeFileSync(path, text)
  return path
}

/** A model that solves every task exactly where its request has the skill. */
async function asking(out: string): Promise<string[]> {
  const tasks = await Promise.all(TASKS.map(loadOneTask))
  const model = await startSkilledModel(tasks, SKILL, ({ isSkilled }) => isSkilled)
  closing.push(model.close)
  const providers = write(
    'providers.yaml',
    `schemaVersion: 1
providers:
  acme:
    keys: []
    price: { input: 2, output: 10 }
    protocols: { anthropic: { baseUrl: ${model.url} } }
`,
  )
  mkdirSync(join(root, 'rules'))
  write('rules/AGENTS.md', `# Rules\n\n${SKILL}\n`)
  return [
    ...['run', '--suite', 'typescript', '--tasks', TASKS.join(), '--repetitions', '5'],
    ...[
      '--agent-file',
      writeSkilledAgent(root),
      '--provider',
      'acme',
      '--provider-file',
      providers,
    ],
    ...['--model', 'm-1', '--arm', join(root, 'rules'), '--stop-when', 'decided', '--out', out],
    ...['--json'],
  ]
}

const countSealed = (out: string) =>
  existsSync(join(out, 'episodes'))
    ? readdirSync(join(out, 'episodes'), { recursive: true }).filter((name) =>
        String(name).endsWith('episode.json'),
      ).length
    : 0

it('stops both arms at the look that decides, also after kill -9, and never starts again', async () => {
  const out = join(root, 'out')
  const args = await asking(out)
  const data = join(root, 'data')
  const first = startProofboard(data, args)
  await pollUntil(() => countSealed(out) >= 3)
  first.child.kill('SIGKILL')
  await first.ended
  const resumed = await proofboardHere(data, args)
  expect([resumed.code, resumed.stderr]).toEqual([
    0,
    expect.stringContaining('decided after 8 of 20'),
  ])
  expect(lastJson(resumed.stdout)).toMatchObject({
    planned: 20,
    sealed: 8,
    decided: { verdict: 'better', look: 2, looks: 5, after: 8, planned: 20 },
  })
  const text = readFileSync(join(out, 'result.json'), 'utf8')
  const parsed = parseBundle(JSON.parse(text))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { plan, episodes } = parsed.value
  expect(plan.stop?.looks).toEqual([4, 8, 12, 16, 20])
  const count = (arm: string) =>
    episodes.filter(({ subject, outcome }) => subject.arm === arm && outcome.status !== 'void')
      .length
  expect([count('baseline'), count('rules')]).toEqual([4, 4])

  const again = await proofboardHere(data, args)
  expect([again.code, lastJson(again.stdout)]).toEqual([0, expect.objectContaining({ sealed: 8 })])
  const checked = await proofboardHere(data, ['check', out])
  expect(checked.stdout).not.toContain('missing')
})

it('refuses what cannot stop, in one sentence', async () => {
  const args = ['plan', '--suite', 'typescript', '--subject', 'reference', '--repetitions', '3']
  const refuse = async (...more: string[]) => {
    const { code, stderr } = await proofboardHere(join(root, 'data'), [...args, ...more])
    expect(code).not.toBe(0)
    return stderr
  }
  expect(await refuse('--stop-when', 'decided')).toContain('compares two sides')
  expect(await refuse('--smallest-difference', '10')).toContain('requires --stop-when decided')
  expect(await refuse('--stop-when', 'decided', '--smallest-difference', '0')).toContain(
    'must be a number from 1 to 100',
  )
})
