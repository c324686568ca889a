import { existsSync, readdirSync } from 'node:fs'
import { copyFile, lstat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import {
  type Bundle,
  countSlots,
  type Episode,
  isScored,
  mergeBundles,
  type Plan,
} from '#lib/domain/record/index.ts'
import { countOf, pluralForm } from '#lib/domain/text/index.ts'
import { ENVELOPE_FILE } from '../engine/envelopes.ts'
import { makeFolder, writeAtomic } from '../engine/files.ts'
import { RunFolder, writeResult } from '../engine/run-folder.ts'
import { usageError } from '../runner-error.ts'
import { isFolder } from '../user-files.ts'
import { countOption, freshRunId, runIdOption, usdOption } from './options.ts'
import { printJsonResult, printResult } from './output.ts'
import { readBundle, readPlan, requireResultFiles } from './read-files.ts'

/** Workflow hosts reject a matrix with more jobs. */
const MAX_SHARDS = 256

type ShardsOptions = { count: number; runId?: string; spendCap?: number; json?: boolean }

/** `proofboard shards`: splits a plan for several machines; prints lines `name=value` for a workflow's output. */
export function addShardsCommand(program: Command): void {
  program
    .command('shards')
    .description('split a plan into shards; prints name=value lines for a workflow')
    .argument('<plan.json>')
    .option(
      '--count <n>',
      'maximum number of shards, at most one per episode',
      countOption('--count', MAX_SHARDS),
      8,
    )
    .option('--run-id <id>', 'run id of all shards (default: a new one)', runIdOption)
    .option(
      '--spend-cap <usd>',
      'cost limit of all shards in US dollars, split evenly',
      usdOption('--spend-cap'),
    )
    .option('--json', 'print one JSON object instead')
    .action(cutShards)
}

function cutShards(path: string, options: ShardsOptions): void {
  const cut = cutPlan(readPlan(path), options)
  if (options.json) printJsonResult(cut)
  else printResult(Object.entries(cut).map(outputLine).join('\n'))
}

function cutPlan(plan: Plan, { count, runId, spendCap }: ShardsOptions) {
  const episodes = countSlots(plan)
  const shards = Math.min(count, episodes)
  return {
    shards: Array.from({ length: shards }, (_, index) => index + 1),
    count: shards,
    episodes,
    'run-id': runId ?? freshRunId(),
    'plan-digest': plan.planDigest,
    kind: plan.settings.browser === undefined ? 'exercise' : 'browser',
    provider: plan.subject.provider,
    'spend-cap': spendCap === undefined ? null : partOf(spendCap, shards),
  }
}

/** US dollars per shard, rounded down, so that the sum stays below the cap; at least a millionth. */
function partOf(microUsd: number, shards: number): string {
  return (Math.max(1, Math.floor(microUsd / shards)) / 1e6).toFixed(6)
}

/** Unknown values are empty, like an input that was left blank. */
function outputLine([name, value]: [string, unknown]): string {
  return `${name}=${typeof value === 'object' ? (value ? JSON.stringify(value) : '') : String(value)}`
}

type MergeOptions = { out: string; partial?: boolean; json?: boolean }

/**
 * `proofboard merge`: merges the shards of a plan into one run folder. Exit 1 = parts or scored episodes are missing.
 */
export function addMergeCommand(program: Command): void {
  program
    .command('merge')
    .description('merge the shards of a plan into one run folder with one result.json')
    .argument('<paths...>', 'run folders of the shards, or their parent folder')
    .requiredOption('--out <dir>', 'output folder; must be new or empty')
    .option('--partial', 'merge even if shards are missing')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(mergeParts)
}

async function mergeParts(paths: string[], options: MergeOptions): Promise<void> {
  const out = resolve(options.out)
  if (existsSync(out) && !isEmptyFolder(out))
    throw usageError(`${options.out} already exists: choose a new folder`)
  const parts = paths
    .flatMap((path) => requireResultFiles(path, 'the folders of the shards'))
    .map((path) => ({ path, bundle: readBundle(path) }))
  const merged = mergeBundles(parts.map(({ bundle }) => bundle))
  if (!merged.ok) throw usageError(printProblem(merged.problems[0], parts))
  const { bundle, missing } = merged.value
  const { count } = parts[0]?.bundle.shard ?? { count: 1 }
  if (missing.length > 0 && !options.partial) {
    throw usageError(
      `of ${countOf(count, 'shard')} ${missing.join(', ')} ${pluralForm(missing.length, 'is', 'are')} missing: run them, or merge what is there with --partial`,
    )
  }
  const files = await mergeFolders(
    parts.map(({ path, bundle: { episodes } }) => ({ path, episodes })),
    bundle,
    out,
  )
  print({ bundle, missing, count, files, out }, options)
}

type Merged = { bundle: Bundle; missing: number[]; count: number; files: Files; out: string }
type Files = Awaited<ReturnType<typeof mergeFolders>>

function print({ bundle, missing, count, files, out }: Merged, { json }: MergeOptions): void {
  const { runId, plan, episodes } = bundle
  const planned = countSlots(plan)
  const scored = episodes.filter(({ outcome }) => isScored(outcome.status)).length
  const whole = missing.length === 0 && scored === planned
  process.exitCode = whole ? 0 : 1
  if (json) {
    const sealed = episodes.length
    printJsonResult({ runId, planned, sealed, scored, shards: count, missing, ...files })
    return
  }
  printResult(
    `${countOf(episodes.length, 'episode')} of ${countOf(count - missing.length, 'shard')}, ${scored} of ${countOf(planned, 'planned one')} scored\n${files.evidenceMissing} of ${countOf(files.evidence, 'evidence file was', 'evidence files were')} not there\n${out}`,
  )
}

function printProblem(
  problem: { path: string; message: string } | undefined,
  parts: readonly { path: string }[],
): string {
  if (!problem) return 'these results cannot be merged'
  const part = parts[Number.parseInt(problem.path, 10)]
  return part ? `${part.path} ${problem.message}` : problem.message
}

function isEmptyFolder(path: string): boolean {
  return isFolder(path) && readdirSync(path).length === 0
}

/** A shard: its folder or result.json, and its sealed episodes. */
type MergePart = { path: string; episodes: readonly Episode[] }

type MergeCount = { evidence: number; evidenceMissing: number }

/**
 * Writes one run folder from the shards' folders: plan, lock, every envelope, and the evidence that the envelopes name
 * and the shards still have. The result is written last, so an interrupted merge is recognisable.
 */
async function mergeFolders(
  parts: readonly MergePart[],
  bundle: Bundle,
  out: string,
): Promise<MergeCount> {
  const folder = new RunFolder(out)
  const { runId, plan, lock, shard, episodes } = bundle
  await makeFolder(out)
  await writeAtomic(folder.planPath, `${JSON.stringify(plan, null, 2)}\n`)
  await writeAtomic(folder.lockPath, `${JSON.stringify(lock, null, 2)}\n`)
  const count: MergeCount = { evidence: 0, evidenceMissing: 0 }
  for (const part of parts) {
    for (const episode of part.episodes) await mergeEpisode(episode, dirname(part.path), out, count)
  }
  await writeResult(folder, { runId, plan, lock, shard, episodes })
  return count
}

async function mergeEpisode(
  episode: Episode,
  from: string,
  to: string,
  count: MergeCount,
): Promise<void> {
  const { taskId, repetition, attempt } = episode
  const place = new RunFolder(from).attemptPath(taskId, repetition, attempt)
  for (const { path } of episode.evidence) {
    count.evidence++
    const source = join(from, place, path)
    const isFile = await lstat(source).then(
      (found) => found.isFile(),
      () => false,
    )
    if (isFile) await copy(source, join(to, place, path))
    else count.evidenceMissing++
  }
  await writeAtomic(join(to, place, ENVELOPE_FILE), `${JSON.stringify(episode, null, 2)}\n`)
}

async function copy(source: string, target: string): Promise<void> {
  await makeFolder(dirname(target))
  await copyFile(source, target)
}
