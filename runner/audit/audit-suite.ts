import type {
  AttackOutcome,
  AuditDocument,
  SkippedAttack,
} from '#lib/domain/audit/audit-document.ts'
import type { Settings } from '#lib/domain/plan.ts'
import type { Gate } from '../contracts/exercise/gate-types.ts'
import type { BrowserSuite, ExerciseSuite } from '../suites/load-suite.ts'
import type { LoadedExercise, LoadedTask, LoadedWorkflow } from '../suites/task-folder.ts'
import type { Attack } from './attack.ts'
import type { BrowserAttack } from './browser-attacks.ts'
import type { Observation } from './classify.ts'
import type { Canaries } from './plant-canaries.ts'
import { playAgent } from './play-agent.ts'
import { playBrowser } from './play-browser.ts'
import { type AuditStage, playSolution } from './play-solution.ts'

/** Tasks that an attack is played on when it does not depend on the task. */
export const SAMPLE_TASKS = 2

/** What an audit plays; `all` = every pair of attack and task. */
export type AuditRequest = {
  all: boolean
  concurrency: number
  onAttack: (played: PlayedAttack) => void
}

export type PlayedAttack = AuditDocument['attacks'][number]
export type AuditResults = Pick<AuditDocument, 'attacks' | 'skipped'>

type Any = Pick<Attack | BrowserAttack, 'name' | 'class' | 'kind' | 'summary' | 'scope'>

/** Plays attacks on exercises: solutions one attack after the other, agents' programs side by side. */
export async function auditExercises(
  attacks: readonly Attack[],
  tasks: ExerciseSuite['tasks'],
  request: AuditRequest,
  stage: AuditStage & { gate: Gate; canaries: Canaries; suiteFolder: string; isolation: Level },
): Promise<AuditResults> {
  const play = async (attack: Attack, chosen: readonly LoadedExercise[]) =>
    attack.kind === 'solution'
      ? playSolution(attack, chosen, stage)
      : playAgent(attack, chosen, stage)
  const results = new Results<Attack, LoadedExercise>(tasks, request)
  const solutions = attacks.filter(({ kind }) => kind === 'solution')
  const agents = attacks.filter(({ kind }) => kind === 'agent')
  for (const attack of solutions) await results.add(attack, play, stage.signal)
  const queue = [...agents]
  const worker = async () => {
    for (let attack = queue.shift(); attack; attack = queue.shift())
      await results.add(attack, play, stage.signal)
  }
  await Promise.all(Array.from({ length: request.concurrency }, worker))
  return results.inOrder(attacks)
}

type Level = Settings['isolation']

/** Plays attacks on browser workflows, one after the other: each fills the machine with browsers. */
export async function auditWorkflows(
  attacks: readonly BrowserAttack[],
  tasks: BrowserSuite['tasks'],
  request: AuditRequest,
  stage: AuditStage,
): Promise<AuditResults> {
  const results = new Results<BrowserAttack, LoadedWorkflow>(tasks, request)
  const play = (attack: BrowserAttack, chosen: readonly LoadedWorkflow[]) =>
    playBrowser(attack, chosen, stage)
  for (const attack of attacks) await results.add(attack, play, stage.signal)
  return results.inOrder(attacks)
}

/** Gathers what was observed, whatever was played first. */
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
      'does not depend on the task: played on a sample',
    )
    this.#skip(attack, chosen.length - observed.size, 'the task offers nothing to it')
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

/** Tasks on which the same was observed stand together, in the order of the suite. */
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
