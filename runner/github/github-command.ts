import { appendFileSync, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import {
  type ChangeReport,
  type CommentFrame,
  changeComment,
  commentMarker,
  concludeCheck,
  emptyComment,
} from '#lib/domain/change/index.ts'
import { digestJson } from '#lib/domain/digest/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { takeKeys } from '#lib/setup/take-keys.mjs'
import { compareResults } from '../change/compare-command.ts'
import { withSuite } from '../cli/open-suite.ts'
import { printResult, writeError } from '../cli/output.ts'
import { listResultFiles } from '../cli/read-files.ts'
import { writeAtomic } from '../engine/files.ts'
import { runnerVersion } from '../engine/resolve-environment.ts'
import { fromProject, PROJECT_FILE, readProject } from '../project/read-project.ts'
import { usageError } from '../runner-error.ts'
import { git } from '../sandbox/process/git.ts'
import { type Env, RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { isFile, readText } from '../user-files.ts'
import { githubAccess } from './github-api.ts'
import { postCheck, postComment } from './post-comparison.ts'

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
  return withSuite(fromProject(project, project.suite), async ({ suite }) => {
    const basis = { tasks, suiteDigest: suite.digest, runner: runnerVersion() }
    const digest = digestJson(basis).slice('sha256:'.length, 'sha256:'.length + KEY_LETTERS)
    printResult(`base=${commit}\nkey=proofboard-${commit}-${digest}`)
  })
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
  const comment = await reportComparison(options, event)
  if (options.dryRun) {
    printResult(comment.body.trimEnd())
    return
  }
  writeSummary(comment.body)
  await deliverComparison(comment, options, event)
  if (comment.isFailed) process.exitCode = 1
}

type ComparisonReport = {
  body: string
  check: ReturnType<typeof concludeCheck>
  /** True if the head commit was not measured. */
  isFailed: boolean
}

async function reportComparison(options: Options, event: WorkflowEvent): Promise<ComparisonReport> {
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
  { body, check }: ComparisonReport,
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

/**
 * Chooses the commit that differs from the checkout in `folder` by the change alone. An event is older than the
 * checkout if the base moved on or was force-pushed, so the history decides if there is one: the first parent of a test
 * merge, else the newest common commit. Null = unknown.
 */
async function chooseBase(folder: string, event: WorkflowEvent): Promise<string | null> {
  const run = (...args: string[]) => git(['-C', folder, ...args]).catch(() => '')
  // The commit itself names its parents, even if a shallow clone has none of them.
  const parents = parentsOf(await run('cat-file', 'commit', 'HEAD'))
  const [first = null] = parents
  const own = await run('rev-parse', 'HEAD')
  const isMerge = event.pull !== null && parents.length === 2 && own !== event.head
  if (isMerge && (parents[1] === event.head || own === event.sha)) return first
  if (event.base === null || /^0+$/.test(event.base)) return event.pull === null ? first : null
  const shared = await run('merge-base', event.base, 'HEAD')
  if (shared === '') return event.base
  return shared === own ? first : shared
}

function parentsOf(commit: string): string[] {
  const [head = ''] = commit.split('\n\n')
  return [...head.matchAll(/^parent ([0-9a-f]{40,64})$/gm)].map(([, id = '']) => id)
}

const shaSchema = z.string().regex(/^[0-9a-f]{40,64}$/)

/** A fork that was deleted is null. */
const repoSchema = z.object({ full_name: z.string() }).nullish()

const eventSchema = z.object({
  pull_request: z
    .object({
      number: z.number().int().positive(),
      head: z.object({ sha: shaSchema, repo: repoSchema }),
      base: z.object({ sha: shaSchema, repo: repoSchema }),
    })
    .optional(),
  merge_group: z.object({ head_sha: shaSchema, base_sha: shaSchema }).optional(),
  before: shaSchema.optional().catch(undefined),
})

/** The event that started a workflow; null = unknown. */
type WorkflowEvent = {
  pull: number | null
  /** A pull request of another repository, which is given no secrets. */
  isFork: boolean
  head: string | null
  base: string | null
  /** The commit that the workflow runs on: for a pull request, its test merge. */
  sha: string | null
  runUrl: string | null
}

/**
 * Reads the event of a workflow's run from its environment: a pull request, else a merge queue's group, else the pushed
 * commit. `base` comes from the event; `chooseBase` compares it with the checkout.
 */
function readEvent(env: Env): WorkflowEvent {
  const event = eventSchema.safeParse(readEventFile(env.GITHUB_EVENT_PATH))
  const pull = event.success ? event.data.pull_request : undefined
  const group = event.success ? event.data.merge_group : undefined
  const pushed = shaSchema.safeParse(env.GITHUB_SHA)
  return {
    pull: pull?.number ?? null,
    isFork: pull?.base.repo != null && pull.head.repo?.full_name !== pull.base.repo.full_name,
    head: pull?.head.sha ?? group?.head_sha ?? (pushed.success ? pushed.data : null),
    base: pull?.base.sha ?? group?.base_sha ?? (event.success ? (event.data.before ?? null) : null),
    sha: pushed.success ? pushed.data : null,
    runUrl: runAddress(env),
  }
}

function readEventFile(path: string | undefined): unknown {
  if (path === undefined || !isFile(path)) return {}
  const read = readText(path)
  return read.ok ? parseJson(read.text) : {}
}

function runAddress({
  GITHUB_SERVER_URL: server,
  GITHUB_REPOSITORY: repository,
  GITHUB_RUN_ID: id,
}: Env): string | null {
  const isWhole = /^https:\/\/[\w.-]+$/.test(server ?? '') && /^\d+$/.test(id ?? '')
  return isWhole && /^[\w.-]+\/[\w.-]+$/.test(repository ?? '')
    ? `${server}/${repository}/actions/runs/${id}`
    : null
}
