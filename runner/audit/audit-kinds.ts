import { unknownName } from '#lib/domain/text/index.ts'
import { BROWSER } from '../kinds/browser/browser.ts'
import { EXERCISE } from '../kinds/exercise/exercise.ts'
import { HARBOR } from '../kinds/harbor/harbor.ts'
import { type Kind, type LoadedSuite, tasksOf } from '../kinds/kind.ts'
import { REPOSITORY } from '../kinds/repository/repository.ts'
import { baseCache, openJudging } from '../repository/open-judging.ts'
import { usageError } from '../runner-error.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { selectTasks } from '../suites/select-tasks.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import { ATTACKS } from '../suites/verify/attacks/attacks.ts'
import type { ExerciseVerifier } from '../verify/exercise/verifier-types.ts'
import { HARBOR_ATTACKS } from './attacks/harbor.ts'
import { REPOSITORY_ATTACKS } from './attacks/repository.ts'
import {
  type AuditRequest,
  type AuditResults,
  auditExercises,
  auditInTurn,
  type ChosenAttacks,
  requireProven,
} from './audit-suite.ts'
import type { Canaries } from './play-agent.ts'
import { BROWSER_ATTACKS, playBrowser } from './play-browser.ts'
import { playHarbor } from './play-harbor.ts'
import { playRepository } from './play-repository.ts'
import type { AuditContext } from './play-solution.ts'

type Place = AuditContext & {
  verifier: ExerciseVerifier
  canaries: Canaries
  suiteFolder: string
  isolation: Isolation
}

/** The tasks and attacks that were asked for; null or absent = all. */
type AttackChoice = {
  suite: LoadedSuite
  names: readonly string[] | null
  wanted: readonly string[] | undefined
}

/** The audit of one kind of suites. */
export type KindAudit = {
  name: string
  /** Attacks run at level local. */
  isLocal: boolean
  play: (
    choice: AttackChoice,
    request: AuditRequest,
    place: Place,
  ) => Promise<AuditResults & { tasks: readonly LoadedTask[] }>
}

const AUDITS: readonly KindAudit[] = [
  auditOf(EXERCISE, ATTACKS, ({ attacks, tasks, request, place }) =>
    auditExercises(attacks, tasks, request, { ...place, isolation: place.isolation.level }),
  ),
  {
    ...auditOf(BROWSER, BROWSER_ATTACKS, (chosen) =>
      auditInTurn(chosen, (attack, tasks) => playBrowser(attack, tasks, chosen.place)),
    ),
    isLocal: true,
  },
  auditOf(REPOSITORY, REPOSITORY_ATTACKS, async (chosen) => {
    requireProven(chosen.tasks)
    const judging = await openJudging(chosen.place.isolation)
    const stage = { ...chosen.place, judging, cache: baseCache(RUNNER_ENV) }
    return auditInTurn(chosen, (attack, tasks) => playRepository(attack, tasks, stage))
  }),
  auditOf(HARBOR, HARBOR_ATTACKS, async (chosen) => {
    requireProven(chosen.tasks)
    return auditInTurn(chosen, (attack, tasks) => playHarbor(attack, tasks, chosen.place))
  }),
]

/** Returns the audit of a kind of suites; throws if there is none. */
export function findAudit(kind: string): KindAudit {
  const found = AUDITS.find(({ name }) => name === kind)
  if (found === undefined) throw usageError(`there are no attacks on ${kind} suites`)
  return found
}

function auditOf<T extends LoadedTask, A extends { name: string; class: string }>(
  kind: Kind<T>,
  all: readonly A[],
  play: (chosen: ChosenAttacks<A, T> & { place: Place }) => Promise<AuditResults>,
): KindAudit {
  return {
    name: kind.name,
    isLocal: false,
    play: async ({ suite, names, wanted }, request, place) => {
      const tasks = selectTasks(tasksOf(kind, suite) ?? [], names)
      const attacks = chooseAttacks(all, wanted)
      return { tasks, ...(await play({ attacks, tasks, request, place })) }
    },
  }
}

function chooseAttacks<T extends { name: string; class: string }>(
  attacks: readonly T[],
  wanted: readonly string[] | undefined,
): readonly T[] {
  if (wanted === undefined) return attacks
  const known = new Set(attacks.flatMap((attack) => [attack.name, attack.class]))
  const unknown = wanted.find((name) => !known.has(name))
  if (unknown !== undefined) throw usageError(unknownName('attack', unknown, [...known]))
  return attacks.filter((attack) => wanted.includes(attack.name) || wanted.includes(attack.class))
}
