import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsePlan } from '../../db/plan-store.ts'
import { hasPrice } from '../../domain/prices/index.ts'
import type { Plan } from '../../domain/record/index.ts'
import {
  checkTasks,
  chooseTasks,
  LAUNCH_FIELDS,
  type LaunchFields,
  type LaunchProblem,
  type LaunchRequest,
  type OptionRefusal,
  type PlanAnswer,
  parseLaunch,
  planAnswerSchema,
} from '../../domain/runs/index.ts'
import { DOLLARS, LIMIT_LIST, OPTION_LIST, printSetting } from '../../domain/settings/index.ts'
import type { Suite } from '../../domain/tasks/index.ts'
import { queryRunner } from '../../processes/spawn-runner.ts'
import { listSuiteChoices, type SuiteChoices } from './list-choices.ts'

/** Freezing queries a program's version and may read a whole suite. */
const MAX_MS = 120_000

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
 * Asks the runner to freeze the form's request on this machine: the runner resolves versions and reports refusals.
 * Called once; starts and stores nothing. The same request frozen again has the same digest while nothing changed.
 */
export async function freezeLaunch(fields: LaunchFields, now: Date): Promise<FrozenLaunch> {
  const { suite, choices } = await listSuiteChoices(fields.suite)
  const checked = checkRequest(fields, (request) => checkTasks(request, choices), now.toISOString())
  if (!checked.ok) return checked
  if (!suite) throw new Error('a request that was checked names a suite')
  const { request } = checked
  // Another machine has its own keys and programs.
  const runnable = request.remote === null ? ['--runnable'] : []
  const args = [...launchArguments(request, choices), ...runnable]
  const planned = await askPlan(args, request)
  if (!planned.ok) return planned
  const { plan, isolation, warnings } = planned.frozen
  return { ok: true, request, plan, suite, isolation, warnings: warnings.slice(0, MAX_WARNINGS) }
}

const MAX_WARNINGS = 5

async function askPlan(
  args: readonly string[],
  texts: Pick<LaunchRequest, 'instruction' | 'arms'>,
): Promise<{ ok: true; frozen: PlanAnswer } | { ok: false; problems: LaunchProblem[] }> {
  // The plan is printed on stdout; the file that the command also writes is not needed.
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-launch-'))
  try {
    const out = ['--out', join(folder, 'plan.json'), ...(await writeTexts(folder, texts))]
    const signal = AbortSignal.timeout(MAX_MS)
    const queried = await queryRunner(['plan', ...args, ...out, '--json'], signal)
    const { output, refusals, ending } = queried
    if (output !== null) {
      const parsed = planAnswerSchema.parse(output)
      return { ok: true, frozen: { ...parsed, plan: parsePlan(parsed.plan) } }
    }
    if (refusals.length > 0) return { ok: false, problems: refusals.map(assignRefusal) }
    return { ok: false, problems: [{ path: '(root)', message: messageOf(ending) }] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes texts as files: a text that equals the name of a file on the server would be read instead. */
async function writeTexts(
  folder: string,
  { instruction, arms }: Pick<LaunchRequest, 'instruction' | 'arms'>,
): Promise<string[]> {
  const [text, list] = [join(folder, 'instruction.txt'), join(folder, 'arms.yaml')]
  if (instruction !== null) await writeFile(text, instruction)
  if (arms !== null) await writeFile(list, arms)
  return [
    ...(instruction === null ? [] : ['--custom-instruction', text]),
    // A path would be one of this server's own files.
    ...(arms === null ? [] : ['--arms', list, '--arms-as-text']),
  ]
}

function messageOf({ lastMessage }: { lastMessage: string }): string {
  return lastMessage.slice(0, MAX_REFUSAL) || 'The runner refused this request without a reason.'
}

type CheckedLaunch = { ok: true; request: LaunchRequest } | { ok: false; problems: LaunchProblem[] }

/** Parses the form as a request, or returns its validation errors. */
export function checkRequest(
  fields: LaunchFields,
  check: (request: LaunchRequest) => LaunchProblem[],
  now: string,
): CheckedLaunch {
  const parsed = parseLaunch(fields)
  if (!parsed.ok) return parsed
  const { request } = parsed
  const problems = [...check(request), ...checkPrice(request, now)]
  // One error per field is enough.
  const first = problems.filter(
    ({ path }, place) => problems.findIndex((other) => other.path === path) === place,
  )
  return first.length > 0 ? { ok: false, problems: first } : { ok: true, request }
}

/**
 * Checks that a cost limit has a price. The browser has no price table, so only the server does this; the runner checks
 * the prices of a named provider.
 */
function checkPrice(
  { spendCapMicroUsd, provider, model, pins }: LaunchRequest,
  now: string,
): LaunchProblem[] {
  if (spendCapMicroUsd === null || model === null || provider !== null) return []
  if (pins.price) return []
  if (hasPrice({ provider, model, at: now })) return []
  const message = `${model} is not in the price table, so a spend cap cannot be enforced. Enter its price, or leave the cap empty.`
  return [{ path: 'cap', message }]
}

/** Builds the arguments of the runner's `plan` for this request; each value is one argument, without a shell. */
function launchArguments(request: LaunchRequest, choices: SuiteChoices['choices']): string[] {
  const { suiteId, subject, provider, model, repetitions, pins, isolation, fault, isCold } = request
  const { spendCapMicroUsd } = request
  const limits = LIMIT_LIST.map((setting) => {
    const value = pins[setting.key]
    return [setting.option.flag, value === undefined ? null : printSetting(setting, value)] as const
  })
  const options: Record<string, string | number | null> = {
    '--suite': suiteId,
    '--subject': subject,
    '--provider': provider,
    '--model': model,
    '--agent-version': request.agentVersion,
    '--tasks': namedTasks(request, choices)?.join(',') ?? null,
    '--repetitions': repetitions,
    ...Object.fromEntries(limits),
    '--isolation': isolation === 'auto' ? null : isolation,
    '--fault': fault,
    '--browser': isCold ? 'cold' : null,
    '--spend-cap': spendCapMicroUsd === null ? null : DOLLARS.print(spendCapMicroUsd),
  }
  return Object.entries(options).flatMap(([name, value]) =>
    value === null ? [] : [name, String(value)],
  )
}

/** Lists the tasks of a part of a suite, because the runner has no categories. Null = all tasks. */
function namedTasks(request: LaunchRequest, { suite }: SuiteChoices['choices']): string[] | null {
  if (request.tasks) return request.tasks
  if (request.category === null || !suite) return null
  return chooseTasks(request, suite.tasks).map(({ taskId }) => taskId)
}

const MAX_REFUSAL = 500

/** Assigns the runner's refusal to the field of its option. */
export function assignRefusal({ option, message }: OptionRefusal): LaunchProblem {
  return { path: fieldOf(option), message: message.slice(0, MAX_REFUSAL) }
}

const OTHER_FIELDS = new Map([
  ['--spend-cap', 'cap'],
  ['--agent-version', 'agentVersion'],
])

/** Returns the field of an option. Most have the same name, except settings and a few others. */
function fieldOf(option: string | null): LaunchProblem['path'] {
  const setting = OPTION_LIST.find((known) => known.option.flag === option)
  const name = OTHER_FIELDS.get(option ?? '') ?? setting?.field ?? option?.replace(/^--/, '')
  return LAUNCH_FIELDS.find((field) => field === name) ?? '(root)'
}
