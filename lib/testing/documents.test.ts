import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const DOCS = readdirSync('docs').filter((name) => name.endsWith('.md'))
const DOCUMENTS = [
  'README.md',
  ...DOCS.map((name) => `docs/${name}`),
  'AGENTS.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'runner/README.md',
  'lib/domain/eligibility/README.md',
]
const PATH = /^(app|components|lib|runner|prisma|exercises|\.github|\.ci)\//
const PLACEHOLDER = /[<*{…]/

describe.each(DOCUMENTS)('%s', (file) => {
  const text = readFileSync(file, 'utf8')

  it('names only files that exist', () => {
    expect(listNamedPaths(text).filter((path) => !existsSync(path))).toEqual([])
  })

  it('links only to files and headings that exist', () => {
    const exists = (link: string) => {
      const [path = '', heading] = link.split('#')
      const target = path === '' ? file : normalize(join(dirname(file), path))
      if (!existsSync(target) || heading === undefined) return existsSync(target)
      return listAnchors(readFileSync(target, 'utf8')).includes(heading)
    }
    expect(listLinks(text).filter((link) => !exists(link))).toEqual([])
  })
})

it.each(DOCS)('README.md links to docs/%s', (name) => {
  expect(listLinks(readFileSync('README.md', 'utf8'))).toContain(`docs/${name}`)
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

/** Paths in backticks or in blocks of commands. A path with a placeholder is cut to the folder before it. */
function listNamedPaths(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  const spans = [...withoutBlocks(markdown).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  const words = [...spans, ...blocks].flatMap((text) => text.split(/[\s'"=,]+/))
  return [...new Set(words.filter((word) => PATH.test(word)).map(withoutPlaceholder))]
}

function withoutPlaceholder(path: string): string {
  const parts = path.replace(/\/$/, '').split('/')
  const open = parts.findIndex((part) => PLACEHOLDER.test(part))
  return parts.slice(0, open === -1 ? parts.length : open).join('/')
}

/** Targets of links and images inside the repository. */
function listLinks(markdown: string): string[] {
  const targets = withoutBlocks(markdown).matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"/g)
  return [...targets]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
}

/** Anchors of the headings, as GitHub makes them. */
function listAnchors(markdown: string): string[] {
  return [...withoutBlocks(markdown).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function withoutBlocks(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '')
}
