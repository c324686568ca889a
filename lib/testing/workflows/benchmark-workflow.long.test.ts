import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boardSchema } from '#lib/domain/board/index.ts'
import { eligibilityOfRun, factsOfRun } from '#lib/testing/cases/facts-of-run.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { readMeasuredBundle, temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
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

const readResult = (path: string) => readMeasuredBundle(join(path, 'result.json'))

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
    expect(summary).toContain('**unranked (control)**, if uploaded as oidc.')
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
    expect(factsOfRun(parts)).toEqual(factsOfRun(one))
    expect(new Set(parts.episodes.map(({ outcome }) => outcome.status)).size).toBeGreaterThan(1)
    expect(eligibilityOfRun(parts)).toEqual(eligibilityOfRun(one))
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
