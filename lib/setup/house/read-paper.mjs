// @ts-check

/** @typedef {{ title: string, steps: string[][] }} Walk a title and, for each process or seam, its files in order */

const PLACE = /^(app|components|lib|runner|prisma|exercises|\.github|\.ci)\//
const PLACEHOLDER = /[<*{…]/

/**
 * Paths of the repository that a text names, in backticks or in a block of commands. Of a path with a placeholder
 * (`runner/subjects/agents/<name>.yaml`) the folder before it.
 * @param {string} markdown
 */
export function listNamedPaths(markdown) {
  const blocks = [...markdown.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  const prose = withoutBlocks(markdown)
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  const words = [...spans, ...blocks].flatMap((text) => text.split(/[\s'"=,]+/))
  return [...new Set(words.filter((word) => PLACE.test(word)).map(withoutPlaceholder))].sort()
}

/** The text without its blocks of commands and code. @param {string} markdown */
export function withoutBlocks(markdown) {
  return markdown.replace(/^```[\s\S]*?^```/gm, '')
}

/** Links and pictures of a text that lead to files or headings of the repository. @param {string} markdown */
export function listMarkdownLinks(markdown) {
  const targets = withoutBlocks(markdown).matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"/g)
  return [...targets]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
}

/** The anchor of a heading, as GitHub makes it. @param {string} title */
export function anchorOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** @param {string} path */
function withoutPlaceholder(path) {
  const parts = path.replace(/\/$/, '').split('/')
  const open = parts.findIndex((part) => PLACEHOLDER.test(part))
  return parts.slice(0, open === -1 ? parts.length : open).join('/')
}

/**
 * The lists of files below a heading: one list for each heading of the next level, one step for each item.
 * @param {string} markdown
 * @param {string} heading
 * @returns {Walk[]}
 */
export function readWalks(markdown, heading) {
  const [, ...chapters] = markdown.split(/^## /m)
  const chapter = chapters.find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const [, ...sections] = chapter.split(/^### /m)
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n')
    const [, ...items] = lines.join('\n').split(/^(?:\d+\.|-) /m)
    const steps = items.map((item) => listInOrder(item.split('\n\n')[0] ?? ''))
    return { title, steps: steps.filter((paths) => paths.length > 0) }
  })
}

/** @param {string} text */
function listInOrder(text) {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  return [...new Set(spans.filter((span) => PLACE.test(span)))]
}

/** The files of a walk, each once. @param {Walk} walk */
export function filesOf({ steps }) {
  return [...new Set(steps.flat())]
}

/**
 * Files of a walk that no file before them imports, and that import none of these: there a reader would have to search.
 * The first file of a step may stand alone, because there two processes meet.
 * @param {Walk} walk
 * @param {import('./measure-house.mjs').Graph} graph
 */
export function findGaps({ steps }, graph) {
  const imports = (/** @type {string} */ from, /** @type {string} */ to) =>
    graph.get(from)?.imports.includes(to) === true
  const all = steps.flat()
  const starts = new Set(steps.map(([first]) => first))
  return all.filter(
    (path, place) =>
      !starts.has(path) &&
      !all.slice(0, place).some((one) => one === path || imports(one, path) || imports(path, one)),
  )
}
