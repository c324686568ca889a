import { describe, expect, it } from 'vitest'
import { samplePlan } from '../../testing/factories/samples.ts'
import { listControls } from './check-launch.ts'
import {
  isSameLaunch,
  LAUNCH_FIELDS,
  launchAgain,
  launchFieldsSchema,
  parseLaunch,
  readLaunchFields,
  writeLaunchQuery,
} from './launch-fields.ts'

const parse = (query: Record<string, string | string[]>) =>
  parseLaunch(readLaunchFields({ suite: 'small', ...query }))

describe('the launch form', () => {
  it('fills in what a URL leaves out', () => {
    expect(parse({})).toEqual({
      ok: true,
      request: {
        suiteId: 'small',
        subject: 'reference',
        provider: null,
        model: null,
        category: null,
        tasks: null,
        fault: null,
        agentVersion: null,
        instruction: null,
        arms: null,
        repetitions: 1,
        pins: { timeoutMs: 600_000 },
        isolation: 'auto',
        isCold: false,
        concurrency: 1,
        spendCapMicroUsd: null,
        priority: 0,
        remote: null,
      },
    })
  })

  it('tells no limit from the default', () => {
    const request = { steps: 'none', temperature: 'none', cost: '' }
    expect(parse(request)).toMatchObject({
      request: { pins: { timeoutMs: 600_000, maxSteps: null, temperature: null } },
    })
    expect(parse({ timeout: 'none' })).toMatchObject({ ok: false, problems: [{ path: 'timeout' }] })
    const { subject, settings } = samplePlan()
    const driven = samplePlan({ subject: { ...subject, modelRequested: 'model-x' } })
    expect(launchAgain(driven, null)).toMatchObject({ steps: 'none', effort: '' })
    expect(launchAgain(samplePlan({ settings }), null)).toMatchObject({ steps: '' })
  })

  it('knows whether the page shows what was estimated, whatever ends its lines', () => {
    const arms = 'arms:\r\n  - name: careful'
    const estimated = readLaunchFields({ suite: 'small', arms, cost: '2' })
    expect(isSameLaunch({ ...estimated, arms: arms.replace('\r', '') }, estimated)).toBe(true)
    for (const field of LAUNCH_FIELDS)
      expect(isSameLaunch({ ...estimated, [field]: 'other' }, estimated), field).toBe(false)
  })

  it('reads every field', () => {
    const query = {
      subject: 'claude',
      provider: 'openrouter',
      model: 'anthropic/claude-sonnet-4.5',
      tasks: 'lru-cache, glob-matcher\nlru-cache',
      repetitions: '3',
      timeout: '60',
      steps: '50',
      tokens: '100000',
      cost: '0.5',
      temperature: '0.2',
      fault: 'rate-limit@2',
      isolation: 'docker',
      browser: 'cold',
      concurrency: '4',
      cap: '12.5',
      priority: 'high',
      agentVersion: '2.1.330',
      price: '3/15',
      effort: 'high',
      instruction: 'Think.\r\nAct. ',
    }
    expect(parse(query)).toMatchObject({
      request: {
        tasks: ['lru-cache', 'glob-matcher'],
        pins: {
          maxCostMicroUsd: 500_000,
          temperature: 0.2,
          timeoutMs: 60_000,
          price: '3/15',
          effort: 'high',
        },
        agentVersion: '2.1.330',
        instruction: 'Think.\nAct.',
        isolation: 'docker',
        isCold: true,
        concurrency: 4,
        spendCapMicroUsd: 12_500_000,
        priority: 10,
        fault: 'rate-limit@2',
      },
    })
  })

  it.each([
    ['suite', '../etc', 'Choose a suite.'],
    ['suite', '<script>', 'Choose a suite.'],
    ['agentVersion', '--help', 'Enter an exact version'],
    ['price', '3', 'Price must be'],
    ['instruction', 'x'.repeat(4001), 'Custom instruction must be a text of 1 to 4,000'],
    ['subject', '--help', 'Choose an agent or a library.'],
    ['subject', 'a\0b', 'Choose an agent or a library.'],
    ['provider', '-x', 'A provider name contains only'],
    ['model', '--out=/etc/x', 'A model id starts with'],
    ['model', '<img src=x onerror=alert(1)>', 'A model id starts with'],
    ['category', 'a\u202eb', 'Choose a category.'],
    ['tasks', 'lru-cache,../../x', 'Enter task names separated by commas'],
    [
      'tasks',
      Array.from({ length: 1001 }, (_, i) => `t${i}`).join(','),
      'Enter at most 1000 tasks',
    ],
    ['repetitions', '0', 'Repetitions must be a whole number from 1 to 1,000, not “0”.'],
    ['repetitions', '1e3', 'not “1e3”.'],
    ['timeout', '-5', 'Timeout must be a whole number'],
    ['steps', '1.5', 'Steps must be a whole number'],
    ['tokens', '99999999999999999999', 'Tokens must be a whole number'],
    ['cost', '$1', 'Cost must be an amount in US dollars above 0'],
    ['cap', '0', 'Spend cap must be an amount in US dollars above 0'],
    ['cap', 'Infinity', 'Spend cap must be an amount'],
    ['temperature', 'NaN', 'Temperature must be a number'],
    ['isolation', 'none', 'Isolation must be one of auto, local, bubblewrap, docker, not “none”.'],
    ['fault', '--out', 'Fault must be kind@step for an agent'],
    ['fault', 'stall; rm -rf /', 'Fault must be kind@step for an agent'],
    ['browser', 'warm', 'Browser must be reused or cold, not “warm”.'],
    ['concurrency', '65', 'Concurrency must be a whole number from 1 to 64'],
    ['priority', '__proto__', 'Priority must be one of high, normal, low'],
  ])('%s = %j is answered with a sentence beside it', (field, text, words) => {
    expect(parse({ [field]: text })).toMatchObject({
      ok: false,
      problems: [{ path: field, message: expect.stringContaining(words) }],
    })
  })

  it('goes into a query and out again, without what is a default', () => {
    expect(writeLaunchQuery(readLaunchFields({ suite: 'small', repetitions: '1' }))).toBe(
      'suite=small',
    )
    const full = Object.fromEntries(LAUNCH_FIELDS.map((field) => [field, `${field} & more`]))
    const query = new URLSearchParams(writeLaunchQuery(readLaunchFields(full)))
    expect(Object.fromEntries(query)).toEqual(full)
  })

  it('takes the first of a repeated parameter, and refuses a repeated or a huge form field', () => {
    expect(readLaunchFields({ suite: ['one', 'two'] }).suite).toBe('one')
    expect(readLaunchFields({ model: 'x'.repeat(1e6) }).model).toHaveLength(200)
    const sent = launchFieldsSchema.safeParse({ suite: ['one', 'two'], model: 'x'.repeat(201) })
    expect(sent.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
      ['suite', 'Send this field once, as text.'],
      ['model', 'Use at most 200 characters.'],
    ])
  })

  it('offers the controls of a kind of suite', () => {
    expect(listControls('exercise').map(({ name }) => name)).toContain('flaky')
    expect(listControls('browser').map(({ name }) => name)).not.toContain('flaky')
  })
})

const suite = { tasks: samplePlan().tasks.map((task) => ({ ...task, title: task.taskId })) }
const again = (changes: Parameters<typeof samplePlan>[0] = {}) =>
  launchAgain(samplePlan(changes), suite as never)

it('fills the form with what a plan pinned, and leaves open what it left open', () => {
  const plan = samplePlan({})
  const settings = { ...plan.settings, timeoutMs: 90_500, maxSteps: 7, maxCostMicroUsd: 250_000 }
  expect(again({ settings })).toMatchObject({
    suite: plan.suiteId,
    subject: plan.subject.name,
    repetitions: String(plan.repetitions),
    tasks: '',
    timeout: '91',
    steps: '7',
    tokens: '',
    cost: '0.25',
  })
})

it('names the tasks of a plan about some of them, or about a suite that is not here', () => {
  const [first] = samplePlan({}).tasks
  expect(again({ tasks: [first as NonNullable<typeof first>] })?.tasks).toBe(first?.taskId)
  expect(launchAgain(samplePlan({}), null)?.tasks).toContain(first?.taskId)
})

it('has no form for a custom command', () => {
  expect(again({ command: 'true' })).toBeNull()
})
