import { describe, expect, it } from 'vitest'
import { ctrfRules, eeeInstanceRules, eeeRules } from '#lib/testing/cases/export-rules.ts'
import { inspectRules } from '#lib/testing/cases/inspect-rules.ts'
import { HOSTILE, sampleBundle } from '#lib/testing/factories/sample-bundle.ts'
import { digestBytes } from '../digest/index.ts'
import { compareEpisodes, parseAnyBundle } from '../record/index.ts'
import { seededGenerator } from '../statistics/index.ts'
import type { TranscriptStep } from '../transcript/index.ts'
import { type Exported, exportBundle } from './exported.ts'
import { inspectHeaderSchema } from './parse-inspect.ts'
import {
  inspectSampleSchema,
  judgeInspectSample,
  openInspectSample,
} from './parse-inspect-sample.ts'
import { evaluationDetails } from './write-eee.ts'
import { EXPORT_FORMATS, type ExportFormat, exportFileName, writeExport } from './write-export.ts'

const exported = exportBundle(sampleBundle())

async function write(format: ExportFormat, what = exported): Promise<string> {
  const pieces: string[] = []
  for await (const piece of writeExport(what, format)) pieces.push(piece)
  return pieces.join('')
}

describe('every format', () => {
  it.each(EXPORT_FORMATS)('%s is, byte for byte, its golden file', async (format) => {
    const name = exportFileName({ name: 'sample' }, format)
    await expect(await write(format)).toMatchFileSnapshot(`./golden/${name}.golden`)
  })
})

it('bundle: what was sealed, and nothing else', async () => {
  expect(JSON.parse(await write('bundle'))).toEqual(JSON.parse(JSON.stringify(sampleBundle())))
})

it('bundle: any part of a run comes back as it was, whatever its order', async () => {
  const chance = seededGenerator(7)
  for (let round = 0; round < 60; round++) {
    const whole = sampleBundle()
    const wanted = whole.episodes.filter(({ attempt }) => attempt > 1 || chance.nextUnit() < 0.6)
    const mixed = [...wanted].sort(() => chance.nextUnit() - 0.5)
    const pieces: string[] = []
    for await (const piece of writeExport(exportBundle({ ...whole, episodes: mixed }), 'bundle'))
      pieces.push(piece)
    const parsed = parseAnyBundle(JSON.parse(pieces.join('')))
    expect(parsed).toMatchObject({ ok: true })
    expect(parsed.ok && parsed.value.episodes).toEqual([...wanted].sort(compareEpisodes))
  }
})

