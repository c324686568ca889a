import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listSuites } from '#lib/db/suite-store.ts'
import { parseAnyEpisode } from '#lib/domain/record/index.ts'
import { packZip, zipFiles } from '#lib/testing/corpora/pack-zip.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { lacksTsBench, readSample, tsBenchRun } from '#lib/testing/corpora/ts-bench-samples.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { lacking } from '#lib/testing/needs.ts'
import { refreshBoard } from '../../../db/refresh-board.ts'
import { unpackEnvelope } from '../../../db/stored-episode.ts'

const temporary = databaseForEach()

const send = (value: unknown) => submitBody(temporary, JSON.stringify(value))
const board = async () => {
  const [suite] = await listSuites(temporary.db)
  if (!suite) throw new Error('no suite became known')
  return refreshBoard(temporary.db, suite, new Date())
}

describe('a saved run of ts-bench', () => {
  it('is stored with null for unknown fields, and its record beside it', async () => {
    const run = tsBenchRun()
    const { status, preview } = await send(run)
    expect([status, preview.format, preview.counts.new]).toEqual([
      'committed',
      'a ts-bench result',
      3,
    ])
    expect(preview.runs[0]?.notes.join(' ')).toContain('did not report: tokens, cost, steps')
    const rows = await temporary.db.episode.findMany({ orderBy: { taskId: 'asc' } })
    const episodes = rows.map(({ envelope }) =>
      parseAnyEpisode(JSON.parse(unpackEnvelope(envelope))),
    )
    const [first] = episodes
    expect(first).toMatchObject({
      ok: true,
      value: {
        schemaVersion: 2,
        mode: 'reported',
        environment: null,
        contract: null,
        usage: null,
        integrity: null,
        testSuccess: true,
        subject: { kind: 'agent', version: '0.4.1', settings: { timeoutMs: null, seed: null } },
        effort: { steps: null, wall: { subjectMs: 1200, totalMs: 2001, prepareMs: null } },
        source: { format: 'ts-bench', harness: { version: '1.1.0' }, times: 'run' },
      },
    })
    expect(rows.map(({ status: ending, verdict }) => [ending, verdict])).toEqual([
      ['solved', null],
      ['unsolved', null],
      ['subject-crashed', null],
    ])
    const kept = join(temporary.dir, rows[0]?.directory ?? '', 'ts-bench.json')
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(run)
    expect(
      readFileSync(join(temporary.dir, rows[1]?.directory ?? '', 'test-error.txt'), 'utf8'),
    ).toBe('STDOUT: 1 failed')
  })

  it('is a row of its own board, diagnostic, with every reason as a sentence', async () => {
    await send(tsBenchRun())
    const { suite, rows } = await board()
    expect(suite).toMatchObject({
      title: 'ts-bench v1 1.1.0',
      suiteId: expect.stringMatching(/^ts-bench-v1-[0-9a-f]{8}$/),
    })
    expect(rows).toMatchObject([{ label: 'diagnostic', rank: null, success: { attempts: 3 } }])
    expect(rows[0]?.success.rate).toBeCloseTo(1 / 3)
    expect(rows[0]?.refusals.map(({ code }) => code)).toEqual([
      ...['mode', 'postcondition', 'pins', 'samples', 'llm-pins', 'frozen-plan'],
      ...['model-observed', 'unmetered', 'provenance', 'registered'],
    ])
  })

  it('is known when it comes again in another file, and a conflict where it was edited', async () => {
    const run = tsBenchRun()
    await send(run)
    expect((await submitBody(temporary, JSON.stringify(run, null, 2))).status).toBe('duplicate')
    const published = { lastUpdated: '2026-03-02T00:00:00Z', results: { 'opencode-model-1': run } }
    expect((await send(published)).status).toBe('duplicate')
    const [first, ...others] = run.results
    const edited = { ...run, results: [{ ...first, totalDuration: 5 }, ...others] }
    const { status, preview } = await send(edited)
    expect([status, preview.counts.conflict, preview.counts.duplicate]).toEqual(['refused', 1, 2])
    expect(preview.items[0]?.message).toContain('totalDuration is 5 here and 2001 there')
    const later = { ...run, metadata: { ...run.metadata, timestamp: '2026-03-03T10:00:00Z' } }
    expect((await send(later)).status).toBe('committed')
    expect((await board()).rows[0]?.success.attempts).toBe(6)
  })

  it.each<[string, (run: ReturnType<typeof tsBenchRun>) => unknown, string]>([
    [
      'a missing name',
      (run) => ({ ...run, results: [...run.results, { agentSuccess: true }] }),
      'results[3].exercise is missing',
    ],
    [
      'no agent',
      (run) => ({ ...run, metadata: { ...run.metadata, agent: undefined } }),
      'metadata.agent is missing',
    ],
    [
      'no time',
      (run) => ({ ...run, metadata: { ...run.metadata, timestamp: 'yesterday' } }),
      'metadata.timestamp cannot be read',
    ],
    [
      'a cut list',
      (run) => ({ ...run, results: run.results.slice(1) }),
      'summary.totalCount cannot be read: it says 3, and the results give 2',
    ],
    [
      'a word for a flag',
      (run) => ({ ...run, results: [{ ...run.results[0], testSuccess: 'yes' }] }),
      'results[0].testSuccess cannot be read',
    ],
    [
      'flags that cannot be',
      (run) => ({
        ...run,
        summary: undefined,
        results: [{ ...run.results[1], overallSuccess: true }],
      }),
      'results[0].overallSuccess',
    ],
    ['no results', (run) => ({ ...run, results: [] }), 'results'],
    ['results that are a word', (run) => ({ ...run, results: 'none' }), 'results cannot be read'],
  ])('with %s is refused in a sentence, and nothing is stored', async (_, change, words) => {
    await expect(send(change(tsBenchRun()))).rejects.toThrow(
      `this looks like a ts-bench result, but `,
    )
    await expect(send(change(tsBenchRun()))).rejects.toThrow(words)
    expect(await temporary.db.run.count()).toBe(0)
  })
})

