import { describe, expect, it } from 'vitest'
import { pageFile } from './addresses.ts'
import { linkPages } from './draw-page.tsx'

describe('the file of an address of the app', () => {
  it.each([
    ['/', 'index.html', ''],
    ['/?suite=a&kind=control#charts', 'boards/a/index.html', '?kind=control#charts'],
    ['/?suite=a&version=sha256%3A0123456789abcdef', 'boards/a/0123456789ab/index.html', ''],
    ['/?suite=a&open=row_1', 'rows/row_1/index.html', ''],
    ['/episodes/ep_1?tab=logs&log=gate#x', 'episodes/ep_1/logs/gate/index.html', '#x'],
    ['/episodes/ep_1?tab=diff', 'episodes/ep_1/diff/index.html', ''],
    ['/suites/a/tasks/b', 'suites/a/tasks/b/index.html', ''],
    ['/runs?suite=a', 'runs/index.html', ''],
    ['/methodology/evidence#gate-samples', 'methodology/evidence/index.html', '#gate-samples'],
    ['/models/org%2Fmodel%20a', 'models/org_2f_model_20_a/index.html', ''],
    ['/models/org_model', 'models/org_5f_model/index.html', ''],
    ['/agents/.git', 'agents/_2e_git/index.html', ''],
    ['/reports?suite=a', 'reports/a/index.html', ''],
    ['/reports/cost?suite=a', 'reports/a/cost/index.html', ''],
    ['/history?suite=a&subject=x%2Fy&model=m', 'history/a/x_2f_y/m/index.html', ''],
    ['/history?suite=..&subject=..', 'history/-/_2e_./index.html', ''],
    [
      '/compare?rows=row_1,row_2&f=outcome:differs#tasks',
      'compare/row_1--row_2/index.html',
      '#tasks',
    ],
    ['/compare?rows=row_1,row_2&pair=2', 'compare/row_1--row_2/2/index.html', ''],
    ['/api/v1/leaderboard?suite=a', 'api/leaderboard/a.json', ''],
    ['/api/v1/rows/row_1', 'api/rows/row_1.json', ''],
    ['/api/v1/reports/cost?suite=a&format=csv', 'api/reports/a/cost.csv', ''],
    // A file is always below the folder of the site.
    ['/rows/..%2F..%2Fetc', 'rows/-/-/etc/index.html', ''],
    ['/rows/%2e%2e', 'index.html', ''],
  ])('%s', (address, file, rest) => {
    expect(pageFile(address)).toEqual({ file, rest })
  })

  it('is none for what only a server has', () => {
    for (const address of ['/api/v1/runs', '/api/v1/leaderboard', '/plan', '/rowsx/a'])
      expect(pageFile(address)).toBeNull()
  })
})

describe('links of a page', () => {
  const find = (address: string) => (address === '/runs' ? 'runs/index.html' : null)
  const link = (markup: string, original: string | null = null) =>
    linkPages(markup, 'rows/a/index.html', find, original)

  it('are relative, and lead to the original where the site has no such page', () => {
    expect(link('<a class="x" href="/runs">Runs</a>')).toBe(
      '<a class="x" href="../../runs/index.html">Runs</a>',
    )
    expect(link('<a href="/compare?a=1&amp;b=2">c</a>', 'https://b.example')).toBe(
      '<a href="https://b.example/compare?a=1&amp;b=2">c</a>',
    )
    expect(link('<a href="/compare">c</a><a href="/agents/x">a</a>')).toBe(
      '<a data-needs-server="">c</a><a data-no-page="">a</a>',
    )
  })

  it('are not searched in texts, nor in addresses of other sites', () => {
    for (const markup of [
      '<p>&lt;a href=&quot;/runs&quot;</p>',
      '<a href="https://x.example/runs">x</a>',
    ])
      expect(link(markup)).toBe(markup)
  })
})
