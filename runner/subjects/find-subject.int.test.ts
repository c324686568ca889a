import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Subject } from '#lib/domain/record/index.ts'
import { slot, writeEchoAgent } from '#lib/testing/factories/echo-agent.ts'
import { samplePlan } from '#lib/testing/factories/samples.ts'
import { openAttemptGateway } from '../gateway/attempt-gateway.ts'
import type { ModelAccess } from '../gateway/model-access.ts'
import { plannedSubject, resolveSubject, type SubjectQuery } from './find-subject.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => {
  delete process.env.ECHO_KEY
  rmSync(root, { recursive: true, force: true })
})

const UNMETERED = {
  metering: { none: 'it cannot be pointed elsewhere' },
  protocols: {},
  preferred: null,
  providers: { echo: { protocol: null, keys: ['ECHO_KEY'] } },
  env: { ECHO_KEY: slot('key') },
}

function agentFile(changes: Record<string, unknown> = {}): string {
  const path = join(root, 'echo.yaml')
  writeFileSync(path, writeEchoAgent(root, changes))
  return path
}

function query(changes: Partial<SubjectQuery>): SubjectQuery {
  const nothing = { command: null, version: null, agentFile: null, model: null, provider: null }
  return { name: 'echo', ...nothing, ...changes }
}

async function refusal(act: () => Promise<unknown>): Promise<string> {
  const told = await act().then(
    () => 'it was not refused',
    (error: Error) => error.message,
  )
  expect(told.split('\n')).toHaveLength(1)
  return told
}

describe('resolveSubject', () => {
  it('takes the first provider that has a key, and the name that the provider has for a model', async () => {
    const other = { protocol: 'anthropic', keys: ['ECHO_KEY'], models: { short: 'vendor/long-1' } }
    const providers = { anthropic: { protocol: 'anthropic' }, openrouter: other }
    const file = agentFile({ providers })
    process.env.ECHO_KEY = 'a key'
    const { subject } = await resolveSubject(query({ agentFile: file, model: 'short' }))
    expect(subject).toMatchObject({ provider: 'openrouter', modelRequested: 'vendor/long-1' })
    delete process.env.ECHO_KEY
    const without = await resolveSubject(query({ agentFile: file, model: 'claude-x' }))
    expect(without.subject.provider).toBe('anthropic')
    // A name that only the definition knows has no address.
    const unknown = agentFile({ providers: { other } })
    await expect(resolveSubject(query({ agentFile: unknown, model: 'short' }))).rejects.toThrow(
      /unknown provider of echo "other".*--provider-file/,
    )
  })

  it.each<[string, Partial<SubjectQuery>, Record<string, unknown>, string]>([
    ['no model', {}, {}, 'echo needs a model: use --model claude-'],
    [
      'a model of another vendor',
      { model: 'gpt-5' },
      {},
      '"gpt-5" does not look like a model of Anthropic',
    ],
    [
      'a model that is an option',
      { model: '--yolo' },
      {},
      '--model must consist of letters, digits',
    ],
    ['a model with a line in it', { model: 'claude-x\ny' }, {}, 'not "claude-x\\ny"'],
    ['an unknown provider', { model: 'x', provider: 'antropic' }, {}, 'did you mean anthropic?'],
    ['another name', { model: 'x', name: 'ecco' }, {}, 'defines the agent "echo", not "ecco"'],
    [
      'a program that is missing',
      { model: 'claude-x' },
      { binary: 'no-such-echo' },
      'echo is not installed (no no-such-echo in PATH): it is part of the test',
    ],
    [
      'a program that says no version',
      { model: 'claude-x' },
      { version: { args: ['--version'], pattern: '(never)' } },
      'echo does not print its version',
    ],
    [
      'a broken definition',
      { model: 'x' },
      { argv: ['no prompt'] },
      'argv: prompt: argument needs exactly one element',
    ],
  ])('refuses %s in one sentence', async (_, changes, definition, words) => {
    const agent = query({ agentFile: agentFile(definition), ...changes })
    expect(await refusal(() => resolveSubject(agent))).toContain(words)
  })

  it.each<[Partial<SubjectQuery>, string]>([
    [{ name: 'nop', model: 'x' }, '"nop" does not support --model'],
    [{ name: 'claud', model: 'x' }, 'unknown subject "claud": did you mean claude'],
    [{ agentFile: '/dev/zero' }, 'the agent file /dev/zero is not a file'],
    [{ name: 'command' }, 'needs --command'],
    [{ agentFile: '/nowhere.yaml' }, 'cannot read the agent file /nowhere.yaml: ENOENT'],
    [{ name: 'claude', agentFile: '/etc', model: 'x' }, 'the agent file /etc is not a file'],
  ])('refuses %j in one sentence', async (changes, words) => {
    expect(await refusal(() => resolveSubject(query(changes)))).toContain(words)
  })
})

