import {
  type AttackOutcome,
  type AttackResult,
  type AuditDocument,
  type AuditedAttack,
  countAudit,
  countByClass,
  type SkippedAttack,
} from '#lib/domain/reports/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { LoadedHarbor } from '../harbor/harbor-folder.ts'
import { suiteError } from '../runner-error.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import type { LoadedExercise, LoadedTask } from '../suites/task-folder.ts'
import type { Attack } from '../suites/verify/attacks/attack.ts'
import type { ExerciseVerifier } from '../verify/exercise/verifier-types.ts'
import { workThrough } from '../work-through.ts'
import type { HarborAttack } from './attacks/harbor.ts'
import type { RepositoryAttack } from './attacks/repository.ts'
import type { Observation } from './classify.ts'
import type { Canaries } from './play-agent.ts'
import { playAgent } from './play-agent.ts'
import type { BrowserAttack } from './play-browser.ts'
import { type AuditContext, playSolution } from './play-solution.ts'

/** Number of tasks for attacks that do not depend on the task. */
const SAMPLE_TASKS = 2

/** Attacks and tasks of an audit; `all` = every pair of them. */
export type AuditRequest = {
  all: boolean
  concurrency: number
  onAttack: (played: PlayedAttack) => void
}

type PlayedAttack = AuditDocument['attacks'][number]
export type AuditResults = Pick<AuditDocument, 'attacks' | 'skipped'>

type Any = Pick<
  Attack | BrowserAttack | HarborAttack | RepositoryAttack,
  'name' | 'class' | 'kind' | 'summary' | 'scope'
>

/** Runs attacks on exercises: solutions one attack after the other, agents' programs in parallel. */
export async function auditExercises(
  attacks: readonly Attack[],
  tasks: readonly LoadedExercise[],
  request: AuditRequest,
  stage: AuditContext & {
    verifier: ExerciseVerifier
    canaries: Canaries
    suiteFolder: string
    isolation: Level
  },
): Promise<AuditResults> {
  const play = async (attack: Attack, chosen: readonly LoadedExercise[]) =>
    attack.kind === 'solution'
      ? playSolution(attack, chosen, stage)
      : playAgent(attack, chosen, stage)
  const results = new Results<Attack, LoadedExercise>(tasks, request)
  const solutions = attacks.filter(({ kind }) => kind === 'solution')
  const agents = attacks.filter(({ kind }) => kind === 'agent')
  for (const attack of solutions) await results.add(attack, play, stage.signal)
  await workThrough(agents, request.concurrency, (attack) =>
    results.add(attack, play, stage.signal),
  )
  return results.inOrder(attacks)
}

type Level = Settings['isolation']

/** Attacks, tasks and stage of an audit. */
export type ChosenAttacks<A, T> = {
  attacks: readonly A[]
  tasks: readonly T[]
  request: AuditRequest
  place: { signal: AbortSignal }
}

/** Runs attacks one after the other: a workflow fills the machine with browsers, other tasks of each run in parallel. */
export async function auditInTurn<A extends Any, T extends LoadedTask>(
  { attacks, tasks, request, place }: ChosenAttacks<A, T>,
  play: (attack: A, chosen: readonly T[]) => Promise<Map<string, Observation>>,
): Promise<AuditResults> {
  const results = new Results<A, T>(tasks, request)
  for (const attack of attacks) await results.add(attack, play, place.signal)
  return results.inOrder(attacks)
}

export function requireProven(tasks: readonly (LoadedHarbor | LoadedRepository)[]): void {
  const unproven = tasks.find((task) => task.unproven !== null)
  if (unproven) throw suiteError(`${unproven.task.taskId} ${unproven.unproven}`)
}

/** Collects all observations, in any order. */
class Results<A extends Any, T extends LoadedTask> {
  readonly #tasks: readonly T[]
  readonly #request: AuditRequest
  readonly #played = new Map<string, PlayedAttack>()
  readonly #skipped = new Map<string, SkippedAttack[]>()

  constructor(tasks: readonly T[], request: AuditRequest) {
    this.#tasks = tasks
    this.#request = request
  }

