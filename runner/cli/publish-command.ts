import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import {
  type Board,
  boardFile,
  boardOfResults,
  countRows,
  formatRowCounts,
  insertBetweenMarkers,
  publishedMarkdown,
  serializeBoard,
} from '#lib/domain/board/index.ts'
import type { Bundle, Provenance } from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { loadSite } from '#lib/site/load-site.ts'
import { writeSite } from '#lib/site/write-site.ts'
import { writeAtomic } from '../engine/files.ts'
import { usageError } from '../runner-error.ts'
import { isFolder, readText } from '../user-files.ts'
import { siteOfResults } from '../view/read-results.ts'
import { openSuite, withVerifier } from './open-suite.ts'
import { provenanceOption } from './options.ts'
import { printJsonResult, printResult, writeError } from './output.ts'
import { readBundle, requireResultFiles } from './read-files.ts'

type Options = { to: string; keep?: string; readme?: string[]; as: Provenance; json?: boolean }

/** `proofboard publish`: writes the board of result files as static pages. */
export function addPublishCommand(program: Command): void {
  program
    .command('publish')
    .description(
      'write the leaderboards of result files as JSON, Markdown and pages, with every episode; needs no server',
    )
    .argument('<paths...>', 'result.json files, run folders, or folders of them')
    .requiredOption(
      '--to <dir>',
      'output folder: index.html and its pages, leaderboard.md, <suite>.json',
    )
    .option(
      '--keep <dir>',
      'a folder of earlier results to include; new results are added to it as <run id>.json',
    )
    .option(
      '--readme <file...>',
      'also write the tables between <!-- proofboard:start --> and <!-- proofboard:end --> of this file',
    )
    .addOption(provenanceOption())
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(publish)
}

async function publish(paths: string[], options: Options): Promise<void> {
  const given = uniqueRuns(paths.flatMap(listGiven))
  const results =
    options.keep === undefined ? given : uniqueRuns([...listKept(options.keep), ...given])
  const bundles = results.map(({ bundle }) => bundle)
  const { boards: built, leftOut } = await buildBoards(bundles, options.as)
  const boards = built.map(({ board }) => board)
  if (boards.length === 0)
    throw usageError(`no leaderboard can be made: ${leftOut[0] ?? 'there are no results'}`)
  const markdown = publishedMarkdown(boards)
  // All checks come before the first byte is written.
  const readmes = (options.readme ?? []).map((file) => fillReadme(file, markdown))
  if (options.keep !== undefined) await keepResults(given, options.keep)
  const files = [
    ...boards.map((board) => ({
      name: boardFile(board.suite.suiteId),
      text: serializeBoard(board),
    })),
    { name: 'leaderboard.md', text: markdown },
  ].map(({ name, text }) => ({ path: join(resolve(options.to), name), text }))
  const pages = await writePages(results, built, options)
  for (const { path, text } of [...files, ...readmes]) await writeAtomic(path, text)
  for (const line of leftOut) writeError(`left out: ${line}`)
  const rows = boards.flatMap((board) => board.rows)
  const index = join(resolve(options.to), 'index.html')
  const written = [...files, ...readmes].map(({ path }) => path).concat(index)
  if (options.json)
    printJsonResult({
      boards: boards.length,
      rows: rows.length,
      runs: bundles.length,
      pages,
      written,
      leftOut,
    })
  else
    printResult(
      [
        `${formatRowCounts(countRows(rows))} of ${countOf(bundles.length, 'run')}, ${countOf(pages, 'page')}`,
        ...written,
      ].join('\n'),
    )
}

/** Writes the pages of all runs on a board; returns their number. */
async function writePages(
  results: readonly ResultFile[],
  built: Built['boards'],
  { to, as: provenance }: Options,
): Promise<number> {
  const suites = built.map(({ suite }) => suite)
  const bundles = results.filter(({ bundle: { plan } }) =>
    suites.some(({ digest }) => digest === plan.suiteDigest),
  )
  const { openSite, assets } = await loadSite()
  const site = openSite(siteOfResults({ bundles, suites, provenance }))
  return (await writeSite(site, assets, resolve(to))).pages
}

type ResultFile = { file: string; bundle: Bundle }

const readFile = (file: string): ResultFile => ({ file, bundle: readBundle(file) })

/** A folder stands for the results in it and in its direct subfolders. */
function listGiven(path: string): ResultFile[] {
  return requireResultFiles(path, 'run folders or result files').map(readFile)
}

const RESULT_FILE = /^run_[0-9a-z]+(\.\d+-\d+)?\.json$/

function listKept(folder: string): ResultFile[] {
  if (!existsSync(folder)) return []
  if (!isFolder(folder)) throw usageError(`--keep: ${folder} is not a folder`)
  const names = readdirSync(folder).filter((name) => RESULT_FILE.test(name))
  return names.map((name) => readFile(join(folder, name)))
}

/** Keeps the last reading of each run; sorted, so that the order of arguments does not matter. */
function uniqueRuns(results: readonly ResultFile[]): ResultFile[] {
  const byName = new Map(results.map((result) => [nameOf(result), result]))
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, result]) => result)
}

function nameOf({ bundle: { runId, shard } }: ResultFile): string {
  const { index, count } = shard
  return count > 1 ? `${runId}.${index}-${count}` : runId
}

async function keepResults(results: readonly ResultFile[], folder: string): Promise<void> {
  for (const result of results)
    await writeAtomic(
      join(resolve(folder), `${nameOf(result)}.json`),
      `${JSON.stringify(result.bundle)}\n`,
    )
}

function fillReadme(file: string, markdown: string): { path: string; text: string } {
  if (!existsSync(file)) throw usageError(`--readme: ${file} does not exist`)
  const read = readText(file)
  if (!read.ok) throw usageError(`--readme: cannot read ${file}: ${read.problem}`)
  const filled = insertBetweenMarkers(read.text, markdown)
  if (!filled.ok) throw usageError(`--readme: ${file} ${filled.problem}`)
  return { path: resolve(file), text: filled.text }
}

type Built = { boards: { board: Board; suite: Suite }[]; leftOut: string[] }

/** Builds the boards of the results at these paths. */
export function readBoards(paths: readonly string[], provenance: Provenance): Promise<Built> {
  const results = uniqueRuns(paths.flatMap(listGiven))
  return buildBoards(
    results.map(({ bundle }) => bundle),
    provenance,
  )
}

/** Builds one board per suite that exists here; results of another version of it are reported and left out. */
async function buildBoards(bundles: readonly Bundle[], provenance: Provenance): Promise<Built> {
  const built: Built = { boards: [], leftOut: [] }
  return withVerifier(async (verifier) => {
    for (const suiteId of [...new Set(bundles.map(({ plan }) => plan.suiteId))].sort()) {
      const own = bundles.filter(({ plan }) => plan.suiteId === suiteId)
      const { suite } = await openSuite(suiteId, verifier)
      const present = own.filter(({ plan }) => plan.suiteDigest === suite.digest)
      for (const { runId } of own.filter((bundle) => !present.includes(bundle)))
        built.leftOut.push(`${runId} measured another version of suite ${suiteId}`)
      if (present.length > 0)
        built.boards.push({ suite, board: boardOfResults(present, suite, provenance) })
    }
    return built
  })
}