describe('plannedSubject', () => {
  /** Freezes a plan with changes made to its subject. */
  async function planOf(file: string, model: string, changes: Partial<Subject> = {}) {
    const { subject } = await resolveSubject(query({ agentFile: file, model }))
    return samplePlan({ subject: { ...subject, ...changes } })
  }

  it('gives a driver when all of it is there', async () => {
    process.env.ECHO_KEY = 'a key'
    const file = agentFile(UNMETERED)
    const driver = await plannedSubject(await planOf(file, 'any'), file, live)
    expect([driver.mode, driver.metered]).toEqual(['live', false])
  })

  const scripted: ModelAccess = {
    source: { kind: 'scripted', scriptFor: () => ({ turns: [{ say: 'x' }] }) },
    record: false,
    openGateway: openAttemptGateway,
  }
  const live: ModelAccess = { ...scripted, source: { kind: 'provider' } }

  it('plays a script for the scripted provider only, and only as a mock', async () => {
    const file = agentFile()
    const mock = await planOf(file, 'claude-x', { provider: 'scripted' })
    expect(await refusal(() => plannedSubject(mock, file, live))).toContain('needs a script')
    expect((await plannedSubject(mock, file, scripted)).mode).toBe('mock')
    const real = await planOf(file, 'claude-x')
    expect(await refusal(() => plannedSubject(real, file, scripted))).toContain(
      '--script requires --provider scripted',
    )
  })

  it('calls a replay recorded-real without a key, unless the model was scripted', async () => {
    const file = agentFile()
    const source: ModelAccess['source'] = {
      kind: 'replay',
      recordingOf: () => Promise.reject(new Error('not asked here')),
    }
    const modeOf = async (changes: Partial<Subject>) => {
      const plan = await planOf(file, 'claude-x', changes)
      return (await plannedSubject(plan, file, { ...scripted, source })).mode
    }
    expect(await modeOf({})).toBe('recorded-real')
    expect(await modeOf({ provider: 'scripted' })).toBe('mock')
  })

  it('refuses a missing key by the name of its variable and where to get one', async () => {
    const file = agentFile()
    const plan = await planOf(file, 'claude-x')
    expect(await refusal(() => plannedSubject(plan, file, live))).toMatch(
      /^echo needs ANTHROPIC_API_KEY in the environment to reach Anthropic: get a key at https:\/\/\S+ and set it$/,
    )
  })

  it('refuses an agent that is not the one that was planned', async () => {
    process.env.ECHO_KEY = 'a key'
    const file = agentFile(UNMETERED)
    const plan = await planOf(file, 'any')
    expect(await refusal(() => plannedSubject(plan, null, live))).toContain('add --agent-file')
    const program = join(root, 'echo-agent.cjs')
    writeFileSync(program, readFileSync(program, 'utf8').replace('v1.2.3', 'v1.2.4'))
    chmodSync(program, 0o755)
    expect(await refusal(() => plannedSubject(plan, file, live))).toContain(
      'echo 1.2.4 is installed, the plan was frozen for 1.2.3',
    )
    const changed = agentFile({ ...UNMETERED, exitCodes: 'never 0' })
    expect(await refusal(() => plannedSubject(plan, changed, live))).toContain(
      'with another definition of echo',
    )
  })
})
