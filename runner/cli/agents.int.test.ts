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
import { slot, writeEchoAgent } from '#lib/testing/factories/echo-agent.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  chmodSync(root, 0o755) // at `local` agents and commands are another user
})
afterEach(() => {
  delete process.env.ECHO_KEY
  delete process.env.ANTHROPIC_API_KEY
  rmSync(root, { recursive: true, force: true })
})

const proofboard = (...args: string[]) => proofboardHere(join(root, 'data'), args)
/** Keys are taken out of a program's environment when it starts. */
const asTyped = (...args: string[]) => startProofboard(join(root, 'data'), args).ended
const ON_ONE_TASK = ['--suite', 'typescript', '--tasks', 'lru-cache']

function agentFile(changes: Record<string, unknown> = {}): string {
  const path = join(root, 'echo.yaml')
  // Not beside the data folder: a sandbox is shown the whole folder of a program.
  const program = join(root, 'program')
  mkdirSync(program, { recursive: true })
  writeFileSync(path, writeEchoAgent(program, changes))
  return path
}

const UNMETERED = {
  metering: { none: 'it cannot be pointed elsewhere' },
  protocols: {},
  preferred: null,
  providers: { echo: { protocol: null, keys: ['ECHO_KEY'], keysFrom: 'https://example.org/keys' } },
  env: { ECHO_KEY: slot('key') },
}

function plan(...args: string[]): Promise<{ code: number | null; stderr: string; plan: Plan }> {
  const out = join(root, 'plan.json')
  return proofboard('plan', ...ON_ONE_TASK, ...args, '--out', out).then(({ code, stderr }) => ({
    code,
    stderr,
    plan: existsSync(out) ? JSON.parse(readFileSync(out, 'utf8')) : null,
  }))
}

describe('proofboard plan with an agent', () => {
  it('freezes version, definition, provider, model and pins', async () => {
    const pins = [
      '--max-steps',
      '50',
      '--max-tokens',
      '200000',
      '--max-cost',
      '1.5',
      '--price',
      '3,15',
      '--temperature',
      'provider-fixed',
    ]
    const made = await plan('--agent-file', agentFile(), '--model', 'claude-x-1', ...pins)
    expect(made.code).toBe(0)
    expect(made.stderr).toMatch(/^isolation: (bubblewrap|docker|local) .*\n$/)
    expect(made.plan.subject).toEqual({
      kind: 'agent',
      name: 'echo',
      version: '1.2.3',
      adapterVersion: expect.stringMatching(/^[0-9a-f]{12}-p\d+$/),
      provider: 'anthropic',
      modelRequested: 'claude-x-1',
    })
    expect(made.plan.settings).toMatchObject({
      maxSteps: 50,
      maxTokens: 200_000,
      maxCostMicroUsd: 1_500_000,
      price: '3/15',
      temperature: 'provider-fixed',
    })
  })

  it('warns of a version that was not tested, and goes on', async () => {
    const file = agentFile({ install: { tested: '9.9.9', hint: 'x' } })
    const made = await plan('--agent-file', file, '--model', 'claude-x-1')
    expect(made.code).toBe(0)
    expect(made.stderr.split('\n')[0]).toBe(
      'warning: Echo 1.2.3 is installed, 9.9.9 was tested: its options may differ',
    )
  })

  it.each<[string, string[], string]>([
    ['a wrong model', ['--model', 'gpt-5'], '"gpt-5" does not look like a model of Anthropic'],
    [
      'a cost budget for a model without a known price',
      ['--model', 'claude-x-1', '--max-cost', '1.5'],
      'so --max-cost cannot be enforced: give its price in USD per million tokens (--price 3/15',
    ],
    ['a price that is none', ['--price', '3'], '--price must be free, or US dollars per million'],
    ['a broken price', ['--max-cost', '-1'], '--max-cost must be an amount in US dollars above 0'],
    [
      'a broken temperature',
      ['--temperature', 'warm'],
      '--temperature must be a number from 0 to 2',
    ],
  ])('refuses %s in one sentence', async (_, args, words) => {
    const { code, stderr } = await plan('--agent-file', agentFile(), ...args)
    expect(stderr).toContain(words)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect([code, existsSync(join(root, 'plan.json'))]).toEqual([2, false])
  })

  it('refuses a budget that cannot be enforced', async () => {
    const { code, stderr } = await plan('--subject', 'nop', '--max-steps', '5', '--max-cost', '1')
    expect(stderr).toContain('so --max-steps, --max-cost cannot be enforced: remove them')
    expect(code).toBe(2)
  })
})

