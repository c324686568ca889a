import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Plan, parseBundle } from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { ASKS_ONCE, writeFakeAgent } from '#lib/testing/factories/fake-agent.ts'
import { pollUntil, startProofboard } from '#lib/testing/factories/proofboard-command.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  chmodSync(root, 0o755) // at `local` agents and commands are another user
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const SUITE = ['--suite', 'typescript', '--tasks', 'lru-cache']
const SCRIPTED = ['--provider', 'scripted', '--model', 'scripted-1']
const NO_KEYS = { ANTHROPIC_API_KEY: '' }

const out = (name = 'out') => join(root, name)
const start = (...args: string[]) => startProofboard(join(root, 'data'), args, NO_KEYS)
const here = (...args: string[]) => proofboardHere(join(root, 'data'), args, NO_KEYS)
const run = (...args: string[]) =>
  here('run', ...SUITE, ...(args.includes('--out') ? [] : ['--out', out()]), ...args)

/** A fake agent in a folder of its own. */
function agent(script = 'exit 0', changes: Record<string, unknown> = {}, folder = 'agent'): string {
  const place = join(root, folder)
  mkdirSync(place, { recursive: true })
  return writeFakeAgent(place, script, changes)
}

function file(name: string, content: string): string {
  const path = join(root, name)
  writeFileSync(path, content)
  return path
}

function outcomesOf(folder: string) {
  const parsed = parseBundle(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')))
  return parsed.ok ? parsed.value.episodes.map(({ outcome }) => outcome) : []
}

it('refuses a time zone that does not exist in one sentence, and writes nothing', async () => {
  const args = ['run', ...SUITE, '--subject', 'nop', '--out', out()]
  const { code, stderr } = await proofboardHere(join(root, 'data'), args, { TZ: 'Mars/Phobos' })
  expect(code).toBe(2)
  expect(stderr.trim()).toBe(
    'TZ=Mars/Phobos is not a time zone: set a name such as Europe/Berlin, or remove TZ',
  )
  expect(existsSync(out())).toBe(false)
})

describe('an agent that cannot be run as asked is refused in one sentence, before anything is written', () => {
  it.each<[string, () => string[], string]>([
    [
      'is not installed',
      () => ['--agent-file', agent('', { binary: 'no-such-agent' }), ...SCRIPTED],
      'echo is not installed (no no-such-agent in PATH): it is part of the test',
    ],
    [
      'says no version',
      () => [
        '--agent-file',
        agent('', { version: { args: ['x'], pattern: 'v(\\d+)' } }),
        ...SCRIPTED,
      ],
      'echo does not print its version',
    ],
    [
      'has no key for a live provider',
      () => ['--agent-file', agent(), '--model', 'claude-x-1'],
      'echo needs ANTHROPIC_API_KEY in the environment to reach Anthropic',
    ],
    [
      'is asked for a model of another vendor',
      () => ['--agent-file', agent(), '--model', 'gpt-5', '--provider', 'anthropic'],
      '"gpt-5" does not look like a model of Anthropic',
    ],
    [
      'is asked for a model by no name',
      () => ['--agent-file', agent(), '--provider', 'anthropic'],
      'echo needs a model: use --model claude-',
    ],
    [
      'is given a script beside a live provider',
      () => ['--agent-file', agent(), '--model', 'claude-x-1', '--script', 'solve'],
      '--script requires --provider scripted',
    ],
    [
      'is given a script that is not JSON',
      () => ['--agent-file', agent(), ...SCRIPTED, '--script', file('s.json', 'turns: []')],
      's.json: the script is not JSON',
    ],
    [
      'is given a script without turns',
      () => ['--agent-file', agent(), ...SCRIPTED, '--script', file('s.json', '{"turns":[]}')],
      's.json: turns:',
    ],
    [
      'is given a script that is not there',
      () => ['--agent-file', agent(), ...SCRIPTED, '--script', join(root, 'none.json')],
      'none.json: ENOENT',
    ],
    [
      'is replayed from nowhere',
      () => ['--agent-file', agent(), ...SCRIPTED, '--replay', join(root, 'nowhere')],
      '--replay: no such run folder',
    ],
  ])('one that %s', async (_, args, words) => {
    const { code, stdout, stderr } = await run(...args())
    expect(stderr).toContain(words)
    const parts = stderr.trim().split('\n')
    expect([code, stdout, parts.length, existsSync(out())]).toEqual([2, '', 1, false])
  })

  it('an untested version is reported, and run', async () => {
    const path = agent(ASKS_ONCE, { install: { tested: '9.9.9', hint: 'x' } })
    const { code, stderr } = await run('--agent-file', path, ...SCRIPTED, '--script', 'solve')
    expect(stderr).toContain('Echo 1.2.3 is installed, 9.9.9 was tested')
    expect([code, outcomesOf(out())]).toEqual([
      0,
      [expect.objectContaining({ status: 'unsolved' })],
    ])
  })
})

describe('a model that its provider does not have', () => {
  it('is not a failure of the agent', async () => {
    const errors = Array.from({ length: 5 }, () => ({ status: 404 }))
    const script = file('s.json', JSON.stringify({ turns: [{ say: 'x', errors }] }))
    const { code } = await run('--agent-file', agent(ASKS_ONCE), ...SCRIPTED, '--script', script)
    expect(code).toBe(1)
    expect(outcomesOf(out()).at(-1)).toEqual({
      status: 'void',
      fault: 'provider',
      cause: 'never-answered',
      reason: expect.stringContaining('it refused the first one with 404'),
    })
  })
})

describe('a replay', () => {
  const record = (path: string, to: string) =>
    run('--agent-file', path, ...SCRIPTED, '--script', 'solve', '--record', '--out', to)
  const replay = (path: string, from: string) =>
    run('--agent-file', path, ...SCRIPTED, '--replay', from, '--out', out('again'))

  it('of a folder without recordings is void, and says which one is missing', async () => {
    const { code } = await replay(agent(), root)
    expect(code).toBe(1)
    const outcomes = outcomesOf(out('again'))
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['void']))
    expect(outcomes[0]).toMatchObject({
      fault: 'harness',
      reason: `${root} contains no recording of lru-cache, repetition 1`,
    })
  })

  it.each([
    ['another agent', { name: 'other' }, 'was recorded with echo 1.2.3, not with other 1.2.3'],
    [
      'another version',
      { version: { args: ['--version'], pattern: 'v(1\\.2)' } },
      'was recorded with echo 1.2.3, not with echo 1.2',
    ],
  ])(
    'of the recording of %s is void, and says so',
    { tags: 'night' },
    async (_, changes, words) => {
      await record(agent(ASKS_ONCE), out())
      await replay(agent('exit 0', changes, 'other'), out())
      expect(outcomesOf(out('again'))[0]).toMatchObject({
        status: 'void',
        reason: expect.stringContaining(words),
      })
    },
  )
})

