import type { RowRegistration } from '../board/judge-registration.ts'
import type { SpoilCase } from './whole-case.fixture.ts'

/** Ways in which a row is not, or not fully, what was registered. */
const CHANGES: Record<string, Partial<RowRegistration>> = {
  'not registered': { status: 'unregistered', unregistered: 1 },
  'registered late': { status: 'late', late: 1 },
  'a registered run is missing': { status: 'incomplete', owed: 4, received: 3 },
  'a plan known by its digest never came in': { status: 'incomplete', blind: 1 },
}

export const REGISTRATION_SPOILERS = Object.entries(CHANGES).map(([name, change]) => ({
  code: 'registered' as const,
  name,
  spoil: ({ facts, context }: SpoilCase): SpoilCase => ({
    facts,
    context: { ...context, registration: { ...REGISTERED, ...change } },
  }),
}))

const REGISTERED: RowRegistration = {
  status: 'registered',
  ...{ runs: 1, unregistered: 0, late: 0, owed: 1, received: 1, blind: 0 },
}
