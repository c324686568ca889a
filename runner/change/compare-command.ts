import { basename, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { buildResultRows } from '#lib/domain/board/index.ts'
import {
  buildChange,
  type ChangeReport,
  type ChangeSide,
  changeMarkdown,
  changeReportSchema,
  changeTerminal,
} from '#lib/domain/change/index.ts'
import type { AnyBundle } from '#lib/domain/record/index.ts'
import { finderIn, openSuites } from '../cli/open-suite.ts'
import { printResult } from '../cli/output.ts'
import { readAnyBundle, requireResultFiles } from '../cli/read-files.ts'
import { writeAtomic } from '../engine/files.ts'
import { usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'

const FORMATS = ['terminal', 'markdown', 'json'] as const

type Options = {
  format: (typeof FORMATS)[number]
  output?: string
  failOn?: 'worse'
  names?: string
}

const HELP = `
The verdict is about the second result: better, worse, no difference shown (none larger than 10 points), or
undecided. A result is a run folder, a result.json, or a folder of run folders; entries are matched by name and model.

Exit codes: 0 = compared, whatever the verdict; 1 = the verdict that --fail-on names; 2 = a usage error.`

/** `proofboard compare`: compares two sets of results. */
export function addCompareCommand(program: Command): void {
  program
    .command('compare')
    .description('compare two results: verdict, interval, tasks that differ, cost; needs no server')
    .argument('<baseline>', 'a run folder, a result.json, or a folder of run folders')
    .argument('<candidate>', 'what is compared with it')
    .addOption(
      new Option('--format <format>', 'output format').choices(FORMATS).default('terminal'),
    )
    .option('--output <file>', 'write to this file instead of stdout')
    .addOption(
      new Option('--fail-on <verdict>', 'exit 1 if the second result is worse').choices(['worse']),
    )
    .option('--names <a,b>', 'names of the two results, for example base,head')
    .addHelpText('after', HELP)
    .action(compare)
}

async function compare(baseline: string, candidate: string, options: Options): Promise<void> {
  const report = await compareResults([baseline, candidate], options.names)
  const text = render(report, options)
  if (options.output === undefined) printResult(text.trimEnd())
  else await writeAtomic(resolve(options.output), `${text.trimEnd()}\n`)
  if (options.failOn === 'worse' && report.verdict === 'worse') process.exitCode = 1
}

/** Reads both results and compares them. Throws a RunnerError that explains what is wrong with them. */
export async function compareResults(
  paths: readonly [string, string],
  names?: string,
): Promise<ChangeReport> {
  const [before, after] = paths.map(readSide)
  if (!before || !after) throw usageError('compare needs two results')
  const named = sideNames(paths, names)
  const suites = await openSuites([...before, ...after].map(({ plan }) => plan.suiteId))
  const side = (bundles: readonly AnyBundle[], name: string): ChangeSide => ({
    name,
    runIds: [...new Set(bundles.map(({ runId }) => runId))],
    rows: buildResultRows(bundles, { provenance: 'local', findSuite: finderIn(suites) }),
  })
  return buildChange({
    baseline: side(before, named[0]),
    candidate: side(after, named[1]),
    suites,
  })
}

function readSide(path: string): AnyBundle[] {
  const files = requireResultFiles(path, 'a run folder or a result file')
  const bundles = files.map(readAnyBundle)
  if (bundles.every(({ episodes }) => episodes.length === 0))
    throw usageError(`${path} contains no episode: there is nothing to compare`)
  refuseTwice(path, bundles)
  return bundles
}

/** The same run twice, unless as shards, would count its episodes twice. */
function refuseTwice(path: string, bundles: readonly AnyBundle[]): void {
  const keys = bundles.map(({ runId, shard }) => `${runId} ${shard.index}/${shard.count}`)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice) throw usageError(`${path} contains ${twice.split(' ')[0]} twice: leave one out`)
}

/** Returns short names for the two sides: as given, else the names of their folders or files. */
function sideNames(
  paths: readonly [string, string],
  requested: string | undefined,
): [string, string] {
  if (requested !== undefined) {
    const [a = '', b = '', ...more] = requested.split(',').map((name) => name.trim())
    if (a === '' || b === '' || a === b || more.length > 0)
      throw usageError('--names must be two different names separated by a comma', '--names')
    return [a, b]
  }
  const [a, b] = paths.map((path) => basename(resolve(path)).replace(/\.json$/, ''))
  return a && b && a !== b ? [a, b] : ['baseline', 'candidate']
}

const WIDTH = 80

function render(report: ChangeReport, { format, output }: Options): string {
  if (format === 'json') return JSON.stringify(changeReportSchema.parse(report), null, 2)
  if (format === 'markdown') return changeMarkdown(report)
  const isTerminal = output === undefined && process.stdout.isTTY === true
  const isColoured = isTerminal && !RUNNER_ENV.NO_COLOR && RUNNER_ENV.TERM !== 'dumb'
  return changeTerminal(report, { columns: WIDTH, isColoured })
}
