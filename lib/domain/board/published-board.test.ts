import { describe, expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { buildBoard } from './build-board.ts'
import { insertBetweenMarkers, publishedMarkdown } from './published-board.ts'

const suite = { ...sampleBoardSuite(3), title: 'Tasks <i>| of & ours' }
const { facts, run } = sampleRun({ suite, repetitions: 1 })
const board = buildBoard({ suite, facts, runs: [run] })

describe('a board as files', () => {
  it('shows every row with its interval, its size and why it is not ranked', () => {
    const markdown = publishedMarkdown([board])
    const [row] = board.rows
    expect(markdown).toContain('| Rank | Entry | Success (95 % CI) |')
    expect(
      markdown.split('\n').filter((line) => line.includes(row?.subject.name ?? '?')),
    ).toHaveLength(board.rows.length)
    expect(markdown).toMatch(/unranked .*: .*samples/)
    expect(markdown).toContain('Registration of plans and evaluation of solutions')
    expect(publishedMarkdown([board])).toBe(markdown)
  })

  it('says who answers for a model, and that a subscription is flat', () => {
    const [row] = board.rows
    if (!row) throw new Error('no row')
    const subject = { ...row.subject, modelRequested: 'm-1', provider: 'openai@llm.example.com' }
    const settings = { ...row.settings, login: 'subscription' as const }
    const page = publishedMarkdown([{ ...board, rows: [{ ...row, subject, settings }] }])
    expect(page).toMatch(/· m-1 .*openai&#64;llm\.example\.com.* \|.*\| flat \|/)
  })

  it('lets nothing of a title or a name become markup', () => {
    expect(publishedMarkdown([board])).toContain('### Tasks &lt;i&gt;\\| of &amp; ours')
  })
})

describe('a table between markers', () => {
  const [start, end] = ['<!-- proofboard:start -->', '<!-- proofboard:end -->']

  it('replaces what stands there and leaves all else, however often', () => {
    const document = `# Ours\r\n${start}\nold\n${end}\n\ntail $& \n`
    const once = insertBetweenMarkers(document, 'new $1 table\n')
    expect(once).toEqual({
      ok: true,
      text: `# Ours\r\n${start}\n\nnew $1 table\n\n${end}\n\ntail $& \n`,
    })
    expect(once.ok && insertBetweenMarkers(once.text, 'new $1 table')).toEqual(once)
  })

  it.each([
    ['none', '# Ours'],
    ['one', `${start} only`],
    ['two of a kind', `${start}${start}${end}`],
    ['the wrong order', `${end}\n${start}`],
  ])('refuses a document with %s', (_, document) => {
    expect(insertBetweenMarkers(document, 'x')).toMatchObject({ ok: false })
  })
})
