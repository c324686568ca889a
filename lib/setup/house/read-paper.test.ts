import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readGraph } from './measure-house.mjs'
import {
  anchorOf,
  filesOf,
  findGaps,
  listMarkdownLinks,
  listNamedPaths,
  readWalks,
  withoutBlocks,
} from './read-paper.mjs'

const PAPER = [
  'README.md',
  ...readdirSync('docs').map((name) => `docs/${name}`),
  'AGENTS.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'runner/README.md',
  'lib/domain/eligibility/README.md',
]

const SAMPLE = `# Map

See \`lib/worker\`, \`runner/agents/<name>.yaml\` and \`plan.json\`.

\`\`\`
npx vitest run lib/db runner/cli.ts
\`\`\`

## Walks

### One (3 files)

1. \`app/page.tsx\` draws \`lib/row.ts\`,
   which \`lib/other.ts\` does not import.
2. \`runner/cli.ts\` stands alone.

### Two

- \`lib/row.ts\`

## Rest

1. \`lib/unrelated.ts\`
`

describe('what the documents name', () => {
  it('finds paths in prose and commands, up to a placeholder', () => {
    expect(listNamedPaths(SAMPLE)).toEqual([
      'app/page.tsx',
      'lib/db',
      'lib/other.ts',
      'lib/row.ts',
      'lib/unrelated.ts',
      'lib/worker',
      'runner/agents',
      'runner/cli.ts',
    ])
  })

  it('reads the steps of each walk below a heading', () => {
    const [one, two, ...more] = readWalks(SAMPLE, 'Walks')
    expect(one).toEqual({
      title: 'One (3 files)',
      steps: [['app/page.tsx', 'lib/row.ts', 'lib/other.ts'], ['runner/cli.ts']],
    })
    expect(two?.steps).toEqual([['lib/row.ts']])
    expect(more).toEqual([])
  })

  it('names the files that nothing before them in their step leads to', () => {
    const graph = readGraph({
      'app/page.tsx': `import '../lib/row.ts'\n`,
      'lib/row.ts': '',
      'lib/other.ts': '',
      'runner/cli.ts': '',
    })
    const [one] = readWalks(SAMPLE, 'Walks')
    expect(one && findGaps(one, graph)).toEqual(['lib/other.ts'])
  })

  it.each(PAPER)('%s names only what is there', (file) => {
    const missing = listNamedPaths(readFileSync(file, 'utf8')).filter((path) => !existsSync(path))
    expect(missing).toEqual([])
  })

  it('finds links, pictures and headings', () => {
    const page =
      '[a](b.md#c-d) <img src="x.png"> <source srcset="y.png"> [web](https://example.org)'
    expect(listMarkdownLinks(`${page}\n\n\`\`\`\n[no](no.md)\n\`\`\`\n`)).toEqual([
      'b.md#c-d',
      'x.png',
      'y.png',
    ])
    expect(anchorOf("Tasks from a repository's `history`")).toBe('tasks-from-a-repositorys-history')
  })

  it.each(PAPER)('%s leads only to what is there', (file) => {
    const isThere = (link: string) => {
      const [path = '', heading] = link.split('#')
      const target = path === '' ? file : normalize(join(dirname(file), path))
      if (!existsSync(target) || heading === undefined) return existsSync(target)
      return headingsOf(readFileSync(target, 'utf8')).includes(heading)
    }
    expect(listMarkdownLinks(readFileSync(file, 'utf8')).filter((link) => !isThere(link))).toEqual(
      [],
    )
  })

  it.each(readdirSync('docs'))('README.md leads to docs/%s', (name) => {
    expect(listMarkdownLinks(readFileSync('README.md', 'utf8'))).toContain(`docs/${name}`)
  })

  it.each(['lib/domain', 'lib/server', 'runner'])(
    'ARCHITECTURE.md names every room of %s',
    (room) => {
      const folders = readdirSync(room, { withFileTypes: true }).filter((one) => one.isDirectory())
      const named = listNamedPaths(readFileSync('ARCHITECTURE.md', 'utf8'))
      expect(
        folders.map(({ name }) => `${room}/${name}`).filter((it) => !named.includes(it)),
      ).toEqual([])
    },
  )
})

describe('the three walks of ARCHITECTURE.md', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8')
  const walks = readWalks(text, 'The three walks')
  const graph = readGraph(readSources(walks.flatMap(filesOf)))

  it('are three, on at most 150 lines in all', () => {
    expect(walks).toHaveLength(3)
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })

  it.each(walks)('$title: imports lead from file to file', (walk) => {
    expect(findGaps(walk, graph)).toEqual([])
  })

  it.each(walks)('$title: its heading says how many files it is', (walk) => {
    expect(walk.title).toContain(`(${filesOf(walk).length} files`)
  })
})

function headingsOf(markdown: string): string[] {
  return [...withoutBlocks(markdown).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    anchorOf(title),
  )
}

function readSources(paths: readonly string[]): Record<string, string> {
  const faces = readdirSync('lib/domain').map((module) => `lib/domain/${module}/index.ts`)
  const there = [...paths, ...faces].filter((path) => existsSync(path))
  return Object.fromEntries(there.map((path) => [path, readFileSync(path, 'utf8')]))
}
