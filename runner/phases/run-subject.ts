import type { Outcome } from '#lib/domain/outcome.ts'
import type { Settings } from '#lib/domain/plan.ts'
import { decideMeteredOutcome } from '../agents/meter-attempt.ts'
import type { SubjectDriver, SubjectEnding, SubjectTurn } from '../controls/subject-driver.ts'

export type SubjectResult = { ending: SubjectEnding; outcome: Outcome | null }

/** Phase 2: the subject's own turn. Names the outcome only where it is already decided here. */
export async function runSubject(driver: SubjectDriver, turn: SubjectTurn): Promise<SubjectResult> {
  const ending = await driver.act(turn)
  return { ending, outcome: decideSubjectOutcome(ending, turn.settings) }
}

/** The outcome that the subject's own turn has decided already; null = the contract has to. */
export function decideSubjectOutcome(
  ending: SubjectEnding,
  settings: Pick<Settings, 'timeoutMs' | 'diskQuotaBytes'>,
): Outcome | null {
  const { cause } = ending
  if (!ending.clean)
    return {
      status: 'void',
      fault: 'infrastructure',
      reason: 'processes of the subject could not be ended',
    }
  if (cause === 'cancelled')
    return { status: 'cancelled', reason: 'the run was stopped while the subject worked' }
  if (cause === 'spawn-failed')
    return {
      status: 'void',
      fault: 'infrastructure',
      reason: 'the subject could not be started: no shell, no memory or no sandbox',
    }
  return (
    decideBreach(ending, settings) ??
    decideMeteredOutcome(ending.report ?? null) ??
    decideEnd(ending, settings)
  )
}

function decideBreach(
  { cause }: SubjectEnding,
  { diskQuotaBytes }: Pick<Settings, 'diskQuotaBytes'>,
): Outcome | null {
  if (cause === 'disk')
    return {
      status: 'out-of-budget',
      budget: 'disk',
      reason: `wrote more than ${diskQuotaBytes} bytes`,
    }
  if (cause === 'processes')
    return { status: 'out-of-budget', budget: 'processes', reason: 'started too many processes' }
  return null
}

// What the gateway knows comes first: an agent that waits for a provider in trouble did not run out of time.
function decideEnd(
  { cause, exitCode, signal }: SubjectEnding,
  { timeoutMs }: Pick<Settings, 'timeoutMs'>,
): Outcome | null {
  if (cause === 'timeout')
    return {
      status: 'out-of-budget',
      budget: 'time',
      reason: `still running after ${timeoutMs} ms`,
    }
  if (signal !== null)
    return { status: 'subject-crashed', exitCode, signal, reason: `died of ${signal}` }
  return null
}
