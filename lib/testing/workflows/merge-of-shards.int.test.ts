import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boardSchema, judgeResults } from '#lib/domain/board/index.ts'
import type { Bundle } from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import {
  lastJson,
  readMeasuredBundle,
  temporarySuite,
} from '#lib/testing/factories/proofboard-command.ts'
import { type PlayedJob, playWorkflow } from './play-workflow.ts'
import { readCiWorkflow } from './read-workflows.ts'

const SHARDS = 3
const TASKS = ['lru-cache', 'glob-matcher']
const REPETITIONS = 4
let folder: string
let jobs: Record<string, PlayedJob>
const proofboard = (...args: string[]) => proofboardHere(join(folder, 'data'), args)

/** The whole of benchmark.yml but its hand-in, on a subject that is sometimes wrong, by chance of the seed. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-workflow-'))
  temporarySuite(join(folder, 'data'), 'small', TASKS)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    PROOFBOARD_DATA_DIR: join(folder, 'data'),
  }
  const inputs = {
    subject: 'flaky',
    suite: 'small',
    repetitions: String(REPETITIONS),
    shards: String(SHARDS),
    pins: 'seed=7,timeout=120',
    'submit-to': '',
  }
  jobs = await playWorkflow(readCiWorkflow('benchmark'), {
    folder: join(folder, 'play'),
    inputs,
    env,
  })
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const whole = () => join(folder, 'whole')
/** Artifacts carry the run's id, because one workflow may hold several benchmarks. */
const artifact = (name: string, end = '') =>
  join(folder, 'play', 'artifacts', `${name}-${jobs.plan?.outputs['run-id']}${end}`)
const merged = () => artifact('results')
const shardPath = (index: number) => artifact('shard', `-${index}`)

const readResult = (path: string) => readMeasuredBundle(join(path, 'result.json'))

/** What a run says, without its name, when it was, how long it took and on which machine. */
function told({ plan, shard, episodes }: Bundle) {
  const facts = episodes.map(({ taskId, taskDigest, repetition, attempt, ...episode }) => ({
    slot: { taskId, taskDigest, repetition, attempt },
    outcome: episode.outcome,
    subject: episode.subject,
    mode: episode.mode,
    verdict: episode.contract?.verdict,
    planDigest: episode.planDigest,
  }))
  return { plan, shard, facts }
}

const everything = () =>
  Object.entries(jobs).map(([name, { result, runs }]) => [
    name,
    result,
    ...runs.flat().map(({ name: step, code, said }) => ({ step, code, said })),
  ])

describe('benchmark.yml, played on this machine', { timeout: 180_000 }, () => {
  it('goes green from plan to merge, and uploads nothing without an address', () => {
    const results = Object.entries(jobs).map(([name, { result }]) => [name, result])
    expect(Object.fromEntries(results), JSON.stringify(everything(), null, 1)).toEqual({
      plan: 'success',
      register: 'skipped',
      shard: 'success',
      merge: 'success',
      submit: 'skipped',
    })
    expect(jobs.shard?.runs).toHaveLength(SHARDS)
    expect(jobs.plan?.outputs).toMatchObject({ count: String(SHARDS), kind: 'exercise' })
  })

  it("writes the gate's answer into the summary of the job", () => {
    const summary =
      jobs.merge?.runs
        .flat()
        .map((step) => step.summary)
        .join('') ?? ''
    expect(summary).toContain('**Unranked** (scaffold), if uploaded as oidc.')
    expect(summary).toContain('8 planned, 8 finished, 8 scored')
  })

  it('starts no browser for exercises and gives no step a key that was not set', () => {
    const chromium = jobs.shard?.runs.flat().filter(({ name }) => name === 'Chromium')
    expect(chromium?.map(({ outcome }) => outcome)).toEqual(Array(SHARDS).fill('skipped'))
  })

  it('gives what one run without shards gives: same episodes, outcomes, plan and gate', async () => {
    const plan = join(artifact('plan'), 'plan.json')
    const run = await proofboard('run', '--plan', plan, '--concurrency', '2', '--out', whole())
    expect(run.code, run.stderr).toBe(0)
    const [one, parts] = [readResult(whole()), readResult(merged())]
    expect(told(parts)).toEqual(told(one))
    expect(new Set(parts.episodes.map(({ outcome }) => outcome.status)).size).toBeGreaterThan(1)
    expect(gateOf(parts)).toEqual(gateOf(one))
    const [episode] = parts.episodes
    for (const { path } of episode?.evidence ?? [])
      expect(existsSync(join(merged(), 'episodes', episode?.taskId ?? '', 'r1-a1', path))).toBe(
        true,
      )
  })
})

