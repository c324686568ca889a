import type { Plan } from '#lib/domain/plan.ts'
import { chooseIsolation } from '../isolation/choose-isolation.ts'
import type { Isolation } from '../isolation/isolation.ts'
import { UsageError } from './cli-error.ts'

/** The isolation a plan asks for, ready to be used; a machine that cannot is told before anything runs. */
export async function openIsolation({
  settings,
  subject,
  command,
}: Pick<Plan, 'settings' | 'subject' | 'command'>): Promise<Isolation> {
  const level = settings.isolation
  if (level !== 'local' && subject.kind === 'control')
    throw new UsageError(
      `subject "${subject.name}" works inside the harness and starts no program: leave --isolation ${level} out`,
    )
  // An agent's driver starts its program by itself: to run it without the walls would be to lie in the envelope.
  if (level !== 'local' && command === null)
    throw new UsageError(
      `agent "${subject.name}" can only be run at --isolation local so far: start it with --command, or leave --isolation out`,
    )
  const isolation = chooseIsolation(level)
  const refusal = await isolation.available()
  if (refusal !== null)
    throw new UsageError(`--isolation ${level} is not possible here: ${refusal}`)
  return isolation
}
