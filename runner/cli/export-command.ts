import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { type Command, Option } from 'commander'
import { exportBundle } from '#lib/domain/export/export-bundle.ts'
import { EXPORT_FORMATS, type ExportFormat } from '#lib/domain/export/export-formats.ts'
import { writeExport } from '#lib/domain/export/write-export.ts'
import { refuseTsBench } from '#lib/domain/export/write-ts-bench.ts'
import { UsageError } from './cli-error.ts'
import { readBundle } from './read-results.ts'

type Options = { format: ExportFormat; out?: string }

/** `proofboard export`: a result in the words of other tools, on stdout or in a file. */
export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description(
      'export a result.json as CSV, JSON Lines, JUnit, CTRF, Every Eval Ever or ts-bench',
    )
    .argument('<result>', 'a result.json, or the folder of its run')
    .addOption(
      new Option('--format <format>', 'output format')
        .choices(EXPORT_FORMATS)
        .makeOptionMandatory(),
    )
    .option('--out <file>', 'output file; must be new (default: stdout)')
    .action(execute)
}

async function execute(path: string, { format, out }: Options): Promise<void> {
  const bundle = readBundle(path)
  if (bundle.episodes.length === 0)
    throw new UsageError(`${path} holds no episode: there is nothing to write out`)
  const refusal = format === 'ts-bench' ? bundle.episodes.map(refuseTsBench).find(Boolean) : null
  if (refusal) throw new UsageError(`${path} cannot be written as ${format}: ${refusal}`)
  const target = out === undefined ? process.stdout : openFile(out)
  const pieces = writeExport(exportBundle(bundle), format)
  for await (const piece of pieces) if (!target.write(piece)) await once(target, 'drain')
  if (target === process.stdout) return
  const written = once(target, 'finish')
  target.end()
  await written
}

function openFile(out: string): NodeJS.WritableStream {
  const file = createWriteStream(out, { flags: 'wx' })
  file.once('error', (error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'already exists: choose a new file' : error.message
    process.stderr.write(`${out} ${why}\n`)
    process.exit(2)
  })
  return file
}
