import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eligibilityOfRun, factsOfRun } from '#lib/testing/cases/facts-of-run.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import {
  lastJson,
  readMeasuredBundle,
  temporarySuite,
} from '#lib/testing/factories/proofboard-command.ts'

const SHARDS = 3
const RUN_ID = 'run_shards0001'
let folder: string
const proofboard = (...args: string[]) => proofboardHere(join(folder, 'data'), args)
const shardPath = (index: number) => join(folder, `shard-${index}`)
const whole = () => join(folder, 'whole')
const merged = () => join(folder, 'merged')
const readResult = (path: string) => readMeasuredBundle(join(path, 'result.json'))
const merge = (out: string, ...args: string[]) =>
  proofboard('merge', ...args, '--out', join(folder, out))

/** One plan of a subject that fails at times, depending on the seed: as shards, and as one run. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-shards-'))
  temporarySuite(join(folder, 'data'), 'small', ['lru-cache', 'glob-matcher'])
  const plan = join(folder, 'plan.json')
  const pins = ['--repetitions', '4', '--seed', '7', '--timeout', '120']
  const run = async (...args: string[]) => {
    const { code, stderr } = await proofboard('run', '--plan', plan, ...args)
    expect(code, stderr).toBe(0)
  }
  await proofboard('plan', '--suite', 'small', '--subject', 'flaky', ...pins, '--out', plan)
  for (let index = 1; index <= SHARDS; index++)
    await run('--run-id', RUN_ID, '--shard', `${index}/${SHARDS}`, '--out', shardPath(index))
  await run('--concurrency', '2', '--out', whole())
  const { code, stderr } = await merge('merged', ...[1, 2, 3].map(shardPath))
  expect(code, stderr).toBe(0)
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('merging shards', () => {
  const all = Array.from({ length: SHARDS }, (_, index) => index + 1)

  it('gives what one run without shards gives: same episodes, outcomes, plan and eligibility', () => {
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
    expect(JSON.stringify(eligibilityOfRun(readResult(join(folder, 'partial'))))).toContain(
      '"code":"complete"',
    )
  })
})
