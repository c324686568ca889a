import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsePlan } from '../../db/plan-store.ts'
import { priceUsage } from '../../domain/board/price-usage.ts'
import type { Plan } from '../../domain/record/plan.ts'
import type { LaunchChoices } from '../../domain/runs/check-launch.ts'
import { checkLaunch, chooseTasks } from '../../domain/runs/check-launch.ts'
import type { LaunchField, LaunchFields, LaunchProblem } from '../../domain/runs/launch-fields.ts'
import { type LaunchRequest, parseLaunch } from '../../domain/runs/parse-launch.ts'
import type { Suite } from '../../domain/tasks/suite.ts'
import { spawnRunner } from '../../worker/spawn-runner.ts'
import { listChoices } from './list-choices.ts'

/** Freezing asks a program for its version and may read a whole suite. */
const MOST_MS = 120_000

export type FrozenLaunch =
  | {
      ok: true
      request: LaunchRequest
      plan: Plan
      suite: Suite
      isolation: string | null
      warnings: string[]
    }
  | { ok: false; problems: LaunchProblem[] }

/**
 * Lets the runner freeze what the form asks for, as this machine is now: versions are its to resolve and refusals its to
 * say. Keeps nothing; frozen again, the same request has the same digest as long as nothing changed.
 */
export async function freezeLaunch(fields: LaunchFields, now: Date): Promise<FrozenLaunch> {
  const { suite, choices } = await listChoices(fields.suite, now.getTime())
  const checked = checkRequest(fields, choices, now.toISOString())
  if (!checked.ok) return checked
  if (!suite) throw new Error('a request that was checked names a suite')
  const { request } = checked
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-launch-'))
  try {
    const file = join(folder, 'plan.json')
    const args = ['plan', ...launchArguments(request, choices), '--out', file, '--json']
    const said: string[] = []
    const listener = { onStdout: () => {}, onStderr: (line: string) => said.push(line) }
    const ending = await spawnRunner(args, listener, AbortSignal.timeout(MOST_MS))
    if (ending.exitCode !== 0) return { ok: false, problems: [placeRefusal(ending.lastWords)] }
    const plan = parsePlan(JSON.parse(await readFile(file, 'utf8')))
    return { ok: true, request, plan, suite, ...sortLines(said) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const MOST_WARNINGS = 5

const MAX_MESSAGE = 600

/** What the runner said while it froze the plan: its line about the isolation level, and everything else. */
function sortLines(lines: readonly string[]): { isolation: string | null; warnings: string[] } {
  const told = lines.map((line) => line.trim().slice(0, MAX_MESSAGE)).filter(Boolean)
  const isolation = told.find((line) => line.startsWith('isolation: '))
  const warnings = told
    .filter((line) => line !== isolation)
    .map((line) => line.replace(/^warning: /, ''))
    .slice(0, MOST_WARNINGS)
  return { isolation: isolation?.slice('isolation: '.length) ?? null, warnings }
}

type CheckedLaunch = { ok: true; request: LaunchRequest } | { ok: false; problems: LaunchProblem[] }

/** The form as a valid request, or its validation errors. */
export function checkRequest(
  fields: LaunchFields,
  choices: LaunchChoices,
  now: string,
): CheckedLaunch {
  const parsed = parseLaunch(fields)
  if (!parsed.ok) return parsed
  const { request } = parsed
  const problems = [...checkLaunch(request, choices), ...checkPrice(request, now)]
  // One error per field is enough.
  const first = problems.filter(
    ({ path }, place) => problems.findIndex((other) => other.path === path) === place,
  )
  return first.length > 0 ? { ok: false, problems: first } : { ok: true, request }
}

const ONE = { input: 1, output: 1, cacheRead: null, cacheWrite: null, reasoning: null }

/** The browser has no price table, so only the server makes this check. */
function checkPrice(
  { spendCapMicroUsd, provider, model }: LaunchRequest,
  now: string,
): LaunchProblem[] {
  if (spendCapMicroUsd === null || model === null) return []
  const price = priceUsage({ provider, model, tokens: ONE, at: now })
  if (price.costMicroUsd !== null) return []
  const message = `${model} is not in the price table, so a spend cap cannot be enforced. Leave it empty.`
  return [{ path: 'cap', message }]
}

/** The options by which the runner's `plan` freezes this very request; each value is one argument, never a shell's. */
function launchArguments(request: LaunchRequest, choices: LaunchChoices): string[] {
  const { suiteId, subject, provider, model, repetitions, pins, isolation, fault, isCold } = request
  const { timeoutMs, maxSteps, maxTokens, maxCostMicroUsd, temperature } = pins
  const options: Record<string, string | number | null> = {
    '--suite': suiteId,
    '--subject': subject,
    '--provider': provider,
    '--model': model,
    '--tasks': namedTasks(request, choices)?.join(',') ?? null,
    '--repetitions': repetitions,
    '--timeout': timeoutMs / 1000,
    '--max-steps': maxSteps,
    '--max-tokens': maxTokens,
    '--max-cost': maxCostMicroUsd === null ? null : (maxCostMicroUsd / 1e6).toFixed(6),
    '--temperature': temperature,
    '--isolation': isolation === 'auto' ? null : isolation,
    '--fault': fault,
    '--browser': isCold ? 'cold' : null,
  }
  return Object.entries(options).flatMap(([name, value]) =>
    value === null ? [] : [name, String(value)],
  )
}

/** The runner knows no categories: a part of a suite is told to it by name. Null = all tasks. */
function namedTasks(request: LaunchRequest, { suite }: LaunchChoices): string[] | null {
  if (request.tasks) return request.tasks
  if (request.category === null || !suite) return null
  return chooseTasks(request, suite.tasks).map(({ taskId }) => taskId)
}

/** Options of the runner's command line, and the field that each was typed into. */
const OPTION_FIELDS: readonly (readonly [string, LaunchField])[] = [
  ['--spend-cap', 'cap'],
  ['--max-steps', 'steps'],
  ['--max-tokens', 'tokens'],
  ['--max-cost', 'cost'],
  ['--temperature', 'temperature'],
  ['--isolation', 'isolation'],
  ['--browser', 'browser'],
  ['--timeout', 'timeout'],
  ['--repetitions', 'repetitions'],
  ['--fault', 'fault'],
  ['--tasks', 'tasks'],
  ['unknown task', 'tasks'],
  ['unknown provider', 'provider'],
  ['--model', 'model'],
  ['--provider', 'provider'],
  ['suite', 'suite'],
]

const MAX_REFUSAL = 500

/** Assigns the message of the runner to the field that it is most likely about, by default the subject. */
export function placeRefusal(lastWords: string): LaunchProblem {
  const message =
    lastWords.slice(0, MAX_REFUSAL) || 'The runner refused this request without a reason.'
  // A sentence about the subject may name an option as the way out: who refuses comes first.
  if (/^(unknown subject|subject "|\S+ (is not installed|needs |does not say))/.test(message))
    return { path: 'subject', message }
  const named = OPTION_FIELDS.find(([words]) => message.includes(words))
  return { path: named?.[1] ?? 'subject', message }
}