it('what other programs write with the same members is not taken for one', async () => {
  const promptfoo = {
    evalId: 'e',
    metadata: { version: '1' },
    results: { results: [] },
    config: {},
  }
  await expect(submitBody(temporary, JSON.stringify(promptfoo))).rejects.toThrow(
    'unsupported format',
  )
})

it('an archive of saved runs, as a CI packs them, is read file by file; what else lies there is passed over', async () => {
  const other = tsBenchRun({ metadata: { ...tsBenchRun().metadata, model: 'model-2' } })
  const texts = {
    'data/results/a.json': JSON.stringify(tsBenchRun()),
    'data/results/b.json': JSON.stringify(other),
    'package.json': '{"name":"x"}',
    'broken.json': '{',
    'log.txt': 'x',
  }
  const { status, preview } = await submitBody(temporary, packZip(zipFiles(texts)))
  expect([status, preview.counts.new, preview.runs.length]).toEqual(['committed', 6, 2])
  expect(preview.format).toBe("an archive of other programs' results")
  const bad = { 'data/results/b.json': JSON.stringify({ ...other, results: 'none' }) }
  const reason = 'this looks like a ts-bench result, but results cannot be read'
  await expect(submitBody(temporary, packZip(zipFiles(bad)))).rejects.toThrow(
    `data/results/b.json: ${reason}`,
  )
  const mixed = await submitBody(temporary, packZip(zipFiles({ ...texts, ...bad })))
  expect([mixed.status, mixed.preview.counts.duplicate]).toEqual(['duplicate', 3])
  expect(mixed.preview.leftOut).toEqual({
    count: 1,
    runs: [{ path: 'data/results/b.json', reason: expect.stringContaining(reason) }],
  })
})

it('latest-results.json: runs with results are stored, totals alone are reported', async () => {
  const { metadata, results } = tsBenchRun()
  const { agent, version, ...rest } = metadata
  const total = { agent: 'Opencode', version, model: 'model-1', successRate: 33 }
  const latest = {
    metadata: { benchmarkVersion: '1.1.0' },
    leaderboard: [total, { ...total, agent: 'Other', successRate: 90 }],
    detailedResults: { x: { metadata: { ...rest, agentName: agent }, exerciseResults: results } },
  }
  const { status, preview } = await send(latest)
  expect([status, preview.counts.new]).toEqual(['committed', 3])
  expect(preview.runs[0]?.notes.at(-1)).toContain('1 total without results')
  expect((await board()).rows[0]?.subject).toMatchObject({ name: 'opencode', version: '0.4.1' })
  await expect(send({ leaderboard: [total], detailedResults: {} })).rejects.toThrow('totals alone')
})

describe('what ts-bench itself wrote', lacking(lacksTsBench), () => {
  it('a single result, and then the leaderboard that holds it', async () => {
    const { preview } = await submitBody(temporary, readSample('codex-gpt-5.4.json'))
    expect(preview.counts).toEqual({ new: 5, duplicate: 0, conflict: 0, rejected: 0 })
    const { status, preview: all } = await submitBody(temporary, readSample('leaderboard.json'))
    expect([status, all.counts.new, all.counts.duplicate]).toEqual(['committed', 45, 5])
    const { suite, rows } = await board()
    expect(suite.title).toBe('ts-bench v2 1.1.0')
    const { results } = JSON.parse(readSample('leaderboard.json')) as Published
    const theirs = Object.values(results).map(({ metadata, summary }) => [
      metadata.agent,
      metadata.model,
      summary.successRate,
    ])
    const ours = rows.map(({ subject, success }) => [
      subject.name,
      subject.modelRequested,
      100 * (success.rate ?? Number.NaN),
    ])
    expect(ours.sort()).toEqual(theirs.sort())
    expect(new Set(rows.map(({ label }) => label))).toEqual(new Set(['diagnostic']))
  })

  it('the 25 exercises, and latest-results.json of the same run is known already', async () => {
    await submitBody(temporary, readSample('run-instant-subject-25.json'))
    expect((await board()).rows).toMatchObject([{ success: { rate: 1, tasks: 25 } }])
    const { status, preview } = await submitBody(temporary, readSample('latest-results.json'))
    expect([status, preview.counts.duplicate, preview.counts.conflict]).toEqual([
      'duplicate',
      25,
      0,
    ])
  })
})

type Published = {
  results: Record<
    string,
    { metadata: { agent: string; model: string }; summary: { successRate: number } }
  >
}
