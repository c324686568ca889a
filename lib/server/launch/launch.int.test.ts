import { randomUUID } from 'node:crypto'
import {
  chmodSync,
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
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { cachingBuilder } from '#lib/db/cached-boards.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { claimJob } from '#lib/db/job-lease.ts'
import type { Actor } from '#lib/domain/accounts/index.ts'
import { parseBundle } from '#lib/domain/record/index.ts'
import { listControls, readLaunchFields } from '#lib/domain/runs/index.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
import { executeJob } from '#lib/worker/execute-job.ts'
import { syncSuite } from '#lib/worker/sync-suites.ts'
import { BoardRefresher } from '#lib/worker/worker-context.ts'
import { listSubjectNames } from '#runner/subjects/find-subject.ts'
import { listWorkflowSubjects } from '#runner/workflow/find-workflow-subject.ts'
import { getLaunch } from './get-launch.ts'
import { freezeForm, launchRequestSchema, launchRun } from './launch-run.ts'
import { addPreset, getPresets, presetSchema, removePreset } from './presets.ts'

vi.mock('#lib/processes/spawn-runner.ts', async () =>
  (await import('#lib/testing/factories/runner-here.ts')).runnerHere(),
)

const dir = mkdtempSync(join(tmpdir(), 'proofboard-launch-test-'))
const TASKS = ['lru-cache', 'glob-matcher', 'rate-limiter']
const actor: Actor = { kind: 'user', id: 'u1', name: 'ada@example.org', role: 'admin' }
const by = { actor, requestId: 'req-1' }
const fields = (query: Record<string, string> = {}) =>
  readLaunchFields({ suite: 'small', ...query })

const bin = join(dir, 'bin')
const temporary = join(dir, 'tmp')
beforeAll(async () => {
  // An agent that prints its version and is never started.
  mkdirSync(bin)
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.330 (Claude Code)"\n', { mode: 0o755 })
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
  vi.stubEnv('TMPDIR', temporary) // other tests freeze at the same time
  mkdirSync(temporary)
  for (const folder of [dir, temporary]) chmodSync(folder, 0o777) // at `local` another user enters
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  temporarySuite(dir, 'small', TASKS)
  await migrateDatabase()
  await syncSuite(database(), 'small', new AbortController().signal)
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})
beforeEach(async () => {
  await database().job.deleteMany()
  await database().auditEntry.deleteMany()
})

async function freeze(query: Record<string, string> = {}) {
  const result = await freezeForm(fields(query))
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.frozen
}
const jobs = () => database().job.findMany()
const audit = () => database().auditEntry.findMany({ orderBy: { at: 'asc' } })

describe('the launch page', () => {
  it('shows the available subjects, the missing ones with the reason, and the estimate', async () => {
    const view = await getLaunch(fields({ repetitions: '4' }), new Date())
    expect(view.problems).toEqual([])
    expect(view.explanation).toMatchObject({ episodes: 12, tasks: 3, repetitions: 4 })
    expect(view.explanation?.gate.aggregate.length).toBeGreaterThan(0)
    const names = view.choices.subjects.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['reference', 'claude', 'codex']))
    const amp = view.choices.subjects.find(({ name }) => name === 'amp')
    expect(amp).toMatchObject({
      unmetered: expect.stringContaining('gateway'),
      missing: expect.stringContaining('not installed'),
    })
  })

  it('knows the controls that the runner has', () => {
    for (const [kind, known] of [
      ['exercise', listSubjectNames()],
      ['browser', listWorkflowSubjects()],
    ] as const)
      expect(known).toEqual(expect.arrayContaining(listControls(kind).map(({ name }) => name)))
  })

  it('reports an invalid value next to its field and shows no estimate', async () => {
    const hostile = { subject: '<b>x</b>', repetitions: '9'.repeat(300), cap: '\0' }
    const view = await getLaunch(fields(hostile), new Date())
    expect(view.explanation).toBeNull()
    expect(view.problems.map(({ path }) => path)).toEqual(['subject', 'repetitions', 'cap'])
    const unknown = await getLaunch(fields({ suite: 'smal' }), new Date())
    expect(unknown.problems).toEqual([
      { path: 'suite', message: expect.stringContaining('did you mean small') },
    ])
  })
})

