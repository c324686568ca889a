import { describe, expect, it } from 'vitest'
import {
  checkLaunch,
  chooseTasks,
  type LaunchChoices,
  listControls,
  type SubjectChoice,
} from './check-launch.ts'
import { parseLaunch, readLaunchFields } from './launch-fields.ts'

const agent = (name: string, changes: Partial<SubjectChoice> = {}): SubjectChoice => ({
  kind: 'agent',
  name,
  title: name,
  version: '1.0.0',
  missing: null,
  model: 'needed',
  providers: [
    { name: 'anthropic', missingKeys: null },
    { name: 'openai', missingKeys: ['OPENAI_API_KEY'] },
  ],
  unmetered: null,
  ...changes,
})

const EXERCISES: LaunchChoices = {
  suites: [{ suiteId: 'small', title: 'Small' }],
  executors: [{ name: 'slurm', title: 'Slurm' }],
  suite: {
    suiteId: 'small',
    kind: 'exercise',
    tasks: [
      { taskId: 'alpha', category: 'text', faults: [] },
      { taskId: 'beta', category: 'state', faults: [] },
    ],
  },
  subjects: [
    ...listControls('exercise'),
    agent('claude'),
    agent('absent', { missing: 'it is not installed. To install it: npm install absent' }),
    agent('amp', { unmetered: 'It speaks to its own servers only.' }),
  ],
  models: [],
  isolation: null,
  failure: null,
}

const BROWSER: LaunchChoices = {
  ...EXERCISES,
  suite: {
    suiteId: 'small',
    kind: 'browser',
    tasks: [
      { taskId: 'alpha', category: 'text', faults: ['stall'] },
      { taskId: 'beta', category: 'state', faults: [] },
    ],
  },
  subjects: [
    ...listControls('browser'),
    agent('puppeteer', { kind: 'library', model: 'none', providers: null }),
    agent('playwright-mcp', { kind: 'library', model: 'possible', providers: null }),
  ],
}

function request(query: Record<string, string>) {
  const parsed = parseLaunch(readLaunchFields({ suite: 'small', ...query }))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.request
}
const check = (query: Record<string, string>, choices = EXERCISES) =>
  checkLaunch(request(query), choices).map(({ path, message }) => `${path}: ${message}`)

const CLAUDE = { subject: 'claude', model: 'claude-sonnet-4-6' }
const AMP = { subject: 'amp', model: 'smart' }
const PUPPETEER = { subject: 'puppeteer' }

describe('what of a launch goes together', () => {
  it.each<[string, Record<string, string>, LaunchChoices]>([
    ['a control', {}, EXERCISES],
    [
      'a metered agent with every pin',
      { ...CLAUDE, steps: '5', cap: '2', fault: 'hang@1' },
      EXERCISES,
    ],
    ['an agent behind walls', { ...CLAUDE, isolation: 'docker', category: 'text' }, EXERCISES],
    ['an unmetered agent with nothing to keep', AMP, EXERCISES],
    [
      'an agent that other machines have',
      { subject: 'absent', model: 'm', on: 'slurm', shards: '2' },
      EXERCISES,
    ],
    ['a library under a fault', { ...PUPPETEER, fault: 'stall', browser: 'cold' }, BROWSER],
    ['a library that a model drives', { subject: 'playwright-mcp', model: 'm', cap: '1' }, BROWSER],
  ])('%s', (_, query, choices) => {
    expect(check(query, choices)).toEqual([])
  })

  it.each<[Record<string, string>, LaunchChoices, string]>([
    [
      { suite: 'smal' },
      { ...EXERCISES, suite: null },
      'suite: Unknown suite "smal": did you mean small?',
    ],
    [{ subject: 'puppeteer' }, EXERCISES, 'subject: Unknown subject on this suite'],
    [
      { subject: 'x' },
      { ...EXERCISES, failure: 'The runner is away.' },
      'subject: The runner is away.',
    ],
    [
      { subject: 'absent', model: 'm' },
      EXERCISES,
      'subject: absent is not available on this machine: it is not installed.',
    ],
    [{ subject: 'claude' }, EXERCISES, 'model: claude needs a model'],
    [{ ...CLAUDE, provider: 'anthropc' }, EXERCISES, 'provider: Unknown provider of claude'],
    [
      { ...CLAUDE, provider: 'openai' },
      EXERCISES,
      'provider: OPENAI_API_KEY is not set for the worker',
    ],
    [{ model: 'm' }, EXERCISES, 'model: reference does not use a model'],
    [{ cap: '1' }, EXERCISES, 'cap: reference does not call a model through the gateway.'],
    [{ fault: 'hang@1' }, EXERCISES, 'fault: reference does not call a model'],
    [
      { ...AMP, cap: '1' },
      EXERCISES,
      'cap: It speaks to its own servers only. This limit cannot be enforced',
    ],
    [{ isolation: 'docker' }, EXERCISES, 'isolation: Controls run inside the harness'],
    [{ browser: 'cold' }, EXERCISES, 'browser: Only browser suites have a browser setting'],
    [{ tasks: 'alpa' }, EXERCISES, 'tasks: Unknown task "alpa": did you mean alpha'],
    [
      { tasks: 'alpha', category: 'text' },
      EXERCISES,
      'tasks: Choose a category or enter task names',
    ],
    [{ category: 'txt' }, EXERCISES, 'category: Unknown category "txt"'],
    [{ ...PUPPETEER, isolation: 'docker' }, BROWSER, 'isolation: Browser suites support only auto'],
    [{ ...PUPPETEER, fault: 'stal' }, BROWSER, 'fault: puppeteer does not call a model'],
    [
      { ...PUPPETEER, fault: 'stall', tasks: 'alpha,beta' },
      BROWSER,
      'fault: stall cannot be injected into beta',
    ],
    [
      { ...PUPPETEER, fault: 'stall', category: 'state' },
      BROWSER,
      'fault: stall cannot be injected into any of these tasks. Choose another fault',
    ],
    [
      { subject: 'playwright-mcp', provider: 'openai' },
      BROWSER,
      'model: playwright-mcp needs a model',
    ],
  ])('%o is refused', (query, choices, words) => {
    expect(check(query, choices)[0]).toContain(words)
  })

  it('chooses the tasks that a fault can be injected into', () => {
    const tasks = BROWSER.suite?.tasks ?? []
    const names = (query: Record<string, string>) =>
      chooseTasks(request({ ...PUPPETEER, ...query }), tasks).map(({ taskId }) => taskId)
    expect(names({})).toEqual(['alpha', 'beta'])
    expect(names({ fault: 'stall' })).toEqual(['alpha'])
    expect(names({ category: 'state' })).toEqual(['beta'])
    expect(names({ tasks: 'beta,alpha' })).toEqual(['alpha', 'beta'])
  })
})
