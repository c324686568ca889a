import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ReportedEpisode } from '#lib/domain/record/index.ts'
import { packZip, zipFiles } from '#lib/testing/corpora/pack-zip.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { inspectLog, sample } from '#lib/testing/factories/inspect-log.ts'

const temporary = databaseForEach()

const orderBy = [{ taskId: 'asc' as const }, { repetition: 'asc' as const }]
const rows = () => temporary.db.episode.findMany({ orderBy: [...orderBy, { receivedAt: 'asc' }] })
const outcomes = async () =>
  (await rows()).map(({ taskId, repetition, status, failureCategory }) => [
    taskId,
    repetition,
    status,
    failureCategory,
  ])
const episode = async (place: number): Promise<ReportedEpisode> =>
  JSON.parse((await rows())[place]?.envelope ?? '')

const send = (value: unknown, details = {}) =>
  submitBody(temporary, JSON.stringify(value), { details })

describe('a JSON log of Inspect', () => {
  it('keeps epochs as repetitions, scores, limits and errors as what they are', async () => {
    const log = inspectLog()
    const { status, preview } = await send(log)
    expect([status, preview.format, preview.counts.new]).toEqual([
      'committed',
      'a log of Inspect',
      6,
    ])
    expect(preview.runs[0]).toMatchObject({ subject: 'react · openai/gpt-5', planned: 6 })
    expect(await outcomes()).toEqual([
      ['a', 1, 'solved', null],
      ['a', 2, 'unsolved', null],
      ['b', 1, 'unsolved', 'partial'],
      ['b', 2, 'void', 'harness'],
      ['c', 1, 'out-of-budget', 'budget'],
      ['c', 2, 'out-of-budget', 'timeout'],
    ])
    expect(await episode(0)).toMatchObject({
      startedAt: '2026-03-01T10:00:00.000Z',
      usage: {
        tokens: { input: 10, output: 5, cacheRead: 4, cacheWrite: null },
        costMicroUsd: null,
      },
      effort: { steps: 2, toolCalls: { bash: 1 }, wall: { totalMs: 9500, subjectMs: null } },
      subject: {
        provider: 'openai',
        modelObserved: ['gpt-5-2026-01-01'],
        settings: { temperature: 0.5, maxTokens: 1000, timeoutMs: 60_000, maxSteps: null },
      },
      source: { format: 'inspect', formatVersion: '2', harness: { version: '0.3.150' }, score: 1 },
    })
    expect((await episode(1)).usage).toBeNull()
    const kept = join(temporary.dir, (await rows())[0]?.directory ?? '', 'inspect.json')
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(log)
    expect((await send(log)).status).toBe('duplicate')
  })

  it('of several scores wants to be told which decides', async () => {
    const samples = [sample('a', 1, { scores: { match: { value: 'I' }, judge: { value: 'C' } } })]
    await expect(send(inspectLog({ samples }))).rejects.toThrow(
      'samples: there are several scores (match, judge)',
    )
    await send(inspectLog({ samples }), { scorer: 'judge' })
    expect(await outcomes()).toEqual([['a', 1, 'solved', null]])
  })

  it('decides every sample by the same one of several scores', async () => {
    const scores = { match: { value: 'C' }, judge: { value: 'C' } }
    const samples = [sample('a', 1, { scores }), sample('b', 1)]
    await send(inspectLog({ samples }), { scorer: 'judge' })
    expect(await outcomes()).toEqual([
      ['a', 1, 'solved', null],
      ['b', 1, 'void', 'harness'],
    ])
  })

  it('takes numbers as Python writes them, and NaN for a score that was not given', async () => {
    const score = (value: unknown) => ({ scores: { match: { value } } })
    const log = inspectLog({
      results: { total_samples: 4, metrics: ['-Infinity', 'Infinity'] },
      samples: [
        sample('a', 1, score('NaN')),
        sample('b', 1, { ...score('NaN'), limit: { type: 'turn', limit: 'Infinity' } }),
        sample('c', 1, { ...score(null), metadata: { id: 'BIG' } }),
        sample('d', 1),
      ],
    })
    const text = JSON.stringify(log)
      .replace(/"(NaN|-?Infinity)"/g, '$1')
      .replace('"BIG"', '12345678901234567890')
    const { preview } = await submitBody(temporary, text)
    expect(preview.counts.new).toBe(4)
    expect(await outcomes()).toEqual([
      ['a', 1, 'void', 'harness'],
      ['b', 1, 'out-of-budget', 'budget'],
      ['c', 1, 'void', 'harness'],
      ['d', 1, 'solved', null],
    ])
    const archive = packZip(zipFiles({ 'logs/one.json': text }))
    expect((await submitBody(temporary, archive)).status).toBe('duplicate')
  })

  it('counts an error that was scored, and knows limits that are newer than it', async () => {
    const error = { message: 'the tool died', traceback: '' }
    const samples = [
      sample('a', 1, { error, scores: { match: { value: 'I' } } }),
      sample('b', 1, { scores: null, limit: { type: 'turn', limit: 5 } }),
      sample('c', 1, { scores: { match: { value: 'I' } }, limit: { type: 'moon', limit: 5 } }),
      sample('d', 1, { scores: { match: { value: 'C' } }, limit: { type: 'moon', limit: 5 } }),
    ]
    await send(inspectLog({ samples }))
    expect(await outcomes()).toEqual([
      ['a', 1, 'unsolved', null],
      ['b', 1, 'out-of-budget', 'budget'],
      ['c', 1, 'unsolved', null],
      ['d', 1, 'solved', null],
    ])
    expect((await episode(0)).outcome).toMatchObject({ reason: 'the tool died' })
  })

  it('says how many samples of its run it lacks', async () => {
    const log = inspectLog({ status: 'cancelled', samples: [sample('a', 1)] })
    const planned = { ...log.eval, dataset: { sample_ids: ['a', 'b', 'c'] } }
    await send({ ...log, eval: planned })
    expect((await episode(0)).source.untold).toContain('5 of its 6 samples')
    await send({ ...log, eval: { ...planned, run_id: 'r2' }, results: { total_samples: 1 } })
    expect((await episode(1)).source.untold.join()).not.toContain('of its')
  })

  it('with usage that no envelope can hold is refused by name', async () => {
    const usage = { 'openai/gpt-5': { input_tokens: 1, output_tokens: 1, total_cost: 1e300 } }
    const { status, preview } = await send(
      inspectLog({ samples: [sample('a', 1, { model_usage: usage })] }),
    )
    expect(status).toBe('refused')
    expect(preview.items[0]?.message).toContain('cannot be stored: usage.costMicroUsd')
  })

  it('with members of a ts-bench result is still a log of Inspect', async () => {
    const { preview } = await send(inspectLog({ metadata: {}, results: { total_samples: 6 } }))
    expect(preview.format).toBe('a log of Inspect')
  })

  it.each([
    ['no samples', inspectLog({ samples: null }), 'it contains no samples, only totals'],
    ['no end', inspectLog({ status: 'started' }), 'upload it when the run has finished'],
    [
      'no model',
      inspectLog({ eval: { created: '2026-03-01T09:59:00Z', task: 'sums' } }),
      'this looks like a log of Inspect, but eval.model is missing',
    ],
    [
      'no epoch',
      inspectLog({ samples: [{ ...sample('a', 1), epoch: undefined }] }),
      'samples[0].epoch is missing',
    ],
    [
      'a limit that no plan can hold',
      inspectLog({ eval: { ...inspectLog().eval, config: { cost_limit: 1e300 } } }),
      'cannot be stored: settings.maxCostMicroUsd',
    ],
    [
      'a repetition that no plan can hold',
      inspectLog({ samples: [sample('a', 5000)] }),
      'cannot be stored: repetitions',
    ],
    [
      'a day that is in no month',
      inspectLog({
        stats: null,
        eval: { ...inspectLog().eval, created: '2026-02-30T09:59:00+00:00' },
      }),
      'eval.created is not a time',
    ],
    [
      'a score on another scale',
      inspectLog({ samples: [sample('a', 1, { scores: { match: { value: 7 } } })] }),
      '7 is not a score from 0 to 1',
    ],
  ])('with %s is refused in a sentence', async (_, log, words) => {
    await expect(send(log)).rejects.toThrow(words)
    expect(await temporary.db.run.count()).toBe(0)
  })

  it('as an .eval with a sample that ran again has the last one, and tells ids apart by case', async () => {
    const { samples: _, ...header } = inspectLog()
    const sampleFile = (id: string, value: string) => ({
      name: `samples/${id}_epoch_1.json`,
      bytes: Buffer.from(JSON.stringify(sample(id, 1, { scores: { match: { value } } }))),
    })
    const zip = packZip([
      { name: '_journal/start.json', bytes: Buffer.from('{}') },
      ...[sampleFile('a', 'I'), sampleFile('A', 'I'), sampleFile('a', 'C')],
      { name: 'header.json', bytes: Buffer.from(JSON.stringify(header)) },
    ])
    await submitBody(temporary, zip)
    expect((await rows()).map(({ status }) => status).sort()).toEqual(['solved', 'unsolved'])
    expect((await episode(0)).outcome.status).toBe('solved')
  })

  it('as an .eval in an archive is to be sent by itself', async () => {
    const zip = packZip(zipFiles({ 'logs/one.eval': 'PK', 'logs/two.eval': 'PK' }))
    await expect(submitBody(temporary, zip)).rejects.toThrow(
      'an archive of 2 .eval files: upload each of them by itself',
    )
  })

  it('is read whatever the size of what is not read of a sample', async () => {
    const samples = [sample('a', 1, { events: ['x'.repeat(17 * 1024 * 1024)] })]
    expect((await send(inspectLog({ samples }))).preview.counts.new).toBe(1)
    const large = [sample('a', 1), sample('b', 1, { input: 'x'.repeat(17 * 1024 * 1024) })]
    await expect(send(inspectLog({ samples: large }))).rejects.toThrow(
      'samples[1]: one piece of it has 17 MB, and at most 16 MB can be read at once',
    )
  })

  it('as an .eval whose zip is deflated is read, one with zstd says how to convert it', async () => {
    const { samples, ...header } = inspectLog()
    const files = Object.fromEntries(
      samples.map((one) => [`samples/${one.id}_epoch_${one.epoch}.json`, JSON.stringify(one)]),
    )
    const zip = packZip(
      zipFiles({
        'header.json': JSON.stringify(header),
        '_journal/start.json': '{}',
        ...files,
      }),
    )
    const { status, preview } = await submitBody(temporary, zip)
    expect([status, preview.format, preview.counts.new]).toEqual([
      'committed',
      'an .eval log of Inspect',
      6,
    ])
    const packed = Buffer.from(zip)
    // The compression method is at byte 8 of a local header, and at byte 10 of the central directory.
    for (let at = 0; at < packed.length - 4; at++) {
      const signature = packed.readUInt32LE(at)
      if (signature === 0x04034b50) packed.writeUInt16LE(93, at + 8)
      if (signature === 0x02014b50) packed.writeUInt16LE(93, at + 10)
    }
    await expect(submitBody(temporary, packed)).rejects.toThrow('inspect log convert --to json')
  })
})
