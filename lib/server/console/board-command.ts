import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { firstDifference } from '#lib/domain/archive/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { exportArchive } from '#lib/server/care/export-archive.ts'
import { readUtf8File } from '#lib/server/care/read-export.ts'
import { rebuild } from '#lib/server/care/rebuild-archive.ts'
import { printError, printJson, printText } from './output.ts'

/** `proofboard board …`: export, rebuild. */
export function addBoardCommand(program: Command): void {
  const board = program.command('board').description('export and rebuild leaderboards')
  board
    .command('export')
    .description('export the suites, results, ledger and leaderboards of this server')
    .requiredOption('--to <dir>', 'a new or empty folder')
    .option('--with-evidence', 'also the stored files of the episodes')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(exportTo)
  board
    .command('rebuild')
    .description('compute the leaderboard of a suite from its artifacts, identical to the API')
    .requiredOption('--from <dir>', 'an exported archive, a data directory, or run folders')
    .option('--suite <id>', 'suite, if there are several')
    .option('--suite-version <digest>', 'an earlier version of the suite')
    .option('--out <file>', 'output file (default: stdout)')
    .option('--check <file>', 'compare with this leaderboard; exit 1 if they differ')
    .action(rebuildFrom)
}

type ExportOptions = { to: string; withEvidence?: boolean; json?: boolean }

function exportTo({ to, withEvidence = false, json }: ExportOptions): void {
  const summary = exportArchive(env().dataDir, to, { withEvidence })
  const { to: target, files, runs, bytes } = summary
  if (json) printJson(summary)
  else printText(`${target}: ${files} files, ${runs} runs, ${bytes} bytes`)
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
}

function describeDifference(text: string, wanted: string): string {
  try {
    const difference = firstDifference(JSON.parse(wanted), JSON.parse(text))
    return difference ?? 'it holds the same values, written in another way'
  } catch {
    return 'it is not JSON'
  }
}
