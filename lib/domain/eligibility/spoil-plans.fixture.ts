import type { SpoilCase } from './whole-case.fixture.ts'

/** Every episode and its plan without a sandbox. */
export function atLocal({ facts, context }: SpoilCase): SpoilCase {
  const settings = <T extends { settings: object }>(one: T) => ({
    ...one,
    settings: { ...one.settings, isolation: 'local' as const },
  })
  const plans = new Map([...context.plans].map(([digest, plan]) => [digest, settings(plan)]))
  return { facts: facts.map(settings), context: { ...context, plans } }
}

export function renamed({ facts, context }: SpoilCase, name: string): SpoilCase {
  const subject = <T extends { subject: object }>(one: T) => ({
    ...one,
    subject: { ...one.subject, name },
  })
  const plans = new Map([...context.plans].map(([digest, plan]) => [digest, subject(plan)]))
  return { facts: facts.map(subject), context: { ...context, plans } }
}
