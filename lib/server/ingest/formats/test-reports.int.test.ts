import { describe, expect, it } from 'vitest'
import { packZip, zipFiles } from '#lib/testing/corpora/pack-zip.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'

const temporary = databaseForEach()

const SAID = { subject: 'codex', subjectVersion: '1.2.0', model: 'm-1', suite: 'katas' }
const JUNIT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nightly" time="12.5">
  <testsuite name="katas" timestamp="2026-03-01T10:00:00" tests="5">
    <properties><property name="proofboard.provider" value="openai"/></properties>
    <testcase classname="katas" name="acronym" time="1.5"/>
    <testcase classname="katas" name="anagram" time="0.5"><failure message="expected &lt;b&gt; &amp; c"><![CDATA[at line 1]]></failure></testcase>
    <testcase classname="katas" name="bowling" time="3"><error message="no container"/></testcase>
    <testcase classname="katas" name="clock"><skipped/></testcase>
    <testcase classname="katas" name="acronym" time="1.25"><flakyFailure message="first try"/></testcase>
  </testsuite>
</testsuites>`
const CTRF = {
  reportFormat: 'CTRF',
  specVersion: '0.1.0',
  extra: { proofboard: { provider: 'openai' } },
  results: {
    tool: { name: 'vitest', version: '4.1.0' },
    summary: {
      tests: 3,
      passed: 1,
      failed: 1,
      skipped: 0,
      pending: 0,
      other: 1,
      start: 1772359200000,
      stop: 1772359212500,
    },
    tests: [
      { name: 'acronym', status: 'passed', duration: 1500, suite: ['katas'] },
      { name: 'anagram', status: 'failed', duration: 500, suite: ['katas'], message: 'expected b' },
      {
        name: 'bowling',
        status: 'other',
        duration: 0,
        suite: ['katas'],
        start: 1772359201000,
        stop: 1772359202000,
      },
    ],
  },
}
const outcomes = async () => {
  const rows = await temporary.db.episode.findMany({
    orderBy: [{ taskId: 'asc' }, { repetition: 'asc' }],
  })
  return rows.map(({ taskId, repetition, status, totalMs }) => [
    taskId,
    repetition,
    status,
    totalMs,
  ])
}

describe('a JUnit report', () => {
  it('may start with a byte order mark, as a file and in an archive', async () => {
    const marked = `\ufeff${JUNIT}`
    expect((await submitBody(temporary, marked, { details: SAID })).status).toBe('committed')
    const zip = packZip(zipFiles({ 'junit.xml': marked }))
    expect((await submitBody(temporary, zip, { details: SAID })).status).toBe('duplicate')
  })

  it('is read test by test, with the subject named beside it', async () => {
    const { status, preview } = await submitBody(temporary, JUNIT, { details: SAID })
    expect([status, preview.format]).toEqual(['committed', 'a JUnit report'])
    expect(preview.runs[0]?.subject).toBe('codex 1.2.0 · m-1')
    expect(preview.runs[0]?.notes.join()).toContain('the time zone of its time')
    expect(await outcomes()).toEqual([
      ['acronym', 1, 'solved', 1500],
      ['acronym', 2, 'unsolved', 1250],
      ['anagram', 1, 'unsolved', 500],
      ['bowling', 1, 'void', 3000],
      ['clock', 1, 'cancelled', null],
    ])
    expect((await submitBody(temporary, JUNIT, { details: SAID })).status).toBe('duplicate')
    const edited = JUNIT.replace('time="0.5"', 'time="0.6"')
    expect((await submitBody(temporary, edited, { details: SAID })).status).toBe('refused')
    const other = await submitBody(temporary, JUNIT, { details: { ...SAID, model: 'm-2' } })
    expect(other.status).toBe('committed')
  })

  it('may take each suite as one task, solved when all of its tests passed', async () => {
    const two = JUNIT.replace(
      '</testsuites>',
      '<testsuite name="zebra"><testcase name="a"/><testcase name="b"/></testsuite></testsuites>',
    )
    await submitBody(temporary, two, { details: { ...SAID, tasks: 'suites' } })
    expect(await outcomes()).toEqual([
      ['katas', 1, 'unsolved', null],
      ['zebra', 1, 'solved', null],
    ])
  })

  it('with a time that no clock reaches has the end unknown, and a date that is none is refused', async () => {
    const long = JUNIT.replace('time="12.5"', 'time="9007199254740"')
    expect((await submitBody(temporary, long, { details: SAID })).status).toBe('committed')
    const never = JUNIT.replace('2026-03-01T', '2026-02-30T')
    await expect(submitBody(temporary, never, { details: SAID })).rejects.toThrow('is not a time')
  })

  it('says how many of its tests it lacks', async () => {
    const { preview } = await submitBody(
      temporary,
      JUNIT.replace('<testsuites name', '<testsuites tests="7" name'),
      { details: SAID },
    )
    expect(preview.runs[0]?.notes.join()).toContain('2 of its 7 tests')
  })

  it('does not take suites of one name for one', async () => {
    const file = (name: string, inner: string) =>
      `<testsuite name="${name}"><testsuite name="basic"><testcase name="t">${inner}</testcase></testsuite></testsuite>`
    const two = JUNIT.replace(
      '</testsuites>',
      `${file('a.test', '')}${file('b.test', '<failure message="x"/>')}</testsuites>`,
    )
    await submitBody(temporary, two, { details: { ...SAID, tasks: 'suites' } })
    const rows = await temporary.db.episode.findMany({ orderBy: { taskId: 'asc' } })
    expect(rows.map(({ status }) => status).sort()).toEqual(['solved', 'unsolved', 'unsolved'])
  })

  it.each([
    ['nobody', {}, 'add subject and suite beside the file'],
    ['no tasks', { subject: 'codex' }, 'which tasks these are: add suite beside the file'],
  ])('that names %s says what to add', async (_, details, words) => {
    await expect(submitBody(temporary, JUNIT, { details })).rejects.toThrow(words)
  })

  const laughs = Array.from(
    { length: 9 },
    (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
  ).join('')
  it.each([
    [
      'billion laughs',
      `<?xml version="1.0"?><!DOCTYPE t [<!ENTITY l0 "ha">${laughs}]><testsuites><testsuite name="&l9;"/></testsuites>`,
      'document type',
    ],
    [
      'a file of the machine',
      '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuites><testcase name="&x;"/></testsuites>',
      'document type',
    ],
    [
      'an unknown entity',
      '<testsuites><testcase name="&nbsp;"/></testsuites>',
      'not well-formed XML',
    ],
    ['endless depth', `<testsuites>${'<testsuite>'.repeat(60)}`, 'nested deeper than 50'],
    [
      'a huge attribute',
      `<testsuites><testsuite name="${'x'.repeat(300_000)}" timestamp="2026-01-01T00:00:00Z"/></testsuites>`,
      'refused',
    ],
    [
      'many attributes',
      `<testsuites ${Array.from({ length: 60 }, (_, n) => `a${n}="1"`).join(' ')}/>`,
      'more than 50 attributes',
    ],
    ['a cut end', JUNIT.slice(0, 600), 'not well-formed XML'],
    ['no time', JUNIT.replace(/ timestamp="[^"]*"/, ''), 'add timestamp="…" to <testsuite>'],
    ['a time that is none', JUNIT.replace('2026-03-01T10:00:00', 'monday'), 'is not a time'],
    ['a test without a name', JUNIT.replace('name="acronym"', ''), 'has no name'],
    [
      'no tests',
      '<testsuites><testsuite timestamp="2026-01-01T00:00:00Z"/></testsuites>',
      'it contains no tests',
    ],
    ['another root', '<html><testsuite name="a"/></html>', 'starts with <html>'],
  ])('with %s is refused in a sentence, and nothing is stored', async (_, xml, words) => {
    await expect(submitBody(temporary, xml, { details: SAID })).rejects.toThrow(words)
    expect(await temporary.db.run.count()).toBe(0)
  })

  it('shows markup as text: a name with a tag in it is a name', async () => {
    const xml = JUNIT.replace('name="anagram"', 'name="&lt;img src=x onerror=alert(1)&gt;&#x202e;"')
    const { preview } = await submitBody(temporary, xml, { details: SAID })
    expect(preview.items.map(({ slot }) => slot).join()).toMatch(
      /img-src-x-onerror-alert-1-[0-9a-f]{8}/,
    )
  })
})

describe('a CTRF report', () => {
  it('is read with its own times where it has them', async () => {
    const { status, preview } = await submitBody(temporary, JSON.stringify(CTRF), { details: SAID })
    expect([status, preview.format]).toEqual(['committed', 'a CTRF report'])
    expect(await outcomes()).toEqual([
      ['acronym', 1, 'solved', 1500],
      ['anagram', 1, 'unsolved', 500],
      ['bowling', 1, 'void', 0],
    ])
    const [, , own] = await temporary.db.episode.findMany({ orderBy: { taskId: 'asc' } })
    expect(own?.startedAt.getTime()).toBe(1772359201000)
  })

  it.each<[string, unknown, string]>([
    [
      'no start',
      { ...CTRF, results: { ...CTRF.results, summary: { start: 0, stop: 0 } } },
      'results.summary.start',
    ],
    [
      'a word as status',
      { ...CTRF, results: { ...CTRF.results, tests: [{ name: 'a', status: 'ok', duration: 1 }] } },
      'this looks like a CTRF report, but results.tests[0].status cannot be read',
    ],
    [
      'no name',
      { ...CTRF, results: { ...CTRF.results, tests: [{ status: 'passed', duration: 1 }] } },
      'results.tests[0].name is missing',
    ],
    ['no tests', { ...CTRF, results: { ...CTRF.results, tests: [] } }, 'results.tests'],
    [
      'an end after all times',
      {
        ...CTRF,
        results: { ...CTRF.results, summary: { start: 1, stop: Number.MAX_SAFE_INTEGER } },
      },
      'results.summary.stop cannot be read: it is not a time',
    ],
    [
      'a test that ends after all times',
      {
        ...CTRF,
        results: {
          ...CTRF.results,
          tests: [{ ...CTRF.results.tests[0], start: 1, stop: Number.MAX_SAFE_INTEGER }],
        },
      },
      'results.tests[0].stop cannot be read: it is not a time',
    ],
  ])('with %s is refused in a sentence', async (_, report, words) => {
    await expect(submitBody(temporary, JSON.stringify(report), { details: SAID })).rejects.toThrow(
      words,
    )
  })
})
