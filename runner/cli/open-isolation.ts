import { needsSandbox } from '#lib/domain/needs-sandbox.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import { chooseIsolation } from '../isolation/choose-isolation.ts'
import { type DecidedBy, describeIsolation } from '../isolation/describe-isolation.ts'
import type { Isolation } from '../isolation/isolation.ts'
import { UsageError } from './cli-error.ts'
import type { AskedIsolation } from './options.ts'

/** The isolation a plan asks for, ready to be used; a machine that cannot is told before anything runs. */
export async function openIsolation({
  settings,
  subject,
}: Pick<FrozenPlan, 'settings' | 'subject'>): Promise<Isolation> {
  const level = settings.isolation
  if (level !== 'local' && subject.kind === 'control')
    throw new UsageError(
      `subject "${subject.name}" works inside the harness and starts no program: leave --isolation ${level} out`,
    )
  const isolation = chooseIsolation(level)
  const refusal = await isolation.available()
  if (refusal !== null)
    throw new UsageError(`--isolation ${level} is not possible here: ${refusal}`)
  return isolation
}

/** One line about the level and why; null for subjects that are code of this project. */
export async function isolationLine(
  { settings, subject }: Pick<FrozenPlan, 'settings' | 'subject'>,
  asked: AskedIsolation | 'plan' | undefined,
): Promise<string | null> {
  if (!needsSandbox(subject)) return null
  return describeIsolation(settings.isolation, decidedBy(subject, asked))
}

function decidedBy(
  { kind }: FrozenPlan['subject'],
  asked: AskedIsolation | 'plan' = 'auto',
): DecidedBy {
  if (asked === 'plan') return 'plan'
  if (kind === 'library') return 'browser'
  return asked === 'auto' ? 'auto' : 'option'
}
