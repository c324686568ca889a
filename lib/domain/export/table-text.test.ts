import { describe, expect, it } from 'vitest'
import { toCsv, toMarkdown } from './table-text.ts'

const ROWS = [
  ['name', 'rate'],
  ['=1+1', 0.5],
  ['a,"b"\n<i>|', null],
]

describe('tables as text', () => {
  it('writes CSV that no spreadsheet executes', () => {
    expect(toCsv(ROWS)).toBe('name,rate\r\n\'=1+1,0.5\r\n"a,""b""\n<i>|",\r\n')
  })

  it('writes Markdown that no page renders as markup', () => {
    expect(toMarkdown(ROWS)).toBe(
      '| name | rate |\n| --- | --- |\n| =1+1 | 0.5 |\n| a,"b" &lt;i>\\| | – |\n',
    )
  })
})
