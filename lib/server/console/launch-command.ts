import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { CONSOLE_ACTOR } from '#lib/domain/accounts/index.ts'
import { EXECUTORS, MAX_REMOTE_SHARDS } from '#lib/domain/executors/index.ts'
import { DOLLARS, wholeNumber } from '#lib/domain/settings/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { AppError } from '#lib/errors.ts'
import { withServerDatabase } from '#lib/server/care/with-server-database.ts'
import { launchPlan, readFrozenPlan } from '#lib/server/launch/launch-run.ts'
import { readExecutorName, requireExecutor } from '#lib/server/remote/executors.ts'
import { printJson, printText } from './output.ts'

type Options = {
  on: string
  plan: string
  shards: number
  concurrency: number
  spendCap?: number
  json?: boolean
}

/** `proofboard server launch`: queues a frozen plan for an executor, which a worker of this server starts. */
export function addLaunchCommand(program: Command): void {
  program
    .command('launch')
    .description('run a frozen plan as shards on other machines')
    .requiredOption('--on <engine>', `where: ${EXECUTORS.join(', ')}, as executors.yaml says`)
    .requiredOption('--plan <plan.json>', 'the plan, as "proofboard plan --out plan.json" wrote it')
    .option(
      '--shards <n>',
      'maximum number of shards (default: the engine’s)',
      count(MAX_REMOTE_SHARDS),
      0,
    )
    .option('--concurrency <n>', 'concurrent episodes of each shard', count(64), 1)
    .option('--spend-cap <usd>', 'cost limit of all shards in US dollars, split evenly', dollars)
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(launch)
}

async function launch({ on, plan: file, json, ...options }: Options): Promise<void> {
  const executor = readExecutorName(on)
  requireExecutor(executor)
  const plan = readFrozenPlan(readJson(file))
  const { shards, concurrency, spendCap: spendCapMicroUsd = null } = options
  const request = { remote: { executor, shards }, concurrency, spendCapMicroUsd, priority: 0 }
  const by = { actor: CONSOLE_ACTOR, requestId: null }
  const jobId = await withServerDatabase(() => launchPlan(plan, request, by))
  if (json) printJson({ jobId, executor, planDigest: plan.planDigest })
  else printText(`${jobId} is queued for ${executor}: see proofboard server queue list`)
}

function readJson(file: string): unknown {
  try {
    const value = parseJson(readFileSync(file, 'utf8'))
    if (value !== undefined) return value
  } catch (error) {
    throw new AppError('invalid-request', `--plan: ${(error as Error).message}`)
  }
  throw new AppError('invalid-request', `--plan: ${file} is not JSON`)
}

function count(max: number): (text: string) => number {
  const kind = wholeNumber(max)
  return (text) => {
    const value = kind.read(text)
    if (value !== null) return value
    throw new InvalidArgumentError(`it must be ${kind.expected}.`)
  }
}

function dollars(text: string): number {
  const value = DOLLARS.read(text)
  if (value !== null) return value
  throw new InvalidArgumentError(`it must be ${DOLLARS.expected}.`)
}
