import { appendFileSync, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import {
  type ChangeReport,
  type CommentFrame,
  changeComment,
  commentMarker,
  concludeCheck,
  emptyComment,
} from '#lib/domain/change/index.ts'
import { digestJson } from '#lib/domain/digest/index.ts'
import { takeKeys } from '#lib/setup/take-keys.mjs'
import { compareResults } from '../change/compare-command.ts'
import { LazyVerifier, openSuite } from '../cli/open-suite.ts'
import { printResult, writeError } from '../cli/output.ts'
import { listResultFiles } from '../cli/read-files.ts'
import { writeAtomic } from '../engine/files.ts'
import { runnerVersion } from '../engine/resolve-environment.ts'
import { fromProject, PROJECT_FILE, readProject } from '../project/read-project.ts'
import { usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { chooseBase } from './choose-base.ts'
import { githubAccess } from './github-api.ts'
import { postCheck, postComment } from './post-comparison.ts'
import { readEvent, type WorkflowEvent } from './workflow-event.ts'

/** `proofboard github`: runs the steps of the "compare" action as commands, on any machine. */
export function addGithubCommand(program: Command): void {
  const github = program.command('github').description('steps of the GitHub Action "compare"')
  github
    .command('key')
    .description('print, for $GITHUB_OUTPUT, the base commit and the key its results are cached by')
    .option('--config <file>', 'project file of the head commit', PROJECT_FILE)
    .option('--base <sha>', 'base commit (default: that of the event)')
    .action(printKey)
  github
    .command('report')
    .description('compare base and head, write one comment on the pull request, and a check')
    .requiredOption('--baseline <path>', 'results of the base commit; may be missing')
    .requiredOption('--candidate <path>', 'results of the head commit')
    .option('--key <name>', 'distinguishes several comparisons of one pull request', 'default')
    .addOption(
      new Option('--on-worse <conclusion>', 'how the check ends where head is worse')
        .choices(['failure', 'neutral'])
        .default('failure'),
    )
    .option('--author <login>', 'whose comment is edited', 'github-actions[bot]')
    .option('--output <file>', 'also write the comparison as JSON to this file')
    .option('--dry-run', 'print the comment and post nothing')
    .addHelpText('after', HELP)
    .action(report)
}

const HELP = `
Reads GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_API_URL, GITHUB_EVENT_PATH, GITHUB_STEP_SUMMARY. The token needs
pull-requests: write and checks: write; without them (a fork) the comparison is only in the job summary.

Exit codes: 0 = said; 1 = head is worse and no check could say so, head has no results, or GitHub could not be
reached; 2 = a usage error.`

async function printKey({ config, base }: { config: string; base?: string }): Promise<void> {
  const event = readEvent(RUNNER_ENV)
  const commit = base ?? (await chooseBase(dirname(resolve(config)), event))
  if (commit === null) throw usageError('no base commit is known: name it with --base', '--base')
  if (!/^[0-9a-f]{40,64}$/.test(commit))
    throw usageError(
      `"${commit.slice(0, 80)}" is not a whole commit id: use that of git rev-parse`,
      '--base',
    )
  const project = readProject(config)
  const { folder: _, subjects, ...tasks } = project
  if (event.isFork && subjects.some(({ model }) => model !== undefined) && !hasModelKey()) {
    writeSummary(NO_KEY)
    writeError(NO_KEY)
    return printResult(`base=${commit}\nskip=true`)
  }
  const verifier = new LazyVerifier()
  try {
    const { suite } = await openSuite(fromProject(project, project.suite), verifier)
    const basis = { tasks, suiteDigest: suite.digest, runner: runnerVersion() }
    const digest = digestJson(basis).slice('sha256:'.length, 'sha256:'.length + KEY_LETTERS)
    printResult(`base=${commit}\nkey=proofboard-${commit}-${digest}`)
  } finally {
    await verifier.close()
  }
}

const KEY_LETTERS = 16

const NO_KEY = 'no key on pull requests of forks: skipped'

function hasModelKey(): boolean {
  // A secret that is not given is empty.
  return Object.entries(takeKeys()).some(([name, key]) => name !== 'GITHUB_TOKEN' && key !== '')
}

type Options = {
  baseline: string
  candidate: string
  key: string
  onWorse: 'failure' | 'neutral'
  author: string
  output?: string
  dryRun?: boolean
}

async function report(options: Options): Promise<void> {
  const read = readEvent(RUNNER_ENV)
  const event = { ...read, base: await chooseBase('.', read) }
  const said = await reportComparison(options, event)
  if (options.dryRun) {
    printResult(said.body.trimEnd())
    return
  }
  writeSummary(said.body)
  await deliverComparison(said, options, event)
  if (said.isFailed) process.exitCode = 1
}

type Said = {
  body: string
  check: ReturnType<typeof concludeCheck>
  /** True if the head commit was not measured. */
  isFailed: boolean
}

async function reportComparison(options: Options, event: WorkflowEvent): Promise<Said> {
  const { baseline, candidate, key, onWorse, output } = options
  const { head, base, runUrl } = event
  const frame: CommentFrame = { key, head: head ?? '', base: base ?? '', runUrl }
  const missing = whatIsMissing(baseline, candidate)
  if (missing) {
    const check = { conclusion: 'neutral', title: 'Not comparable' } as const
    return { body: emptyComment(missing.why, frame), check, isFailed: missing.isHead }
  }
  const change: ChangeReport = await compareResults([baseline, candidate], 'base,head')
  if (output !== undefined)
    await writeAtomic(resolve(output), `${JSON.stringify(change, null, 2)}\n`)
  return {
    body: changeComment(change, frame),
    check: concludeCheck(change, onWorse),
    isFailed: false,
  }
}

function whatIsMissing(baseline: string, candidate: string) {
  const isThere = (path: string) => existsSync(path) && listResultFiles(path).length > 0
  if (!isThere(candidate))
    return { why: 'The head commit has no results: see the log of its run.', isHead: true }
  if (!isThere(baseline))
    return {
      why: 'The base commit has no results to compare with: it has no `proofboard.yaml`, or its run failed (see its log).',
      isHead: false,
    }
  return null
}

/** Writes the job summary, which can be a megabyte long, much longer than a comment. */
function writeSummary(body: string): void {
  const file = RUNNER_ENV.GITHUB_STEP_SUMMARY
  if (file) appendFileSync(file, `${body}\n`)
}

async function deliverComparison(
  { body, check }: Said,
  { key, author }: Options,
  { pull, head }: WorkflowEvent,
): Promise<void> {
  // It is also the key of a model provider, and was therefore removed from the environment.
  const access = githubAccess({ ...RUNNER_ENV, GITHUB_TOKEN: takeKeys().GITHUB_TOKEN })
  const onWait = (why: string) => writeError(`${access.api.host}: ${why}`)
  if (pull === null) printResult('comment: none, because this is not a pull request')
  else {
    const marker = commentMarker(key)
    const posted = await postComment(access, { pull, marker, body, author }, onWait)
    printResult(posted === 'denied' ? DENIED_COMMENT : `comment: ${posted}`)
  }
  const name = key === 'default' ? 'proofboard' : `proofboard (${key})`
  const isTold =
    head !== null &&
    (await postCheck(access, { commit: head, name, ...check, summary: body }, onWait))
  printResult(isTold ? `check: ${check.conclusion}, ${check.title}` : DENIED_CHECK)
  if (!isTold && check.conclusion === 'failure') process.exitCode = 1
}

const DENIED_COMMENT =
  'comment: not written, because the token may not (a pull request of a fork, or no pull-requests: write); the comparison is in the job summary'
const DENIED_CHECK =
  'check: not written, because the token may not (a pull request of a fork, or no checks: write); this step fails where head is worse'
