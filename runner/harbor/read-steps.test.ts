import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { stepsOf } from './harbor-folder.ts'
import { STEP_FILES, writeHarborTask } from './harbor-task.fixture.ts'
import { readHarborTask } from './read-harbor-task.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const write = (more: Record<string, string | null> = {}) =>
  writeHarborTask(mkdtempSync(join(root, 'task-')), { ...STEP_FILES, ...more })
const read = (more: Record<string, string | null> = {}) => readHarborTask(write(more))

describe('the steps of a task', () => {
  it('are read in order, with what they do not say taken from the task', () => {
    const loaded = read()
    expect(loaded.task).toMatchObject({
      stepReward: 'mean',
      healthcheck: { command: 'test -f /app/word.txt', retries: 3, intervalMs: 5000 },
      steps: [
        {
          name: 'first',
          instruction: STEP_FILES['steps/first/instruction.md']?.trim(),
          agent: { timeoutMs: 30_000, user: null, network: 'off' },
          verifier: { timeoutMs: 20_000, env: { WANTED: 'hello' } },
          minRewards: { reward: 1 },
        },
        {
          name: 'second',
          agent: { timeoutMs: 40_000, user: 'me', network: 'off' },
          verifier: { timeoutMs: 25_000, env: { WANTED: 'olleh', KEY: '$' + '{TASK_KEY}' } },
          healthcheck: { command: 'test -f /app/from-setup', retries: 1 },
          minRewards: {},
        },
      ],
    })
    expect(loaded.task.instruction).toMatch(/^# Step 1 of 2: first[\s\S]*# Step 2 of 2: second/)
    const plain = read({ 'environment/Dockerfile': 'FROM debian:12\nCOPY word.txt /app/\n' })
    expect(plain.task.place).toMatchObject({ kind: 'image', why: 'it has steps' })
    const [first, second] = stepsOf(loaded)
    expect(first?.task.instruction).toBe(STEP_FILES['steps/first/instruction.md']?.trim())
    expect(first?.tests.map(({ path }) => path)).toEqual(['helper.sh', 'test.sh'])
    expect(second?.tests.find(({ path }) => path === 'helper.sh')?.bytes?.toString()).toBe(
      STEP_FILES['steps/second/tests/helper.sh'],
    )
    expect([first?.testsFolder, second?.testsFolder]).toEqual(['tests', 'steps/second/tests'])
    expect(loaded.solution?.map(({ path }) => path)).toEqual([
      'steps/first/solve.sh',
      'steps/second/solve.sh',
    ])
    expect(loaded.task.notes).toEqual([
      'HOME and temporary files are new in each of its steps',
      'it asks for variables of the machine that runs it: TASK_KEY (--env)',
    ])
  })

  it('take the solution of the task where they have none, and are not solvable without one', () => {
    const shared = read({ 'steps/first/solution/solve.sh': null, 'solution/solve.sh': 'true' })
    expect(stepsOf(shared)[0]?.solution?.[0]?.bytes?.toString()).toBe('true')
    expect(
      read({ 'steps/first/solution/solve.sh': null, 'solution/solve.sh': null }).solution,
    ).toBeNull()
  })

  it('are covered by the digest of the task, and their solutions by its inputs', () => {
    const { task, inputs } = read()
    const toml = STEP_FILES['task.toml'] ?? ''
    for (const more of [
      { 'steps/first/instruction.md': 'other' },
      { 'steps/second/tests/helper.sh': 'other' },
      { 'steps/second/workdir/more.txt': 'other' },
      { 'task.toml': `multi_step_reward_strategy = "final"\n${toml}` },
      { 'task.toml': toml.replace('min_reward = 1.0', 'min_reward = 0.5') },
      { 'task.toml': toml.replace('test -f /app/word.txt', 'true') },
      { 'task.toml': toml.replace('test -f /app/from-setup', 'true') },
      { 'task.toml': toml.replace('"olleh"', '"other"') },
      { 'task.toml': toml.replace('"me"', '"root"') },
    ])
      expect(read(more as Record<string, string>).task.digest, JSON.stringify(more)).not.toBe(
        task.digest,
      )
    const solved = read({ 'steps/second/solution/solve.sh': 'other' })
    expect(solved.task.digest).toBe(task.digest)
    expect(solved.inputs).not.toBe(inputs)
  })

  const stepsToml = (text: string) => ({ 'task.toml': `steps = [${text}]` })

  it.each([
    [stepsToml('{ name = "absent" }'), 'greet/steps/absent: is missing'],
    [stepsToml('{ name = "../tests" }'), 'steps.0.name: must be the name of a folder'],
    [
      stepsToml('{ name = "first" }, { name = "First" }'),
      'steps.1.name: is the name of another step',
    ],
    [stepsToml('{ name = "first", min_reward = "1" }'), 'task.toml: steps.0.min_reward: '],
    [
      stepsToml('{ name = "first", agent = { network_mode = "public", allowed_hosts = ["a"] } }'),
      'steps.0.agent.allowed_hosts: is for network_mode',
    ],
    [
      stepsToml('{ name = "first", healthcheck = { command = "" } }'),
      'steps.0.healthcheck.command: ',
    ],
    [{ 'steps/second/instruction.md': null }, 'steps/second/instruction.md: is missing'],
    [{ 'steps/first/instruction.md': ' ' }, 'steps/first/instruction.md: is empty'],
    [{ 'tests/test.sh': null }, 'steps/first/tests/test.sh: is missing'],
    [
      {
        'steps/first/instruction.md': 'x'.repeat(150_000),
        'steps/second/instruction.md': 'y'.repeat(150_000),
      },
      'greet/steps: have instructions of 300,',
    ],
  ])('says in one sentence what is wrong, case %#', (more, sentence) => {
    expect(() => read(more as Record<string, string | null>)).toThrow(sentence)
  })

  it('are not read through a link', () => {
    const folder = write()
    rmSync(join(folder, 'steps', 'second'), { recursive: true })
    symlinkSync('first', join(folder, 'steps', 'second'))
    expect(() => readHarborTask(folder)).toThrow('greet/steps/second: is not a folder')
  })

  it.each([
    [
      '{ name = "first", verifier = { collect = [{ command = "x", service = "db" }] } }',
      'task.toml collects from db',
    ],
    [
      '{ name = "first", artifacts = ["relative"], verifier = { environment_mode = "separate" } }',
      'artifacts that are not plain absolute paths',
    ],
  ])('are not run with %s', (text, why) => {
    expect(read(stepsToml(text)).refusal).toContain(why)
  })
})
