import type { Environment } from '#lib/domain/environment.ts'
import { needsSandbox } from '#lib/domain/needs-sandbox.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import { chooseIsolation } from '../isolation/choose-isolation.ts'
import { closeAnswers } from '../isolation/close-answers.ts'
import { type DecidedBy, describeIsolation } from '../isolation/describe-isolation.ts'
import type { Isolation } from '../isolation/isolation.ts'
import { lendsUser } from '../isolation/lend-user.ts'
import { UsageError } from './cli-error.ts'
import type { AskedIsolation } from './options.ts'
import { complain } from './output.ts'

/** The isolation a plan asks for, ready to be used; a machine that cannot is told before anything runs. */
export async function openIsolation({
  settings,
  subject,
}: Pick<FrozenPlan, 'settings' | 'subject'>): Promise<Isolation> {
  const level = settings.isolation
  if (level !== 'local' && subject.kind === 'control')
    throw new UsageError(
      `subject "${subject.name}" runs inside the harness and needs no sandbox: remove --isolation ${level}`,
    )
  const isolation = chooseIsolation(level)
  // Nothing is enclosed and nobody lent a user: there is nothing that this machine could lack.
  if (level === 'local' && subjectUserOf({ settings, subject }).subjectUser !== 'own')
    return isolation
  const refusal = await isolation.available()
  if (refusal !== null)
    throw new UsageError(`--isolation ${level} is not available here: ${refusal}`)
  return isolation
}

/** Says the level and why on stderr; nothing for subjects that are code of this project. */
export async function tellIsolation(
  { settings, subject }: Pick<FrozenPlan, 'settings' | 'subject'>,
  asked: AskedIsolation | 'plan' | undefined,
): Promise<void> {
  if (!needsSandbox(subject)) return
  complain(await describeIsolation(settings.isolation, decidedBy(subject, asked)))
}

function decidedBy(
  { kind }: FrozenPlan['subject'],
  asked: AskedIsolation | 'plan' = 'auto',
): DecidedBy {
  if (asked === 'plan') return 'plan'
  if (kind === 'library') return 'browser'
  return asked === 'auto' ? 'auto' : 'option'
}

/**
 * Whose files the subject's programs can read at `local`; nothing to say in a sandbox, or of a control. A library is
 * started by the runner itself.
 */
export function subjectUserOf({
  settings,
  subject,
}: Pick<FrozenPlan, 'settings' | 'subject'>): Pick<Environment, 'subjectUser'> {
  if (settings.isolation !== 'local' || !needsSandbox(subject)) return {}
  return { subjectUser: subject.kind === 'agent' && lendsUser() ? 'own' : 'runner' }
}

/** Closes the answers to a subject that is another user here, and says which folders were open. */
export async function tellClosed(
  plan: Pick<FrozenPlan, 'settings' | 'subject'>,
  suiteFolder: string,
): Promise<void> {
  if (subjectUserOf(plan).subjectUser !== 'own') return
  const closed = await closeAnswers(suiteFolder)
  if (closed.length === 0) return
  complain(`closed to other users of this machine, because they hold answers: ${closed.join(', ')}`)
}
