import { digestBytes } from '#lib/domain/digest.ts'
import type { SolutionAttack } from './attack.ts'
import { ATTACKS } from './attacks.ts'

/**
 * The attacks that a task meets in the suite's own proof: one of each class whose attacks are solutions, another one
 * for another task, so that a suite meets most of them and the proof stays quick. `proofboard audit` plays all.
 */
export function quickAttacks(taskId: string, hasHeldOut: boolean): SolutionAttack[] {
  const classes = new Map<string, SolutionAttack[]>()
  for (const attack of ATTACKS)
    if (attack.kind === 'solution' && attack.scope === 'every-task' && canHold(attack, hasHeldOut))
      classes.set(attack.class, [...(classes.get(attack.class) ?? []), attack])
  return [...classes].map(([name, attacks]) => {
    const drawn = Number.parseInt(digestBytes(Buffer.from(`${taskId} ${name}`)).slice(-8), 16)
    return attacks[drawn % attacks.length] as SolutionAttack
  })
}

/** Visible tests alone cannot tell work from a table of their answers: such tasks say "visible tests only" instead. */
const canHold = (attack: SolutionAttack, hasHeldOut: boolean): boolean =>
  hasHeldOut || attack.class !== 'answers-memorised'
