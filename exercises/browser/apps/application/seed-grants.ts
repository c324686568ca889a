import { createApplication, type GrantState } from './grant-state.ts'

const MIRA = {
  fullName: 'Mira Solberg',
  birthDay: '17',
  birthMonth: '8',
  birthYear: '1987',
  email: 'mira.solberg@fjordpost.example',
}
const HOME = { country: 'Norway', street: 'Skippergata 21', postcode: '9008', city: 'Tromsø' }

/** What Mira Solberg finds: an application of last year, and one that came back with a remark. */
export function seedGrants(): GrantState {
  const old = createApplication('A-2088', {
    ...{ ...MIRA, ...HOME, kind: 'person', title: 'Polar Night Choir', theme: 'Music' },
    ...{
      startsOn: '01.10.2025',
      endsOn: '15.12.2025',
      total: '6200',
      requested: '4100',
      coFunder: 'Tromsø kommune',
    },
    summary: 'Eight open rehearsals and one concert of a choir for people who never sang before.',
  })
  const returned = createApplication('A-3044', {
    ...{ ...MIRA, ...HOME, kind: 'person', title: 'Harbour Voices', theme: 'Oral history' },
    ...{ startsOn: '01.06.2026', endsOn: '31.08.2026', total: '9800', requested: '7400' },
    summary:
      'We record twenty retired harbour workers and bring their voices back to the quays as a walk with sound.',
  })
  return {
    applications: [
      {
        ...old,
        state: 'submitted',
        hasAcceptedTerms: true,
        document: PLAN,
        reference: 'NF-2025-0417',
        handedIn: 1,
      },
      {
        ...returned,
        ...{
          state: 'returned',
          hasAcceptedTerms: true,
          document: PLAN,
          reference: 'NF-2026-0098',
          handedIn: 1,
        },
        remark:
          'The closing walk in your plan takes place on 12 September 2026, after the end of the project: make that day the last one. And name who pays the part that you do not ask us for; your letter names “Nordhavn Foundation”.',
      },
    ],
    started: 3101,
    references: 131,
  }
}

const PLAN = { name: 'project-plan.txt', size: 1204, digest: 'sha256:kept-on-file' }