describe('two recorded runs of one plan', { tags: 'night' }, () => {
  it('do not disturb each other: the second is refused', async () => {
    const plan = join(root, 'plan.json')
    const options = ['--agent-file', agent('sleep 60'), ...SCRIPTED]
    await here('plan', ...SUITE, ...options, '--out', plan)
    const { planDigest } = JSON.parse(readFileSync(plan, 'utf8')) as Plan
    const folder = `/tmp/proofboard-${planDigest.slice('sha256:'.length).slice(0, 16)}`
    const record = (name: string) =>
      start(
        ...['run', '--plan', plan, '--agent-file', join(root, 'agent', 'echo.yaml')],
        ...['--script', 'solve', '--record', '--out', out(name)],
      )
    const first = record('first')
    await pollUntil(() => existsSync(folder))
    const { code, stderr } = await record('second').ended
    expect(stderr.trim().split('\n').at(-1)).toBe(
      `another recorded or replayed run of this plan works in ${folder}: wait for it, and if there is none, remove that folder`,
    )
    expect(code).toBe(1)
    first.child.kill('SIGINT')
    // npx forwards the terminal's signal to both processes.
    setTimeout(() => first.child.kill('SIGINT'), 30)
    const stopped = await first.ended
    expect(stopped.code).toBe(130)
    const resume = `npx proofboard run --plan ${join(out('first'), 'plan.json')} --out ${out('first')} `
    expect(stopped.stdout).toContain(`\nresume with: ${resume}`)
    expect(existsSync(folder)).toBe(false)
  })
})
