import type { Command } from 'commander'
import { countSlots } from '#lib/domain/expand-plan.ts'
import type { Plan } from '#lib/domain/plan.ts'
import { freshRunId, runIdOption, usDollars, wholeNumber } from './options.ts'
import { answer, answerJson } from './output.ts'
import { readPlan } from './read-plan.ts'

/** A matrix of more jobs is refused by the hosts of workflows. */
const MOST_SHARDS = 256

type Options = { count: number; runId?: string; spendCap?: number; json?: boolean }

/** `proofboard shards`: how a plan is cut for several machines, as lines `name=value` that a workflow's output takes. */
export function addShardsCommand(program: Command): void {
  program
    .command('shards')
    .description('split a plan into shards; prints name=value lines for a workflow')
    .argument('<plan.json>')
    .option(
      '--count <n>',
      'maximum number of shards, at most one per episode',
      wholeNumber('--count', MOST_SHARDS),
      8,
    )
    .option('--run-id <id>', 'run id of all shards (default: a new one)', runIdOption)
    .option(
      '--spend-cap <usd>',
      'cost limit of all shards in US dollars, split evenly',
      usDollars('--spend-cap'),
    )
    .option('--json', 'print one JSON object instead')
    .action(execute)
}

function execute(path: string, options: Options): void {
  const cut = cutPlan(readPlan(path), options)
  if (options.json) answerJson(cut)
  else answer(Object.entries(cut).map(outputLine).join('\n'))
}

function cutPlan(plan: Plan, { count, runId, spendCap }: Options) {
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

/** US dollars for one shard, rounded down, so that all together stay below the cap; at least a millionth. */
function partOf(microUsd: number, shards: number): string {
  return (Math.max(1, Math.floor(microUsd / shards)) / 1e6).toFixed(6)
}

/** What is unknown is empty, as an input nobody filled in. */
function outputLine([name, value]: [string, unknown]): string {
  return `${name}=${typeof value === 'object' ? (value ? JSON.stringify(value) : '') : String(value)}`
}