it('csv: a line an attempt, no formula, unknown is empty', async () => {
  const text = await write('csv')
  expect(text.split('\r\n').length).toBe(7)
  expect(text).toContain(`"'=HYPERLINK(""x"")`)
  expect(text).not.toMatch(/(^|,)"?[=+@]/m)
})

it('junit: no letter that XML does not know, and every ending in its own words', async () => {
  const text = await write('junit')
  expect(text).toContain('tests="4" failures="1" errors="0" skipped="1"')
  expect(text).toContain('<flakyError message="the provider answered 503" type="void/provider"/>')
  expect(text).toContain('=HYPERLINK(&quot;x&quot;) &lt;b&gt;&amp;\uFFFD ]]&gt;')
  expect(text).not.toContain(HOSTILE)
})

it('ctrf: keeps the rules of its schema, and its summary is what its tests give', async () => {
  const { results } = ctrfRules.parse(JSON.parse(await write('ctrf')))
  const count = (status: string) => results.tests.filter((test) => test.status === status).length
  const { passed, failed, skipped, other, tests } = results.summary
  expect([passed, failed, skipped, other]).toEqual(
    ['passed', 'failed', 'skipped', 'other'].map(count),
  )
  expect(tests).toBe(results.tests.length)
  expect(results.tests[1]).toMatchObject({
    name: 'alpha r2',
    retries: 1,
    retryAttempts: [{ status: 'other' }],
  })
})

it('eee: keeps the rules of its schema, with the interval, and names its instances', async () => {
  const record = eeeRules.parse(JSON.parse(await write('eee')))
  const instances = await write('eee-instances')
  const rows = instances
    .trimEnd()
    .split('\n')
    .map((line) => eeeInstanceRules.parse(JSON.parse(line)))
  const { detailed_evaluation_results: named, evaluation_results: results } = record
  expect(`sha256:${named?.checksum}`).toBe(digestBytes(instances))
  expect([named?.total_rows, rows.length]).toEqual([3, 3])
  expect(
    rows.every(({ evaluation_result_id: id }) => id === results[0]?.evaluation_result_id),
  ).toBe(true)
  const { score, uncertainty } = results[0]?.score_details ?? { score: Number.NaN }
  expect(score).toBe(exported.rate.rate)
  expect(uncertainty?.num_samples).toBe(3)
})

it('ts-bench: scored attempts alone, and totals that are theirs', async () => {
  const { metadata, summary, results } = JSON.parse(await write('ts-bench'))
  expect(results.map(({ exercise }: { exercise: string }) => exercise)).toEqual([
    'alpha',
    'alpha',
    'beta',
  ])
  expect([summary.successCount, summary.totalCount, summary.successRate]).toEqual([2, 3, 66.7])
  expect(metadata.proofboard.leftOut).toBe(1)
})

describe('what evaluating a solution here gave', () => {
  const uploaded: Exported = {
    ...exported,
    async *episodes() {
      for await (const one of exported.episodes()) yield { ...one, evaluatedHere: 'disagreed' }
    },
  }

  it.each([
    ['csv', 5, /,disagreed,/g],
    ['junit', 4, /<property name="proofboard\.evaluatedHere" value="disagreed"\/>/g],
    ['ctrf', 4, /"evaluatedHere":"disagreed"/g],
    ['eee-instances', 3, /"evaluated_here":"disagreed"/g],
  ] as const)('stands in %s, of each slot', async (format, slots, pattern) => {
    expect((await write(format, uploaded)).match(pattern)).toHaveLength(slots)
    expect(await write(format)).not.toMatch(pattern)
  })

  it('keeps the rules of the schemas', async () => {
    ctrfRules.parse(JSON.parse(await write('ctrf', uploaded)))
    for (const line of (await write('eee-instances', uploaded)).trimEnd().split('\n'))
      eeeInstanceRules.parse(JSON.parse(line))
  })

  it('is counted in the details of a row', () => {
    const figures = { agreed: 7, disagreed: 1, pending: 0, impossible: 2, reason: 'no sandbox' }
    expect(evaluationDetails(figures)).toEqual({
      evaluated_here_agreed: '7',
      evaluated_here_disagreed: '1',
      evaluated_here_pending: '0',
      evaluated_here_impossible: '2',
      evaluated_here_reason: 'no sandbox',
    })
    expect(evaluationDetails(undefined)).toEqual({})
  })
})

describe('inspect', () => {
  const step = (index: number, own: Partial<TranscriptStep>): TranscriptStep => ({
    kind: 'step',
    index,
    atMs: index,
    call: index,
    thread: 1,
    mark: null,
    role: 'user',
    text: null,
    reasoning: null,
    toolCalls: [],
    toolResult: null,
    model: null,
    trouble: null,
    tokens: null,
    costMicroUsd: null,
    changes: null,
    cutChars: 0,
    soFar: { input: null, output: null, cached: null, costMicroUsd: null },
    ...own,
  })
  const calls = [
    { id: 'c1', name: 'bash', arguments: '{"command":"ls"}' },
    { id: null, name: 'edit', arguments: 'free text' },
  ]
  const steps = [
    step(1, { role: 'system', text: 'You are an agent.' }),
    step(2, { text: 'Solve it.' }),
    step(3, { role: 'assistant', text: 'I look.', reasoning: 'Hm.', toolCalls: calls, model: 'm' }),
    step(4, { role: 'tool', toolResult: { callId: 'c1', text: 'a.ts' } }),
    step(5, { role: 'assistant', text: 'Done.' }),
  ]
  const source = {
    head: {
      kind: 'transcript' as const,
      version: 1 as const,
      provider: 'openai',
      model: 'model-1',
      agent: { name: 'agent', version: '1.0.0' },
      startedAt: '2026-11-01T00:00:00.000Z',
      limits: { textChars: 1000, bytes: 1000 },
    },
    steps,
    end: null,
  }
  const transcript: Exported = {
    ...exported,
    async *episodes() {
      for await (const one of exported.episodes()) yield { ...one, transcript: async () => source }
    },
  }

  it('is a trajectory only where something was said', async () => {
    const silent: Exported = {
      ...exported,
      async *episodes() {
        for await (const one of exported.episodes())
          yield { ...one, transcript: async () => ({ ...source, steps: [] }) }
      },
    }
    expect(await write('atif', silent)).toBe('')
    expect((await write('atif', transcript)).split('\n').length).toBeGreaterThan(1)
  })

  it('keeps the rules of an EvalLog, with every turn and tool call', async () => {
    inspectRules.parse(JSON.parse(await write('inspect')))
    const log = inspectRules.parse(JSON.parse(await write('inspect', transcript)))
    expect(Object.keys(log).slice(0, 6)).toEqual(
      'version status eval plan results stats'.split(' '),
    )
    const [first] = log.samples
    expect(first?.messages).toMatchObject([
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'Solve it.' },
      {
        role: 'assistant',
        content: [{ reasoning: 'Hm.' }, { text: 'I look.' }],
        tool_calls: [
          { id: 'c1', function: 'bash', arguments: { command: 'ls' } },
          {
            id: 'step-3-1',
            function: 'edit',
            arguments: {},
            parse_error: 'not a JSON object: free text',
          },
        ],
      },
      { role: 'tool', content: 'a.ts', tool_call_id: 'c1', function: 'bash' },
      { role: 'assistant', content: 'Done.' },
    ])
    expect(first).toMatchObject({ input: 'Solve it.', output: { completion: 'Done.' } })
    expect(log.results.scores[0]?.metrics.accuracy?.value).toBe(exported.rate.rate)
  })

  it('means to its reader what each last attempt was', async () => {
    const log = JSON.parse(await write('inspect'))
    const { eval: spec } = inspectHeaderSchema.parse(log)
    const read = log.samples.map((sample: unknown) =>
      judgeInspectSample(
        openInspectSample(inspectSampleSchema.parse(sample), spec.model),
        'proofboard',
      ),
    )
    const last = new Map<string, string>()
    for await (const { read: readEpisode } of exported.episodes()) {
      const { taskId, repetition, outcome } = readEpisode()
      last.set(`${taskId} ${repetition}`, outcome.status)
    }
    const found = read.map(
      (one: {
        value: { task: { name: string }; repetition: number; outcome: { status: string } }
      }) => [`${one.value.task.name} ${one.value.repetition}`, one.value.outcome.status],
    )
    expect(found).toEqual([...last])
  })

  it('sums usage only where every sample states it, and cached tokens apart', async () => {
    expect(inspectRules.parse(JSON.parse(await write('inspect'))).stats.model_usage).toEqual({})
    const whole = sampleBundle()
    const stated = exportBundle({ ...whole, episodes: whole.episodes.filter((one) => one.usage) })
    const { stats } = inspectRules.parse(JSON.parse(await write('inspect', stated)))
    expect(stats.model_usage).toMatchObject({
      'openai/model-1': { input_tokens: 400, total_tokens: 1050, input_tokens_cache_read: 600 },
    })
  })

  it('counts runs of one row on, so that no epoch stands twice', async () => {
    const [run] = exported.runs
    const twice: Exported = {
      ...exported,
      runs: run ? [run, { ...run, runId: 'run_other0000' }] : [],
      async *episodes() {
        for await (const one of exported.episodes()) yield one
        for await (const one of exported.episodes())
          yield { ...one, read: () => ({ ...one.read(), runId: 'run_other0000' }) }
      },
    }
    const { samples } = inspectRules.parse(JSON.parse(await write('inspect', twice)))
    const places = samples.map(({ id, epoch }) => `${id} ${epoch}`)
    expect(new Set(places).size).toBe(places.length)
  })
})