describe('leaderboard.yml without a server', { timeout: 120_000 }, () => {
  it('makes board, table and site of the results, and keeps them for the next night', async () => {
    const { publish, pages } = readCiWorkflow('leaderboard').jobs
    const place = join(folder, 'publish')
    mkdirSync(join(place, 'artifacts'), { recursive: true })
    cpSync(merged(), join(place, 'artifacts', 'results-1'), { recursive: true })
    const played = await playWorkflow(
      {
        ...readCiWorkflow('leaderboard'),
        // What it needs was played above.
        jobs: { publish: { ...publish!, needs: [], if: 'success()' }, pages: pages! },
      },
      {
        folder: place,
        env: {
          PATH: process.env.PATH ?? '',
          HOME: folder,
          PROOFBOARD_DATA_DIR: join(folder, 'data'),
        },
      },
    )
    const said = JSON.stringify(played, null, 1)
    expect([played.publish?.result, played.pages?.result], said).toEqual(['success', 'success'])
    const site = join(place, 'artifacts', 'github-pages')
    const board = boardSchema.parse(JSON.parse(readFileSync(join(site, 'small.json'), 'utf8')))
    expect(board.rows).toMatchObject([{ provenance: 'oidc', subject: { name: 'flaky' } }])
    const readme = readFileSync(join(place, 'publish-1', 'README.md'), 'utf8')
    expect(readme).toContain('| – | flaky')
    expect(readme).toContain(readFileSync(join(site, 'leaderboard.md'), 'utf8').trim())
    const kept = join(place, 'publish-1', 'results', `${jobs.plan?.outputs['run-id']}.json`)
    expect(readMeasuredBundle(kept).episodes).toHaveLength(TASKS.length * REPETITIONS)
  })
})

/** Row, label, reasons and rate with its interval; of all runs as if from one state of this working copy. */
function gateOf({ plan, runId, shard, episodes }: Bundle): unknown {
  const same = episodes.map((episode) => ({
    ...episode,
    environment: {
      ...episode.environment,
      harness: { ...episode.environment.harness, commit: null, dirty: false },
    },
  }))
  const result = { plan, runId, shard, episodes: same }
  return judgeResults([result], { provenance: 'oidc', findSuite: () => null })
}

describe('merging shards', { timeout: 180_000 }, () => {
  const merge = (out: string, ...args: string[]) =>
    proofboard('merge', ...args, '--out', join(folder, out))
  const all = Array.from({ length: SHARDS }, (_, index) => index + 1)

  it('does not depend on the order in which they are given', async () => {
    const orders = { backward: all.toReversed(), odd: [3, 1, 2] }
    const bytes = readFileSync(join(merged(), 'result.json'))
    for (const [name, order] of Object.entries(orders)) {
      expect((await merge(name, ...order.map(shardPath))).code).toBe(0)
      expect(readFileSync(join(folder, name, 'result.json')).equals(bytes), name).toBe(true)
    }
  })

  it('refuses a missing one, one twice, one of another run and none at all, and leaves nothing', async () => {
    const rest = all.slice(1).map(shardPath)
    for (const [name, parts, sentence] of [
      ['missing', rest, /of 3 shards 1 is missing/],
      ['twice', [...rest, shardPath(1), shardPath(3)], /shard 3\/3 was given twice/],
      ['foreign', [...rest, whole()], /is another run \(run_\w+\): give all shards one --run-id/],
      ['nowhere', [join(folder, 'nowhere')], /does not exist: enter the folders of the shards/],
    ] as const) {
      const { code, stderr } = await merge(name, ...parts)
      expect([code, stderr.trim()]).toEqual([2, expect.stringMatching(sentence)])
      expect(existsSync(join(folder, name)), name).toBe(false)
    }
  })

  it('refuses a folder that is in use', async () => {
    const used = await proofboard('merge', ...all.map(shardPath), '--out', folder)
    expect([used.code, used.stderr]).toEqual([2, expect.stringContaining('already exists')])
  })

  it('merges incomplete shards on request, and says that the result is incomplete', async () => {
    const some = join(folder, 'some')
    mkdirSync(some)
    for (const index of [2])
      cpSync(shardPath(index), join(some, `shard-${index}`), { recursive: true })
    const partial = await merge('partial', some, '--partial', '--json')
    expect(partial.code).toBe(1)
    expect(lastJson(partial.stdout)).toMatchObject({ sealed: 3, missing: [1, 3] })
    expect(JSON.stringify(gateOf(readResult(join(folder, 'partial'))))).toContain(
      '"code":"complete"',
    )
  })
})
