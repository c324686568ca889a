import { existsSync, readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Bundle } from '#lib/domain/bundle.ts'
import { countSlots } from '#lib/domain/expand-plan.ts'
import { mergeBundles } from '#lib/domain/merge-bundles.ts'
import { isScored } from '#lib/domain/outcome.ts'
import { mergeFolders } from '../store/merge-folders.ts'
import { UsageError } from './cli-error.ts'
import { answer, answerJson } from './output.ts'
import { listResultFiles, readBundle } from './read-results.ts'

type Options = { out: string; partial?: boolean; json?: boolean }

/** `proofboard merge`: the shards of one plan as one run folder. Exit 1 = parts or scored episodes are missing. */
export function addMergeCommand(program: Command): void {
  program
    .command('merge')
    .description('merge the shards of a plan into one run folder with one result.json')
    .argument('<paths...>', 'run folders of the shards, or their parent folder')
    .requiredOption('--out <dir>', 'output folder; must be new or empty')
    .option('--partial', 'merge even if shards are missing')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(execute)
}

async function execute(paths: string[], options: Options): Promise<void> {
  const out = resolve(options.out)
  if (existsSync(out) && !isEmptyFolder(out))
    throw new UsageError(`${options.out} already exists: choose a new folder`)
  const parts = paths.flatMap(listParts).map((path) => ({ path, bundle: readBundle(path) }))
  const merged = mergeBundles(parts.map(({ bundle }) => bundle))
  if (!merged.ok) throw new UsageError(tellProblem(merged.problems[0], parts))
  const { bundle, missing } = merged.value
  const { count } = parts[0]?.bundle.shard ?? { count: 1 }
  if (missing.length > 0 && !options.partial) {
    throw new UsageError(
      `of ${count} shards ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing: run them, or merge what is there with --partial`,
    )
  }
  const files = await mergeFolders(
    parts.map(({ path, bundle: { episodes } }) => ({ path, episodes })),
    bundle,
    out,
  )
  tell({ bundle, missing, count, files, out }, options)
}

type Merged = { bundle: Bundle; missing: number[]; count: number; files: Files; out: string }
type Files = Awaited<ReturnType<typeof mergeFolders>>

function tell({ bundle, missing, count, files, out }: Merged, { json }: Options): void {
  const { runId, plan, episodes } = bundle
  const planned = countSlots(plan)
  const scored = episodes.filter(({ outcome }) => isScored(outcome.status)).length
  const whole = missing.length === 0 && scored === planned
  process.exitCode = whole ? 0 : 1
  if (json) {
    const sealed = episodes.length
    answerJson({ runId, planned, sealed, scored, shards: count, missing, ...files })
    return
  }
  answer(
    `${episodes.length} episodes of ${count - missing.length} shards, ${scored} of ${planned} planned ones scored\n${files.evidenceMissing} of ${files.evidence} evidence files were not there\n${out}`,
  )
}

/** A folder of shards stands for what it holds. */
function listParts(path: string): string[] {
  if (!existsSync(path))
    throw new UsageError(`${path} does not exist: enter the folders of the shards`)
  const files = listResultFiles(path)
  if (files.length > 0) return files
  throw new UsageError(`${path} contains no result.json: enter the folders of the shards`)
}

function tellProblem(
  problem: { path: string; message: string } | undefined,
  parts: readonly { path: string }[],
): string {
  if (!problem) return 'these results cannot be merged'
  const part = parts[Number.parseInt(problem.path, 10)]
  return part ? `${part.path} ${problem.message}` : problem.message
}

function isEmptyFolder(path: string): boolean {
  return statSync(path).isDirectory() && readdirSync(path).length === 0
}