describe('freeze and check', () => {
  it('shows the digest, the first episodes and the line that does the same, and starts nothing', async () => {
    const frozen = await freeze({ tasks: 'lru-cache,glob-matcher', repetitions: '2', cost: '' })
    expect(frozen).toMatchObject({
      planDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      subjectLabel: 'reference 1.0.0',
      episodes: 4,
      tasks: 2,
      first: ['glob-matcher r1', 'lru-cache r1', 'glob-matcher r2', 'lru-cache r2'],
      command: [
        'npx proofboard run --suite small --subject reference --tasks glob-matcher,lru-cache --repetitions 2',
      ],
    })
    expect([await jobs(), await audit()]).toEqual([[], []])
    const again = await freeze({ tasks: 'glob-matcher lru-cache', repetitions: '2' })
    expect(again.planDigest).toBe(frozen.planDigest)
    expect(again.key).not.toBe(frozen.key)
    expect((await freeze({ repetitions: '2' })).planDigest).not.toBe(frozen.planDigest)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('freezes the arms that the form lists, and reads no file of this server for them', async () => {
    const ask = (arms: string) =>
      fields({ subject: 'claude', model: 'scripted', tasks: 'lru-cache', arms })
    const careful = 'arms:\r\n  - { name: careful, promptPrefix: Read every test first. }'
    const view = await getLaunch(ask(careful), new Date())
    expect([view.problems, view.explanation?.episodes]).toEqual([[], 2])
    const frozen = await freezeForm(ask(careful))
    expect(frozen).toMatchObject({
      ok: true,
      frozen: { episodes: 2, arms: ['baseline', 'careful'] },
    })
    for (const [arms, message] of [
      ['arms: [{ name: x, files: / }]', /no other file is read/],
      ['arms: [{ name: x, files: { a: /etc/passwd } }]', /no other file is read/],
      ['arms: [{ nam: x }]', /^arms\.yaml line 1: .*nam/],
      ['arms: [{ name: x, files: { ../a: { text: t } } }]', /does not stay inside/],
    ] as const)
      expect(await freezeForm(ask(arms))).toEqual({
        ok: false,
        problems: [{ path: 'arms', message: expect.stringMatching(message) }],
      })
    const control = await freezeForm(fields({ arms: 'arms: []' }))
    expect(control).toMatchObject({ ok: false, problems: [{ path: 'arms' }] })
  })

  it('shows what the runner refuses next to the field', async () => {
    const refused = await freezeForm(fields({ subject: 'cheater', category: 'x' }))
    expect(refused).toMatchObject({ ok: false, problems: [{ path: 'category' }] })
    expect(await freezeForm(fields({ subject: 'nobody' }))).toMatchObject({
      ok: false,
      problems: [{ path: 'subject', message: expect.stringContaining('nobody') }],
    })
    const message = expect.stringContaining('--max-steps, --max-cost cannot be enforced')
    expect(await freezeForm(fields({ steps: '5', cost: '1' }))).toEqual({
      ok: false,
      problems: [
        { path: 'steps', message },
        { path: 'cost', message },
      ],
    })
  })
})

describe('launch', () => {
  it('queues the reviewed plan once, however often it is submitted', launchThrice)

  async function launchThrice(): Promise<string> {
    const query = { tasks: 'lru-cache', repetitions: '2', concurrency: '2', priority: 'high' }
    const { planDigest, key } = await freeze(query)
    const request = { fields: fields(query), planDigest, key }
    const answers = await Promise.all([launchRun(request, by), launchRun(request, by)])
    answers.push(await launchRun(request, by))
    expect(new Set(answers.map((result) => JSON.stringify(result)))).toEqual(
      new Set([JSON.stringify({ ok: true, jobId: `job_${key}` })]),
    )
    const [job, ...others] = await jobs()
    expect(others).toEqual([])
    const queued = { status: 'queued', planDigest, priority: 10, concurrency: 2 }
    expect(job).toMatchObject({ ...queued, id: `job_${key}`, requestedBy: 'ada@example.org' })
    const audited = await audit()
    expect(audited.map(({ action, target, actorId }) => [action, target, actorId])).toEqual([
      ['run.launch', `job_${key}`, 'u1'],
    ])
    expect(JSON.parse(audited[0]!.detail)).toMatchObject({ planDigest, episodes: 2 })
    return planDigest
  }

  it('runs that plan', { tags: 'night' }, async () => {
    const planDigest = await launchThrice()
    const db = database()
    const newRunId = 'run_launched0'
    const claimed = await claimJob(db, { owner: 'w', leaseMs: 60_000, newRunId })
    const boards = new BoardRefresher(db, cachingBuilder(db))
    const signal = new AbortController().signal
    const ending = await executeJob(claimed!, { db, workerId: 'w', signal, boards })
    await boards.settle()
    expect(ending).toMatchObject({ status: 'done' })
    const out = join(dir, 'runs', newRunId)
    expect(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8')).planDigest).toBe(planDigest)
    const bundle = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
    if (!bundle.ok) throw new Error('no bundle')
    expect(
      bundle.value.episodes.map((one) => [one.planDigest, one.repetition, one.outcome.status]),
    ).toEqual([1, 2].map((repetition) => [planDigest, repetition, 'solved']))
    expect(await db.episode.count({ where: { runId: newRunId } })).toBe(2)
  })

  it('starts nothing if the plan has changed since it was reviewed', async () => {
    const { planDigest, key } = await freeze({ tasks: 'lru-cache' })
    const other = { fields: fields({ tasks: 'glob-matcher' }), planDigest, key }
    expect(await launchRun(other, by)).toMatchObject({
      ok: false,
      problems: [{ path: '(root)', message: expect.stringContaining('Nothing was started') }],
    })
    const about = join(dir, 'suites', 'small', 'lru-cache', '.docs', 'instructions.md')
    const text = readFileSync(about, 'utf8')
    writeFileSync(about, `${text}\nOne more line.\n`)
    try {
      const again = await launchRun({ ...other, fields: fields({ tasks: 'lru-cache' }) }, by)
      expect(again).toMatchObject({ ok: false, problems: [{ path: '(root)' }] })
    } finally {
      writeFileSync(about, text)
    }
    const left = [await jobs(), await audit(), existsSync(join(dir, 'plan.json'))]
    expect(left).toEqual([[], [], false])
  })

  it('refuses another plan under a key that was used', async () => {
    const first = await freeze({ tasks: 'lru-cache' })
    const second = await freeze({ tasks: 'glob-matcher' })
    const ask = (tasks: string, planDigest: string) =>
      launchRun({ fields: fields({ tasks }), planDigest, key: first.key }, by)
    expect(await ask('lru-cache', first.planDigest)).toMatchObject({ ok: true })
    await expect(ask('glob-matcher', second.planDigest)).rejects.toMatchObject({ code: 'conflict' })
    expect(await jobs()).toHaveLength(1)
  })

  it.each<[string, Record<string, unknown>]>([
    ['no key', { planDigest: `sha256:${'0'.repeat(64)}` }],
    ['a made-up key', { planDigest: `sha256:${'0'.repeat(64)}`, key: '../x' }],
    ['a digest twice', { planDigest: ['a', 'b'], key: randomUUID() }],
    ['a digest that is none', { planDigest: '<script>', key: randomUUID() }],
  ])('%s: the message says what to do', (_, sent) => {
    const parsed = launchRequestSchema.safeParse({ suite: 'small', ...sent })
    const messages = parsed.error?.issues.map(({ message }) => message)
    expect(messages).toEqual(['Review the plan again before you launch.'])
  })
})

describe('presets', () => {
  it('saves a form under a name, replaces it and deletes it, with entries in the audit log', async () => {
    const name = 'Nightly <b>“ü”</b>'
    expect(await addPreset({ name, fields: fields({ repetitions: '3' }) }, by)).toEqual({
      isNew: true,
    })
    expect(await addPreset({ name, fields: fields({ repetitions: '5' }) }, by)).toEqual({
      isNew: false,
    })
    const [preset, ...others] = await getPresets()
    expect(others).toEqual([])
    expect(preset).toMatchObject({
      name,
      query: 'suite=small&repetitions=5',
      createdBy: 'ada@example.org',
    })
    expect(await removePreset(preset!.presetId, by)).toEqual({ name })
    await expect(removePreset(preset!.presetId, by)).rejects.toMatchObject({ code: 'not-found' })
    expect(await getPresets()).toEqual([])
    const actions = (await audit()).map(({ action }) => action)
    expect(actions).toEqual(['preset.save', 'preset.save', 'preset.delete'])
  })

  it('opens a preset of another version, or an invalid one, as far as possible', async () => {
    const row = { createdBy: 'x', createdAt: new Date(), updatedAt: new Date() }
    const data = [
      { id: 'preset_a', name: 'a', fields: '{"suite":"small","gone":"x"}', ...row },
      { id: 'preset_b', name: 'b', fields: '[1]', ...row },
    ]
    await database().preset.createMany({ data })
    expect((await getPresets()).map(({ query }) => query)).toEqual(['suite=small', ''])
  })

  it.each(['', '   ', 'a\0b', 'a\u202eb', 'x'.repeat(61), undefined, ['a', 'b']])(
    'refuses the name %j',
    (presetName) => {
      const parsed = presetSchema.safeParse({ suite: 'small', presetName })
      expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual(['presetName'])
    },
  )
})
