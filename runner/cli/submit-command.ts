import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { plainText, problemLines } from '#lib/domain/text/index.ts'
import { RunFolder } from '../engine/run-folder.ts'
import { isRunnerError, usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { inScratch } from '../scratch.ts'
import { deliver, readReply, type SubmitReply } from '../submit/deliver.ts'
import type { Payload } from '../submit/pack-payload.ts'
import { packPayload } from '../submit/pack-payload.ts'
import { type Auth, chooseToken, readTarget } from '../submit/target.ts'
import { isFolder } from '../user-files.ts'
import { countOption } from './options.ts'
import { printJsonResult, printResult, tellWait, writeError } from './output.ts'

type Options = {
  to: string
  auth: Auth
  audience?: string
  evidence: boolean
  plan?: string
  dryRun?: boolean
  tries: number
  insecure?: boolean
  say?: string[]
  json?: boolean
}

const EXIT_CODES = `
Exit codes: 0 = everything is stored, 1 = something was refused, 2 = a usage error,
3 = something could not be delivered: run the same command again.

The token is never an argument: set PROOFBOARD_TOKEN, or run in a workflow with "permissions: id-token: write".`

/** `proofboard submit`: sends results to a board. Exit 1 = refused, 3 = not delivered. */
export function addSubmitCommand(program: Command): void {
  program
    .command('submit')
    .description('upload results to a server: run folders with their evidence, or result files')
    .argument('<paths...>', 'run folders, a folder of them, or result.json and other result files')
    .requiredOption('--to <url>', 'the server, for example https://board.example')
    .addOption(
      new Option('--auth <kind>', 'authentication: workflow identity or upload token')
        .choices(['auto', 'oidc', 'token'])
        .default('auto'),
    )
    .option('--audience <text>', 'audience of the identity token, if the server uses another name')
    .option('--plan <plan.json>', 'the registered plan of a job folder of Harbor')
    .option('--no-evidence', 'upload only result.json of run folders')
    .option(
      '--say <field=value...>',
      'values that a file of another program lacks: subject=…, suite=…, model=…',
    )
    .option('--dry-run', 'validate only; stores nothing')
    .option('--tries <n>', 'maximum number of attempts per upload', countOption('--tries', 20), 5)
    .option('--insecure', 'allow sending a token over plain http to another machine')
    .option('--json', 'print one JSON object as the last line of stdout')
    .addHelpText('after', EXIT_CODES)
    .action(execute)
}

type Outcome = {
  path: string
  payload: Payload | null
  reply: SubmitReply | null
  failure: string | null
}

async function execute(paths: string[], options: Options): Promise<void> {
  const { source, outcomes } = await submitAll(paths, options)
  process.exitCode = exitCodeOf(outcomes)
  if (options.json) printJsonResult(describe(outcomes, source.kind, options))
}

const USUAL = { auth: 'auto', evidence: true, tries: 5 } as const

/** Sends a finished run with its evidence, as `submit` does without options; returns the exit code. */
export async function submitRun(out: string, to: string, json: boolean): Promise<number> {
  const { outcomes } = await submitAll([out], { ...USUAL, to, json })
  if (json) for (const outcome of outcomes) if (!outcome.reply?.ok) print(outcome)
  return exitCodeOf(outcomes)
}

async function submitAll(paths: string[], options: Options) {
  const { results, audience } = readTarget(options.to, options)
  const source = chooseToken(options.auth, options.audience ?? audience, RUNNER_ENV)
  const submissions = paths.flatMap((path) => listSubmissions(path))
  return inScratch('proofboard-submit', async (scratch) => {
    const outcomes: Outcome[] = []
    for (const [index, path] of submissions.entries()) {
      const from = options.evidence || !isFolder(path) ? path : new RunFolder(path).resultPath
      const onWait = (why: string, waitMs: number) => tellWait(`${path}: ${why}`, waitMs)
      const delivery = { url: results, source, max: options.tries, onWait }
      const payload = await packPayload(from, { scratch, index, plan: options.plan ?? null })
      outcomes.push(await submitOne({ path, payload, delivery }))
      rmSync(payload.file, { force: true })
      if (!options.json) print(outcomes.at(-1), options.dryRun)
    }
    return { source, outcomes }
  })
}

type One = { path: string; payload: Payload; delivery: Parameters<typeof deliver>[1] }

async function submitOne({ path, payload, delivery }: One): Promise<Outcome> {
  try {
    const reply = readReply(await deliver(() => payload, delivery))
    return { path, payload, reply, failure: null }
  } catch (error) {
    if (!isRunnerError(error, 'delivery')) throw error
    return { path, payload, reply: null, failure: error.message }
  }
}

function print(outcome: Outcome | undefined, dryRun = false): void {
  if (!outcome) return
  const { reply, failure } = outcome
  const path = plainText(outcome.path)
  if (!reply) {
    writeError(
      `${path}: not delivered: ${plainText(failure ?? 'no answer')}. Run the same command again.`,
    )
    return
  }
  if (reply.ok) {
    // Validation alone creates no page.
    const where = dryRun ? '' : reply.runs.map(({ url }) => `\n  ${plainText(url)}`).join('')
    printResult(`${path}: ${plainText(reply.summary)}${where}`)
    for (const one of reply.leftOut.runs)
      writeError(`  left out ${plainText(one.path)}: ${plainText(one.reason)}`)
    return
  }
  const rest =
    reply.errorsOmitted > 0
      ? [`  … and ${reply.errorsOmitted} more that the server did not list`]
      : []
  if (reply.status === 413) rest.push('  Use --no-evidence to send a smaller upload.')
  const lines = problemLines(reply.errors).map((line) => `  ${plainText(line)}`)
  const id = reply.requestId === null ? '' : `, request ${plainText(reply.requestId)}`
  writeError(
    [
      `${path}: refused (${reply.status}${id}): ${plainText(reply.summary)}`,
      ...lines,
      ...rest,
    ].join('\n'),
  )
}

const UNDELIVERED = 3

/** Refusals come first: a useless retry is better than a refusal that goes unnoticed. */
function exitCodeOf(outcomes: readonly Outcome[]): number {
  if (outcomes.some(({ reply }) => reply && !reply.ok && !isPassing(reply.status))) return 1
  return outcomes.every(({ reply }) => reply?.ok) ? 0 : UNDELIVERED
}

/** True if the server failed or was overloaded: the same results may be accepted later. */
function isPassing(status: number): boolean {
  return status === 429 || status >= 500
}

function describe(outcomes: readonly Outcome[], auth: string, { to, dryRun = false }: Options) {
  const submissions = outcomes.map(({ path, payload, reply, failure }) => ({
    path,
    digest: payload?.digest ?? null,
    bytes: payload?.bytes ?? null,
    ...(reply ?? { ok: false, status: null, summary: failure }),
  }))
  const ok = submissions.every((one) => one.ok)
  return { ok, to, auth, dryRun, submissions }
}

/** Lists the submissions of a path: a run folder, every run folder in a folder, or a file. Throws a RunnerError. */
function listSubmissions(path: string): string[] {
  if (!existsSync(path))
    throw usageError(`${path} does not exist: enter a run folder or a result file`)
  if (!isFolder(path)) return [path]
  const own = new RunFolder(resolve(path))
  if (existsSync(own.resultPath)) return [path]
  if (existsSync(own.planPath))
    throw usageError(
      `${path} has no result.json: finish its run first (run the same command to continue it)`,
    )
  const runs = readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .filter((folder) => isFolder(folder) && existsSync(new RunFolder(resolve(folder)).resultPath))
  if (runs.length > 0) return runs
  throw usageError(
    `${path} contains no result.json: enter a run folder, or a folder of run folders`,
  )
}
