import { parser } from 'sax'
import { describe, expect, it } from 'vitest'
import { numberedVersion, sampleRow, sampleTasks } from '#lib/testing/factories/sample-rows.ts'
import type { RowChange } from '../board/index.ts'
import { chainEntry } from '../ledger/index.ts'
import {
  changeItem,
  type Feed,
  jsonFeedSchema,
  ledgerItem,
  writeAtom,
  writeJsonFeed,
} from './feed.ts'

const HOSTILE = '</title><script>alert("&")</script>]]>\u202e\u0000\u0007'
const suite = numberedVersion(12)
const entry = (day: string, solved: number) => ({
  ...sampleRow('agent-a', suite, sampleTasks(suite.tasks.map(() => solved))),
  rowId: `row_${day}`,
  firstStartedAt: `2026-11-${day}T01:00:00.000Z`,
  lastStartedAt: `2026-11-${day}T02:00:00.000Z`,
})

const change: RowChange = {
  suiteTitle: 'TypeScript',
  before: entry('01', 3),
  after: { ...entry('09', 1), subject: { ...entry('09', 1).subject, version: '2.0.0' } },
  changes: ['version', 'adapter version'],
  commonTasks: 12,
  test: {
    before: { tallies: entry('01', 3).tasks },
    after: { tallies: entry('09', 1).tasks },
    isPaired: true,
  },
  result: {
    difference: -0.6667,
    low: -0.9,
    high: -0.25,
    p: 0.0005,
    alpha: 0.05 / 3,
    method: 'exact sign-flip permutation',
  },
  adjustedP: 0.0015,
  tested: 3,
  confidence: 1 - 0.05 / 3,
}
const ledgerEntry = chainEntry(
  null,
  {
    author: HOSTILE.replace('\u0000', ''),
    reason: `${HOSTILE}\nsecond line`,
    action: { kind: 'remove', target: 'run_abc' },
  },
  { now: '2026-11-10T00:00:00.000Z' },
)
const feed: Feed = {
  id: 'https://board.example/feed.xml?suite=a',
  title: `Feed ${HOSTILE}`,
  description: 'What happened',
  pageUrl: 'https://board.example/',
  atomUrl: 'https://board.example/feed.xml?suite=a&kind=ledger',
  jsonUrl: 'https://board.example/feed.json?suite=a&kind=ledger',
  nextUrl: 'https://board.example/feed.xml?cursor=x&limit=1',
  origin: 'https://board.example',
  items: [ledgerItem(ledgerEntry), changeItem(change)],
}

/** Returns elements with their attributes and texts, as a strict parser reads them. */
function readXml(xml: string) {
  const reader = parser(true, {})
  const found: { name: string; text: string; attributes: Record<string, unknown> }[] = []
  const open: number[] = []
  reader.onopentag = ({ name, attributes }) => {
    open.push(found.push({ name, text: '', attributes }) - 1)
  }
  reader.ontext = (text) => {
    const element = found[open.at(-1) ?? 0]
    if (element) element.text += text
  }
  reader.onclosetag = () => open.pop()
  reader.onerror = (error) => {
    throw error
  }
  reader.write(xml).close()
  return (name: string) => found.filter((element) => element.name === name)
}

describe('a change as an item', () => {
  it('states rates, interval, corrected p, tasks and test in its text', () => {
    const { title, text, path, at } = changeItem(change)
    expect(title).toBe('agent-a · model-x-1 solves fewer tasks of TypeScript: 100.0 % → 33.3 %')
    expect(text).toContain(
      'Success rate 66.7 percentage points lower (98.33 % confidence interval 25.0 to 90.0), adjusted p 0.0015.',
    )
    expect(text).toMatch(
      /Before: version 1\.2\.3, 2026-11-01, 100\.0 % \(.*36 episodes\. After: version 2\.0\.0/,
    )
    expect(text).toContain(
      'Also different: adapter version. Over the 12 tasks that are the same in both: 100.0 % → 33.3 %.',
    )
    expect(text).toContain(
      'Test: exact sign-flip permutation; Holm over 3 tested changes of all suites.',
    )
    expect([path, at]).toEqual(['/compare?rows=row_09%2Crow_01', '2026-11-09T02:00:00.000Z'])
  })

  it('names the arm', () => {
    const subject = { ...change.after.subject, arm: 'careful' }
    expect(changeItem({ ...change, after: { ...change.after, subject } }).title).toMatch(
      /^agent-a · model-x-1 · careful solves fewer tasks/,
    )
  })

  it('says where tasks differ, and leads to the history of both versions', () => {
    const after = { ...change.after, suiteDigest: `sha256:${'0'.repeat(64)}` as const }
    const { text, path } = changeItem({ ...change, after, commonTasks: null })
    expect(text).toContain('all 12 earlier tasks against all 12 later ones')
    expect(path).toBe('/history?suite=sample&subject=agent-a&model=model-x-1')
  })
})

describe('Atom', () => {
  it('is well-formed whatever names and reasons hold, and changes none of their letters', () => {
    const find = readXml(writeAtom(feed))
    expect(find('script')).toEqual([])
    expect(find('title').map(({ text }) => text)).toEqual([
      'Feed </title><script>alert("&")</script>]]>',
      'Run removed: run_abc',
      'agent-a · model-x-1 solves fewer tasks of TypeScript: 100.0 % → 33.3 %',
    ])
    expect(find('content')[0]?.text).toContain('</script>]]> second line.')
    const links = find('link').map(({ attributes }) => [attributes.rel, attributes.href])
    expect(links).toContainEqual(['self', feed.atomUrl])
    expect(links).toContainEqual(['next', feed.nextUrl])
    expect(links).toContainEqual([
      'alternate',
      'https://board.example/ledger?target=run_abc#entry-1',
    ])
  })

  it('has what RFC 4287 demands: ids, titles, dates, an author, also without an item', () => {
    const find = readXml(writeAtom(feed))
    expect(find('id').map(({ text }) => text)).toEqual([
      feed.id,
      `urn:proofboard:ledger:${ledgerEntry.hash}`,
      'urn:proofboard:change:row_01:row_09',
    ])
    expect(find('updated').map(({ text }) => text)).toEqual([
      '2026-11-10T00:00:00.000Z',
      '2026-11-10T00:00:00.000Z',
      '2026-11-09T02:00:00.000Z',
    ])
    const empty = readXml(writeAtom({ ...feed, items: [], nextUrl: null }))
    expect(empty('updated').map(({ text }) => text)).toEqual(['1970-01-01T00:00:00.000Z'])
    expect(empty('author')).toHaveLength(1)
  })
})

it('writes the same as JSON Feed 1.1', () => {
  const written = writeJsonFeed({ ...feed, nextUrl: null })
  expect(jsonFeedSchema.parse(written)).toEqual(written)
  expect(written).not.toHaveProperty('next_url')
  expect(written.items[1]).toMatchObject({
    url: 'https://board.example/compare?rows=row_09%2Crow_01',
    date_published: '2026-11-09T02:00:00.000Z',
    tags: ['change', 'sample', 'agent-a'],
  })
  expect(JSON.stringify(written)).not.toMatch(/\p{Cc}|\p{Cf}/u)
})