describe('proofboard run with an agent', () => {
  const run = (...args: string[]) =>
    proofboard('run', ...ON_ONE_TASK, '--model', 'claude-x-1', '--out', join(root, 'out'), ...args)

  it('seals what an unmetered agent did, with its prompt, and says that it was not metered', async () => {
    process.env.ECHO_KEY = 'key-of-its-vendor'
    const { code, stderr } = await run('--agent-file', agentFile(UNMETERED))
    expect([code, stderr.includes('key-of-its-vendor')]).toEqual([0, false])
    const parsed = parseBundle(JSON.parse(readFileSync(join(root, 'out', 'result.json'), 'utf8')))
    const [episode] = parsed.ok ? parsed.value.episodes : []
    expect(episode).toMatchObject({
      mode: 'live',
      usage: null,
      agentSuccess: true,
      prompt: { passedBy: 'argument', digest: expect.stringMatching(/^sha256:/) },
      effort: { steps: null, retries: { gateway: null } },
      subject: { name: 'echo', version: '1.2.3', modelObserved: [] },
    })
    expect(readFileSync(join(root, 'out', 'result.json'), 'utf8')).not.toContain(
      'key-of-its-vendor',
    )
  })

  it('refuses a key that is missing before anything runs', async () => {
    const { code, stderr } = await run('--agent-file', agentFile(UNMETERED))
    expect(stderr).toBe(
      'echo needs ECHO_KEY in the environment to reach echo: get a key at https://example.org/keys and set it\n',
    )
    expect([code, existsSync(join(root, 'out'))]).toEqual([2, false])
  })
})

describe('proofboard agents', () => {
  it('lists and shows definitions', async () => {
    const { stdout } = await proofboard('agents', 'list', '--json')
    const { agents } = lastJson(stdout) as { agents: { name: string; adapterVersion: string }[] }
    expect(agents.map(({ name }) => name)).toContain('claude')
    expect((await proofboard('agents', 'show', 'codex')).stdout).toContain('npm install --global')
    expect(await proofboard('agents', 'show', 'codx')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown agent "codx": did you mean codex'),
    })
  })

  it('names keys and never says what they are', async () => {
    process.env.ANTHROPIC_API_KEY = 'the-real-key'
    const file = agentFile()
    const { code, stdout, stderr } = await asTyped(
      'agents',
      'doctor',
      '--agent-file',
      file,
      '--json',
    )
    expect(code).toBe(0)
    expect(lastJson(stdout)).toMatchObject({
      agents: [
        {
          name: 'echo',
          installed: true,
          version: '1.2.3',
          warnings: [],
          metering: 'gateway',
          keys: [{ anyOf: ['ANTHROPIC_API_KEY'], present: ['ANTHROPIC_API_KEY'] }],
        },
      ],
    })
    expect(stdout + stderr).not.toContain('the-real-key')
  })

  it('names keys in words too', { tags: 'night' }, async () => {
    process.env.ANTHROPIC_API_KEY = 'the-real-key'
    const told = await asTyped('agents', 'doctor', 'echo', '--agent-file', agentFile())
    expect(told.stdout).toContain('ANTHROPIC_API_KEY is set')
    expect(told.stdout + told.stderr).not.toContain('the-real-key')
  })

  it('fails by name when the agent cannot be started here', async () => {
    const file = agentFile({ binary: 'no-such-echo' })
    const { code, stdout } = await proofboard('agents', 'doctor', 'echo', '--agent-file', file)
    expect([code, stdout]).toEqual([1, expect.stringContaining('not installed')])
    expect(stdout).toContain('install: it is part of the test')
  })
})
