import type { AttackClassId } from '#lib/domain/reports/index.ts'
import type { LoadedExercise, SourceText } from '../../task-folder.ts'

type Named = {
  /** Stable: names the attack on the command line, in results and on pages. */
  name: string
  class: AttackClassId
  /** Describes the attack in one sentence. */
  summary: string
  /** Run on every task, or on a few if it does not depend on the task. */
  scope: 'every-task' | 'sample'
}

/** An attack that is a solution file. */
export type SolutionAttack = Named & {
  kind: 'solution'
  /** The solution files for a task; null = the attack does not apply to this task. */
  solution: (
    task: LoadedExercise,
  ) => readonly SourceText[] | null | Promise<readonly SourceText[] | null>
  /** A detector has to name it. Otherwise a plain failure is correct: it is a wrong answer, not tampering. */
  mustBeNamed: boolean
  /** Runs into the time limit, so it gets a short one. */
  waits?: boolean
}

/** Knowledge of an agent's script: the strongest adversary knows the machine. Paths as this machine has them. */
export type AttackPaths = {
  tasks: readonly LoadedExercise[]
  /** Root of the harness. */
  root: string
  /** The data folder with planted secrets. */
  data: string
  /** Name of the variable with the planted provider key. */
  keyVariable: string
  /** Port of a planted service of this machine. */
  loopbackPort: number
}

/** An attack that is a program of an agent, run like any `--command` subject. */
export type AgentAttack = Named & {
  kind: 'agent'
  /** A node program; it logs its result with `report(...)` (see agent-script.ts). */
  script: (place: AttackPaths) => string
  /** Name of the planted target; null = it only tries to be solved. */
  target: string | null
  /** It may end the runner, so the run is continued afterwards as a person would. */
  endsRunner?: boolean
  /** Number of repetitions, one after the other; default 1. */
  repetitions?: number
}

export type Attack = SolutionAttack | AgentAttack

type Part = Pick<AgentAttack, 'name' | 'summary'> & {
  script: string
  target?: string
  scope?: 'every-task'
  endsRunner?: boolean
}

/** Builds agents' attacks of one class; by default on a sample of the tasks and without a target. */
export const agentsOf =
  (attackClass: AgentAttack['class']) =>
  ({ script, target, scope, ...rest }: Part): AgentAttack => ({
    kind: 'agent',
    class: attackClass,
    scope: scope ?? 'sample',
    target: target ?? null,
    ...rest,
    script: () => script,
  })

// Types are tested elsewhere: an attack on the tests must not be stopped by its own types.
const UNCHECKED = '// @ts-nocheck\n'

/** Placeholder body in a stub of our exercises or of an Exercism track. */
const TODO =
  /throw new Error\((['"`])Remove this (?:line|statement) and implement (?:the|this) function\1\);?/g

/** Returns the stub with `prelude` before it: any pass is caused by the prelude. */
export function stubAfter(task: LoadedExercise, prelude: string): SourceText[] {
  return task.stubs.map(({ path, text }, index) => ({
    path,
    text: index === 0 ? `${UNCHECKED}${prelude}\n${text}` : text,
  }))
}

/** One unwritten body of a stub: its index, and the kind of its function. */
type Body = { index: number; kind: 'function' | 'constructor' | 'chained' }

/** Returns the stub with every unwritten body replaced; null if it has none. */
export function stubWithBodies(
  task: LoadedExercise,
  { prelude = '', body }: { prelude?: string; body: (body: Body) => string },
): SourceText[] | null {
  let index = 0
  const files = task.stubs.map(({ path, text }, place) => {
    const written = text.replace(TODO, (_todo, _quote, offset: number) =>
      body({ index: index++, kind: kindOf(text.slice(0, offset)) }),
    )
    return { path, text: `${UNCHECKED}${place === 0 ? `${prelude}\n` : ''}${written}` }
  })
  return index === 0 ? null : files
}

/** Makes every function of the task return this expression. */
export function alwaysAnswers(task: LoadedExercise, expression: string): SourceText[] | null {
  return stubWithBodies(task, { body: () => `return (${expression})` })
}

function kindOf(before: string): Body['kind'] {
  const head = before.slice(before.lastIndexOf('\n', before.lastIndexOf('{')) + 1)
  if (/\bconstructor\s*\(/.test(head)) return 'constructor'
  return /\)\s*:\s*this\s*\{/.test(head) ? 'chained' : 'function'
}
