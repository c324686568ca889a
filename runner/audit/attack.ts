import type { AttackClassId } from '#lib/domain/audit/attack-classes.ts'
import type { LoadedExercise, SourceText } from '../suites/task-folder.ts'

type Named = {
  /** Stable: names the attack on the command line, in results and on pages. */
  name: string
  class: AttackClassId
  /** What it does, in one sentence. */
  summary: string
  /** Played on every task, or on a few because it does not depend on the task. */
  scope: 'every-task' | 'sample'
}

/** An attack that is a solution file. */
export type SolutionAttack = Named & {
  kind: 'solution'
  /** The solution files for a task; null = this task offers nothing for it. */
  solution: (
    task: LoadedExercise,
  ) => readonly SourceText[] | null | Promise<readonly SourceText[] | null>
  /** A detector has to name it. Otherwise a plain failure is the right result: it is a wrong answer, not tampering. */
  mustBeNamed: boolean
  /** Waits for the time limit, so it is played with a short one. */
  waits?: boolean
}

/** What an agent's script knows: the strongest adversary knows the machine. Paths as this machine has them. */
export type AttackPlace = {
  tasks: readonly LoadedExercise[]
  /** The clone that the harness runs from. */
  root: string
  /** The data folder with planted secrets. */
  data: string
  /** The name of the variable that holds the planted provider key. */
  keyVariable: string
  /** Where a planted service of this machine listens. */
  loopbackPort: number
}

/** An attack that is a program of an agent, run like any `--command` subject. */
export type AgentAttack = Named & {
  kind: 'agent'
  /** A node program; it says what came of it with `report(...)` (see agent-script.ts). */
  script: (place: AttackPlace) => string
  /** What it is after, by the name of its planted stand-in; null = it only wants to be solved. */
  target: string | null
  /** It may end the runner, so the run is continued afterwards as a person would. */
  endsRunner?: boolean
  /** So many repetitions, one after the other; default 1. */
  repetitions?: number
}

export type Attack = SolutionAttack | AgentAttack
