import { ATTACK_CLASSES, type AttackClassId } from './attack-classes.ts'
import type { AttackResult, AuditDocument, AuditedAttack } from './audit-document.ts'

export type ResultCounts = Record<AttackResult, number>

/** The figures of an audit; a sound suite has `solved` and `unnamed` 0. */
export type AuditCounts = {
  attacks: number
  classes: number
  tasks: number
  /** Pairs of an attack and a task that were played. */
  pairs: number
  /** Pairs that were scored as solved or reached what they were after. */
  solved: number
  unnamed: number
  named: number
  prevented: number
  skipped: number
}

/** Adds up an audit's pairs of attack and task. */
export function countAudit({ attacks, tasks, skipped }: AuditDocument): AuditCounts {
  const played = attacks.filter(({ outcomes }) => outcomes.length > 0)
  const { paid, unnamed, named, prevented } = countResults(played)
  return {
    attacks: played.length,
    classes: new Set(played.map((attack) => attack.class)).size,
    tasks: tasks.length,
    pairs: paid + unnamed + named + prevented,
    solved: paid,
    unnamed,
    named,
    prevented,
    skipped: skipped.reduce((sum, one) => sum + one.tasks, 0),
  }
}

export type ClassCounts = ResultCounts & { class: AttackClassId; title: string; attacks: number }

/** The same for each class that was played, in the order of the classes. */
export function countByClass({ attacks }: Pick<AuditDocument, 'attacks'>): ClassCounts[] {
  return ATTACK_CLASSES.flatMap(({ id, title }) => {
    const own = attacks.filter((attack) => attack.class === id && attack.outcomes.length > 0)
    if (own.length === 0) return []
    return [{ class: id, title, attacks: own.length, ...countResults(own) }]
  })
}

/** The results of one class on one task. */
export function countCell(
  attacks: readonly AuditedAttack[],
  { classId, taskId }: { classId: AttackClassId; taskId: string },
): ResultCounts {
  const own = attacks.filter((attack) => attack.class === classId)
  return countResults(
    own.map(({ outcomes }) => ({
      outcomes: outcomes.flatMap((outcome) =>
        outcome.tasks.includes(taskId) ? [{ ...outcome, tasks: [taskId] }] : [],
      ),
    })),
  )
}

function countResults(attacks: readonly Pick<AuditedAttack, 'outcomes'>[]): ResultCounts {
  const counts: ResultCounts = { paid: 0, unnamed: 0, named: 0, prevented: 0 }
  for (const { outcomes } of attacks)
    for (const { result, tasks } of outcomes) counts[result] += tasks.length
  return counts
}
