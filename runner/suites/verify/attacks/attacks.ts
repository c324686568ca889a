import { digestBytes } from '#lib/domain/digest/index.ts'
import { AGENT_DENIALS, HARNESS_ATTACKS } from './agents-harness.ts'
import { AGENT_INJECTIONS, AGENT_VERDICTS, INPUT_ATTACKS } from './agents-plant.ts'
import { ANSWER_ATTACKS, SECRET_ATTACKS } from './agents-reach.ts'
import type { Attack, SolutionAttack } from './attack.ts'
import { FORGED_VERDICTS, INJECTIONS, LYING_VALUES } from './forged-verdicts.ts'
import { DENIALS, LANGUAGE_ATTACKS } from './language.ts'
import { MEMORISED } from './memorised.ts'
import { SANDBOX_ESCAPES } from './sandbox-escapes.ts'

/** Every attack on exercises, in the order they are run and shown. */
export const ATTACKS: readonly Attack[] = [
  ...ANSWER_ATTACKS,
  ...MEMORISED,
  ...FORGED_VERDICTS,
  ...AGENT_VERDICTS,
  ...HARNESS_ATTACKS,
  ...LANGUAGE_ATTACKS,
  ...LYING_VALUES,
  ...SANDBOX_ESCAPES,
  ...SECRET_ATTACKS,
  ...DENIALS,
  ...AGENT_DENIALS,
  ...INPUT_ATTACKS,
  ...INJECTIONS,
  ...AGENT_INJECTIONS,
]

/**
 * Selects the attacks that a task meets in the suite's own proof: one of each class whose attacks are solutions, a
 * different one for each task, so that a suite meets most of them and the proof stays fast. `proofboard audit` runs
 * all.
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

/** Visible tests alone cannot distinguish work from a table of answers: such tasks are marked "visible tests only". */
const canHold = (attack: SolutionAttack, hasHeldOut: boolean): boolean =>
  hasHeldOut || attack.class !== 'answers-memorised'
