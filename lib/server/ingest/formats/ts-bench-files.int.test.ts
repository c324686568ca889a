import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { packZip, zipFiles } from '#lib/testing/corpora/pack-zip.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { tsBenchRun } from '#lib/testing/corpora/ts-bench-samples.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'

const temporary = databaseForEach()

const send = (value: unknown) => submitBody(temporary, JSON.stringify(value))
type Run = ReturnType<typeof tsBenchRun>

/** Fields that versions of ts-bench wrote beside the results. */
const metadataArb = fc.record(
  {
    version: fc.constantFrom('0.4.1', 'unknown'),
    exerciseCount: fc.constant(3),
    benchmarkVersion: fc.constant('1.1.0'),
    generatedBy: fc.constantFrom('ts-bench', 'ai-coding-benchmark'),
    runUrl: fc.constant('https://ci.example/runs/1'),
    runId: fc.constant('1'),
    artifactName: fc.constant('result'),
  },
  { requiredKeys: ['benchmarkVersion'] },
)
const resultArb = fc.record(
  {
    exercise: fc.constantFrom('acronym', 'anagram', 'bowling', '14958', '15815_1'),
    agentSuccess: fc.boolean(),
    testSuccess: fc.boolean(),
    agentDuration: fc.nat(900_000),
    testDuration: fc.nat(90_000),
    totalDuration: fc.nat(990_000),
    testError: fc.string(),
    agentError: fc.string(),
  },
  { requiredKeys: ['exercise', 'agentSuccess', 'testSuccess'] },
)
const soundArb = fc.record({
  more: metadataArb,
  results: fc.array(resultArb, { minLength: 1, maxLength: 4 }),
})

/** Runs of one file. Each run's index determines its model, so that no two are the same. */
const fileArb = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: soundArb },
    {
      weight: 1,
      arbitrary: fc.constantFrom('empty', 'summary', 'flags', 'time', 'future', 'name', 'nothing'),
    },
  ),
  { minLength: 2, maxLength: 6 },
)

const FLAWS: Record<string, (run: Run) => unknown> = {
  empty: (run) => ({ ...run, results: [] }),
  summary: (run) => ({ ...run, summary: { ...run.summary, successCount: 2 } }),
  flags: (run) => ({
    ...run,
    summary: undefined,
    results: [{ ...run.results[1], overallSuccess: true }],
  }),
  time: (run) => ({ ...run, metadata: { ...run.metadata, timestamp: 'yesterday' } }),
  future: (run) => ({ ...run, metadata: { ...run.metadata, timestamp: '2999-01-01T00:00:00Z' } }),
  name: (run) => ({ ...run, metadata: { ...run.metadata, model: 'model\u202E' } }),
  nothing: () => null,
}

type Part = typeof fileArb extends fc.Arbitrary<(infer P)[]> ? P : never

function toRun(part: Part, index: number): { key: string; run: unknown; sound: number } {
  const base = tsBenchRun()
  const metadata = { ...base.metadata, model: `model-${index}` }
  const key = `opencode-model-${index}`
  if (typeof part === 'string') return { key, run: FLAWS[part]?.({ ...base, metadata }), sound: 0 }
  const results = part.results.map((one) => {
    return { ...one, overallSuccess: one.agentSuccess && one.testSuccess }
  })
  const { agent, model, provider, timestamp } = metadata
  const record = { agent, model, provider, timestamp, ...part.more }
  return { key, run: { metadata: record, results }, sound: results.length }
}

/** Converts saved runs as ts-bench's generator does for its page. */
function toLatest(runs: readonly { key: string; run: unknown }[]) {
  const detailedResults = runs.map(({ key, run }) => {
    const { metadata, results } = run as Run
    const { agent: agentName, model, provider, timestamp } = metadata
    const about = { agentName, model, provider, timestamp, totalExercises: results.length }
    return [key, { metadata: about, summary: {}, exerciseResults: results }] as const
  })
  const leaderboard = runs.map(({ run }) => {
    const { model } = (run as Run).metadata
    return { id: 1, agent: 'OpenCode', version: 'unknown', model, provider: 'OpenAI' }
  })
  const metadata = { timestamp: '2026-04-05T10:15:15.526Z', benchmarkVersion: '9.9.9' }
  return { metadata, leaderboard, detailedResults: Object.fromEntries(detailedResults) }
}