  async add(
    attack: A,
    play: (attack: A, tasks: readonly T[]) => Promise<Map<string, Observation>>,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return
    const whole = this.#request.all || attack.scope === 'every-task'
    const chosen = whole ? this.#tasks : this.#tasks.slice(0, SAMPLE_TASKS)
    const observed = await play(attack, chosen)
    if (signal.aborted) return
    this.#skip(
      attack,
      this.#tasks.length - chosen.length,
      'does not depend on the task: run on a sample',
    )
    this.#skip(attack, chosen.length - observed.size, 'does not apply to the task')
    const { name, class: attackClass, kind, summary } = attack
    const outcomes = groupOutcomes(chosen, observed)
    const played: PlayedAttack = { name, class: attackClass, kind, summary, outcomes }
    this.#played.set(name, played)
    this.#request.onAttack(played)
  }

  inOrder(attacks: readonly A[]): AuditResults {
    return {
      attacks: attacks.flatMap(({ name }) => this.#played.get(name) ?? []),
      skipped: attacks.flatMap(({ name }) => this.#skipped.get(name) ?? []),
    }
  }

  #skip({ name }: A, tasks: number, reason: string): void {
    if (tasks > 0)
      this.#skipped.set(name, [...(this.#skipped.get(name) ?? []), { attack: name, tasks, reason }])
  }
}

/** Groups tasks with the same observation, in the order of the suite. */
function groupOutcomes(
  tasks: readonly LoadedTask[],
  observed: ReadonlyMap<string, Observation>,
): AttackOutcome[] {
  const groups = new Map<string, AttackOutcome>()
  for (const { task } of tasks) {
    const one = observed.get(task.taskId)
    if (!one) continue
    const key = `${one.result} ${one.observed}`
    const group = groups.get(key) ?? { ...one, tasks: [] }
    group.tasks.push(task.taskId)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Formats an audit for a terminal: classes by result, then each attack that paid or went unnamed, then the totals. */
export function renderAudit(document: AuditDocument): string {
  const classes = countByClass(document).map(
    ({ title, attacks, paid, unnamed, named, prevented }) =>
      [title, attacks, paid, unnamed, named, prevented].map(String),
  )
  const bad = document.attacks.flatMap(describeBad)
  const skipped = [...new Set(document.skipped.map(({ reason }) => reason))].map((reason) => {
    const own = document.skipped.filter((one) => one.reason === reason)
    const pairs = own.reduce((sum, { tasks }) => sum + tasks, 0)
    return `skipped: ${countOf(pairs, 'pair')} of ${countOf(own.length, 'attack')} (${reason})`
  })
  return [...table([HEAD, ...classes]), ...bad, ...skipped, sumLine(document)].join('\n')
}

const HEAD = ['class', 'attacks', 'succeeded', 'undetected', 'detected', 'prevented']

/** Labels of results; JSON has the names of `AttackResult`. */
const RESULT_WORDS: Record<AttackResult, string> = {
  paid: 'succeeded',
  unnamed: 'undetected',
  named: 'detected',
  prevented: 'prevented',
}

/** Formats one line for a finished attack. */
export function attackLine({ name, outcomes }: AuditedAttack): string {
  const worst = outcomes.find(({ result }) => result === 'paid' || result === 'unnamed')
  const parts = outcomes.map(
    ({ result, observed, tasks }) => `${RESULT_WORDS[result]} ${tasks.length} (${observed})`,
  )
  return `${worst ? 'OPEN  ' : 'closed'} ${name}: ${parts.join('; ') || 'applies to no task'}`
}

function describeBad({ name, class: attackClass, outcomes }: AuditedAttack): string[] {
  return outcomes
    .filter(({ result }) => result === 'paid' || result === 'unnamed')
    .map(
      ({ result, observed, tasks }) =>
        `${RESULT_WORDS[result].toUpperCase()} ${attackClass}/${name}: ${observed} (${tasks.join(', ')})`,
    )
}

function sumLine(document: AuditDocument): string {
  const { attacks, classes, tasks, pairs, solved, unnamed } = countAudit(document)
  const { isolation, asRoot } = document
  return `${countOf(attacks, 'attack')} of ${countOf(classes, 'class')} on ${countOf(tasks, 'task')} (${countOf(pairs, 'pair')}): ${solved} succeeded, ${unnamed} undetected; isolation ${isolation}${asRoot ? ', as root' : ''}`
}

function table(lines: readonly string[][]): string[] {
  const widths = HEAD.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
