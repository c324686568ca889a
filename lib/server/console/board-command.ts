import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { describeCopyReport, firstDifference } from '#lib/domain/archive/index.ts'
import { boardSchema, compareBoards, describeRowEffect } from '#lib/domain/board/index.ts'
import { countOf, parseJson } from '#lib/domain/text/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { exportArchive } from '#lib/server/care/export-archive.ts'
import { readUtf8File } from '#lib/server/care/read-utf8-file.ts'
import { rebuild } from '#lib/server/care/rebuild-archive.ts'
import { checkFolder } from '#lib/server/static/check-folder.ts'
import { exportSite } from '#lib/server/static/export-site.ts'
import { describeFiles, printError, printJson, printText } from './output.ts'

/** `proofboard server board …`: export, rebuild, check-static. */
export function addBoardCommand(program: Command): void {
  const board = program.command('board').description('export and rebuild leaderboards')
  board
    .command('export')
    .description('export the suites, results, ledger and leaderboards of this server')
    .option('--to <dir>', 'a new or empty folder')
    .option('--with-evidence', 'also the stored files of the episodes')
    .option(
      '--static <dir>',
      'instead: the board with its episodes as pages for any file server; a new folder or an earlier export',
    )
    .option('--episodes <count>', 'with --static: the most episodes with pages and logs', '500')
    .option('--max-files <count>', 'with --static: refuse a larger site', '100000')
    .option('--max-size <MB>', 'with --static: refuse a larger site', '1000')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(exportBoard)
  addCheckStatic(board)
  board
    .command('rebuild')
    .description('compute the leaderboard of a suite from its artifacts, identical to the API')
    .requiredOption('--from <dir>', 'an exported archive, a data directory, or run folders')
    .option('--suite <id>', 'suite, if there are several')
    .option('--suite-version <digest>', 'an earlier version of the suite')
    .option('--out <file>', 'output file (default: stdout)')
    .option(
      '--check <file>',
      'compare with this leaderboard and list the entries that differ; exit 1 if there are any',
    )
    .action(rebuildFrom)
}

type ExportOptions = {
  to?: string
  withEvidence?: boolean
  static?: string
  episodes: string
  maxFiles: string
  maxSize: string
  json?: boolean
}

async function exportBoard(options: ExportOptions): Promise<void> {
  const { to, withEvidence = false, json } = options
  if ((to === undefined) === (options.static === undefined)) {
    const message =
      'choose where to write: --to <dir> for an archive, or --static <dir> for a website'
    throw new AppError('invalid-request', message)
  }
  if (options.static !== undefined) return exportStatic(options.static, options)
  const summary = await exportArchive(env().dataDir, to ?? '', { withEvidence })
  const { to: target, files, runs, bytes } = summary
  if (json) printJson(summary)
  else printText(`${target}: ${describeFiles(files, bytes)}, ${countOf(runs, 'run')}`)
}

const BYTES_OF_MB = 1e6

async function exportStatic(
  to: string,
  { episodes, maxFiles, maxSize, json, withEvidence }: ExportOptions,
): Promise<void> {
  if (withEvidence)
    throw new AppError(
      'invalid-request',
      '--with-evidence is of --to: a site has the files of its episodes',
    )
  const summary = await exportSite(to, {
    maxEpisodes: readCount(episodes, '--episodes'),
    maxFiles: readCount(maxFiles, '--max-files'),
    maxBytes: readCount(maxSize, '--max-size') * BYTES_OF_MB,
    onProgress: printError,
  })
  const { to: target, pages, files, bytes, seconds, episodesLeftOut } = summary
  if (episodesLeftOut > 0)
    printError(
      `${countOf(episodesLeftOut, 'episode has', 'episodes have')} no pages in the copy: raise --episodes for more`,
    )
  if (json) printJson(summary)
  else
    printText(`${target}: ${countOf(pages, 'page')}, ${describeFiles(files, bytes)}, ${seconds} s`)
}

function readCount(text: string, option: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new AppError(
    'invalid-request',
    `${option} expects a whole number, not "${text.slice(0, 40)}"`,
  )
}

function addCheckStatic(board: Command): void {
  board
    .command('check-static')
    .description('check a static copy: every file, the ledger and the sealed results')
    .argument('<folder>', 'what board export --static wrote')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(checkStatic)
}

async function checkStatic(folder: string, { json }: { json?: boolean }): Promise<void> {
  const report = await checkFolder(resolve(folder))
  const { isWhole, title, lines } = describeCopyReport(report)
  if (json) printJson(report)
  else printText(title)
  for (const line of lines) printError(line)
  if (!isWhole) process.exitCode = 1
}

type RebuildOptions = {
  from: string
  suite?: string
  suiteVersion?: string
  out?: string
  check?: string
}

async function rebuildFrom(options: RebuildOptions): Promise<void> {
  const { from, suite, suiteVersion, out, check } = options
  const wanted = check === undefined ? null : readUtf8File(resolve(check))
  const { text, notes } = await rebuild(resolve(from), {
    suiteId: suite ?? null,
    version: suiteVersion ?? null,
  })
  for (const note of notes) printError(note)
  if (out !== undefined) writeOut(resolve(out), text)
  else if (wanted === null) process.stdout.write(text)
  if (wanted !== null) compare(text, wanted, check ?? '')
}

function writeOut(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    const message = `${file} cannot be written: ${(cause as Error).message}`
    throw new AppError('invalid-request', message, { cause })
  }
}

function compare(text: string, wanted: string, file: string): void {
  if (text === wanted) {
    printText(`${file}: identical`)
    return
  }
  process.exitCode = 1
  printError(`${file} differs: ${describeDifference(text, wanted)}`)
  for (const line of listChangedRows(text, wanted)) printText(line)
}

/** Lists the entries whose rank, rate or reason differs here, one line each. */
function listChangedRows(text: string, wanted: string): string[] {
  const [before, after] = [wanted, text].map((board) => boardSchema.safeParse(parseJson(board)))
  if (!before?.success || !after?.success) return []
  const { rows, more } = compareBoards(before.data, after.data)
  const lines = rows.map((row) => {
    const reasons = row.lost.map(({ reason }) => reason)
    return [`${row.name} (${row.rowId}): ${describeRowEffect(row).join(', ')}`, ...reasons].join(
      '; ',
    )
  })
  return more > 0 ? [...lines, `and ${countOf(more, 'more entry')}`] : lines
}

function describeDifference(text: string, wanted: string): string {
  try {
    const difference = firstDifference(JSON.parse(wanted), JSON.parse(text))
    return difference ?? 'it has the same values, written in another way'
  } catch {
    return 'it is not JSON'
  }
}