it('what is sound is taken, the rest is named; the same runs in any other file are known', async () => {
  let day = 0
  const property = fc.asyncProperty(fileArb, fc.boolean(), async (parts, isLatestFirst) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + day++ * 86_400_000).toISOString()
    const runs = parts.map((part, index) => toRun(part, index))
    for (const { run } of runs) {
      const metadata = (run as Run | null)?.metadata
      if (metadata?.timestamp.startsWith('2026')) metadata.timestamp = timestamp
    }
    const sound = runs.filter((one) => one.sound > 0)
    const board = { lastUpdated: timestamp, results: toObject(runs) }
    if (sound.length === 0) return void (await expect(send(board)).rejects.toThrow(AppError))
    const episodes = sound.reduce((sum, one) => sum + one.sound, 0)
    const files = isLatestFirst ? [toLatest(sound), board] : [board, toLatest(sound)]
    const [first, second] = [await send(files[0]), await send(files[1])]
    expect([first.status, first.preview.counts.new]).toEqual(['committed', episodes])
    expect([second.status, second.preview.counts.duplicate]).toEqual(['duplicate', episodes])
    const left = [first, second].flatMap(({ preview }) => preview.leftOut.runs)
    const unsound = runs.filter((one) => one.sound === 0).map(({ key }) => key)
    expect(left.map(({ path }) => path).sort()).toEqual(unsound.sort())
    expect(left.every(({ reason }) => reason.length > 10)).toBe(true)
    for (const { run } of sound) expect((await send(run)).status).toBe('duplicate')
  })
  await fc.assert(property, { numRuns: 6, endOnFailure: true })
})

function toObject(runs: readonly { key: string; run: unknown }[]) {
  return Object.fromEntries(runs.map(({ key, run }) => [key, run]))
}

it('the files of one folder in one archive are one record of each run', async () => {
  const run = tsBenchRun()
  const other = { ...run, metadata: { ...run.metadata, model: 'model-2' } }
  const texts = {
    'data/latest-results.json': toLatest([{ key: 'opencode-model-1', run }]),
    'data/leaderboard.json': { lastUpdated: '2026-03-02', results: { a: run, b: other } },
    'data/results/a.json': { ...run, tier: { tier: 'A' } },
  }
  const packed = Object.entries(texts).map(([path, value]) => [path, JSON.stringify(value)])
  const { status, preview } = await submitBody(
    temporary,
    packZip(zipFiles(Object.fromEntries(packed))),
  )
  expect([status, preview.counts.new, preview.counts.rejected]).toEqual(['committed', 6, 0])
  expect(preview.runs[0]?.notes.at(-1)).toContain('latest-results.json')
  const edited = { ...run, results: [{ ...run.results[0], totalDuration: 5 }] }
  const both = `${JSON.stringify(other)}\n${JSON.stringify({ ...other, ...edited, summary: null, metadata: other.metadata })}`
  const refused = await submitBody(temporary, both)
  expect([refused.status, refused.preview.counts.rejected]).toEqual(['refused', 1])
  expect(refused.preview.items[0]?.message).toContain('totalDuration is 5 here and 2001 there')
})

it('a record with more results of a stored run adds none, and says so', async () => {
  const run = tsBenchRun()
  await send({ ...run, summary: null, results: run.results.slice(0, 2) })
  const { status, preview } = await send(run)
  expect([status, preview.counts.duplicate, preview.leftOut.count]).toEqual(['duplicate', 2, 1])
  expect(preview.leftOut.runs[0]?.reason).toContain('1 more result of run_')
  const { status: part, preview: less } = await send({
    ...run,
    summary: null,
    results: run.results.slice(1, 2),
  })
  expect([part, less.counts.duplicate, less.counts.conflict]).toEqual(['duplicate', 1, 0])
})

const HOSTILE: readonly unknown[] = [
  ...[null, -1, 1e308, '', '\uD800', '__proto__', 'x'.repeat(3000), [], {}, true, [[[]]]],
  { metadata: { agent: 'a' } },
]

it('a hostile value anywhere is refused or left out in words, and never anything else', async () => {
  const board = () => ({ lastUpdated: 'x', results: { good: tsBenchRun(), bad: evil() } })
  const evil = () => {
    const run = tsBenchRun()
    return { ...run, metadata: { ...run.metadata, model: 'evil' } }
  }
  const files = [evil, board, () => toLatest([{ key: 'evil', run: evil() }])]
  const property = fc.asyncProperty(
    fc.constantFrom(...files),
    fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
    fc.constantFrom(...HOSTILE),
    async (make, way, value) => {
      const file: unknown = make()
      replaceAt(file, way, value)
      try {
        const { status, preview } = await send(file)
        expect(['committed', 'duplicate', 'refused']).toContain(status)
        expect(preview.leftOut.count).toBe(preview.leftOut.runs.length)
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
      }
    },
  )
  await fc.assert(property, { numRuns: 25 })
})

/** Replaces the value at the end of a path. */
function replaceAt(root: unknown, way: readonly number[], value: unknown): void {
  let at = root
  for (const [step, number] of way.entries()) {
    if (typeof at !== 'object' || at === null) return
    const holder = at as Record<string, unknown>
    const keys = Object.keys(holder)
    const key = keys[number % Math.max(1, keys.length)]
    if (key === undefined) return
    const next = holder[key]
    if (step === way.length - 1 || typeof next !== 'object' || next === null) {
      holder[key] = value
      return
    }
    at = next
  }
}
