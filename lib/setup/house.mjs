// @ts-check
// `npm run house`: the figures of this code base beside their goals. `-- <folder> …` counts other copies too, one column
// each; `-- --details` names the files, `-- --json` prints everything as JSON.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { isSource, measureHouse, readGraph } from './house/measure-house.mjs'
import { filesOf, findGaps, readWalks } from './house/read-paper.mjs'
import { readArguments } from './read-arguments.mjs'

/** @typedef {ReturnType<typeof inspect>} Inspected */
/** @typedef {{ name: string, goal: string, of: (house: Inspected) => number | null }} Figure */

/** @type {Figure[]} */
const FIGURES = [
  { name: 'product files', goal: '≤ 900', of: ({ files }) => files },
  { name: 'product lines', goal: '≤ 75000', of: ({ lines }) => lines },
  {
    name: 'files under 40 lines, one importer, no test',
    goal: '≤ 30',
    of: ({ fragments }) => fragments.length,
  },
  { name: 'longest import chain', goal: '≤ 12', of: ({ longestChain }) => longestChain.length },
  {
    name: 'modules of lib/domain that import each other',
    goal: '0',
    of: ({ mutualModules }) => mutualModules.length,
  },
  {
    name: 'exported names that exist twice',
    goal: '0',
    of: ({ repeatedNames }) => repeatedNames.length,
  },
  { name: 'files to open: episode → row', goal: '≤ 25', of: ({ walks }) => countWalk(walks[0]) },
  {
    name: 'files to open: upload → database',
    goal: '≤ 22',
    of: ({ walks }) => countWalk(walks[1]),
  },
  { name: 'files to open: form → process', goal: '≤ 20', of: ({ walks }) => countWalk(walks[2]) },
  { name: 'files to change: a setting', goal: '≤ 5', of: ({ stories }) => countWalk(stories[0]) },
  {
    name: 'files to change: a board column',
    goal: '≤ 4',
    of: ({ stories }) => countWalk(stories[1]),
  },
  {
    name: 'files to change: an evidence rule',
    goal: '≤ 4',
    of: ({ stories }) => countWalk(stories[2]),
  },
]

main()

function main() {
  const usage = 'npm run house [-- folder … --details --json]'
  const options = /** @type {const} */ ({ json: { type: 'boolean' }, details: { type: 'boolean' } })
  const { values, positionals } = readArguments(usage, options, { words: true })
  const roots = (positionals.length > 0 ? positionals : ['.']).map((root) => resolve(root))
  const houses = roots.map(inspect)
  if (values.json) {
    console.log(JSON.stringify(houses, null, 2))
    return
  }
  printTable(houses)
  if (values.details) for (const house of houses) printDetails(house)
}

/** @param {string} root */
function inspect(root) {
  const sources = readSources(root)
  const graph = readGraph(sources)
  const walks = readPaper(root, 'ARCHITECTURE.md', 'The three walks')
  return {
    root,
    ...measureHouse(sources),
    walks: walks.map((walk) => ({ ...walk, gaps: findGaps(walk, graph) })),
    stories: readPaper(root, 'CONTRIBUTING.md', 'Change stories'),
  }
}

/** @param {string} root @param {string} file @param {string} heading */
function readPaper(root, file, heading) {
  const path = join(root, file)
  return existsSync(path) ? readWalks(readFileSync(path, 'utf8'), heading) : []
}

/** @param {string} root @returns {Record<string, string>} */
function readSources(root) {
  const paths = listFiles(root, '').filter(isSource)
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** @param {string} root @param {string} folder @returns {string[]} */
function listFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (!entry.isDirectory()) return [path]
    return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : listFiles(root, path)
  })
}

/** @param {import('./house/read-paper.mjs').Walk | undefined} walk */
function countWalk(walk) {
  return walk ? filesOf(walk).length : null
}

/** @param {Inspected[]} houses */
function printTable(houses) {
  const rooms = houses[0]?.rooms ?? []
  const rows = [
    ['', 'goal', ...houses.map(({ root }) => basename(root))],
    ...FIGURES.map(({ name, goal, of }) => [name, goal, ...houses.map((one) => of(one) ?? '–')]),
    ...rooms.map(({ name }, place) => [
      `  of these in ${name === '.' ? 'the root' : name}`,
      '',
      ...houses.map(({ rooms }) => `${rooms[place]?.files} / ${rooms[place]?.lines}`),
    ]),
    [
      'apart: exercises/browser',
      '',
      ...houses.map(({ exercises: { files, lines } }) => `${files} / ${lines}`),
    ],
  ].map((row) => row.map(String))
  const widths = rows[0]?.map((_, place) => Math.max(...rows.map((row) => row[place]?.length ?? 0)))
  for (const row of rows)
    console.log(
      row
        .map((cell, place) =>
          place === 0 ? cell.padEnd(widths?.[0] ?? 0) : cell.padStart(widths?.[place] ?? 0),
        )
        .join('  '),
    )
  for (const { root, mutualModules } of houses)
    for (const [one, two] of mutualModules) console.log(`${basename(root)}: ${one} ⇄ ${two}`)
}

/** @param {Inspected} house */
function printDetails({ root, longestChain, fragments, repeatedNames, walks }) {
  const print = (/** @type {string} */ title, /** @type {string[]} */ lines) =>
    console.log(['', `${basename(root)}: ${title}`, ...lines.map((line) => `  ${line}`)].join('\n'))
  print('longest import chain', longestChain)
  print('files under 40 lines, one importer, no test', fragments)
  print(
    'exported names that exist twice',
    repeatedNames.map(({ name, paths }) => `${name}: ${paths.join(', ')}`),
  )
  for (const { title, gaps } of walks)
    if (gaps.length > 0) print(`not imported by what stands before it: ${title}`, gaps)
}
