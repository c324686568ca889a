import type { Application, Field, Step } from './grant-state.ts'
import { COUNTRIES, isOrganisation, THEMES } from './registers.ts'

/** What is wrong, by field; the words say what to do. Empty = the step is complete. */
export type Problems = Partial<Record<Field | 'document' | 'accepted', string>>
type Fields = Application['fields']

const MOST_EUR = 25_000
const SHARE = 0.8
const LEAD_DAYS = 30
const POSTCODES: Record<string, RegExp> = {
  Norway: /^\d{4}$/,
  Denmark: /^\d{4}$/,
  Sweden: /^\d{3} \d{2}$/,
}

/** Checks one step as the fund's rules say; `now` is the tenant's time. */
export function checkStep(step: Step, application: Application, now: Date): Problems {
  const { fields } = application
  switch (step) {
    case 'applicant':
      return checkApplicant(fields, now)
    case 'address':
      return checkAddress(fields)
    case 'project':
      return checkProject(fields, now)
    case 'budget':
      return checkBudget(fields)
    case 'documents':
      return application.document === null ? { document: 'Attach your project plan.' } : {}
    case 'terms':
      return application.hasAcceptedTerms
        ? {}
        : { accepted: 'Read the terms to their end and accept them.' }
  }
}

function checkApplicant(fields: Fields, now: Date): Problems {
  const born = readDay(
    `${fields.birthDay.padStart(2, '0')}.${fields.birthMonth.padStart(2, '0')}.${fields.birthYear}`,
  )
  const adult = new Date(now)
  adult.setUTCFullYear(now.getUTCFullYear() - 18)
  const isOrg = fields.kind === 'organisation'
  return keep({
    kind: isOrg || fields.kind === 'person' ? null : 'Say who applies.',
    fullName: fields.fullName.includes(' ') ? null : 'Write your first and last name.',
    birthDay:
      born === null
        ? 'Write your date of birth, as in 9 4 1985.'
        : born > adult
          ? 'You must be 18 to apply.'
          : null,
    email: /^\S+@\S+\.\S+$/.test(fields.email)
      ? null
      : 'Write an e-mail address, as in name@example.com.',
    organisation:
      isOrg && !isOrganisation(fields.organisation)
        ? 'Choose your organisation from the list.'
        : null,
    role: isOrg && fields.role === '' ? 'Say what you are in the organisation.' : null,
  })
}

function checkAddress({ country, street, postcode, city }: Fields): Problems {
  const pattern = POSTCODES[country] ?? /^[\w -]{3,10}$/
  return keep({
    country: COUNTRIES.includes(country) ? null : 'Choose a country from the list.',
    street: street === '' ? 'Write street and number.' : null,
    postcode: pattern.test(postcode)
      ? null
      : `This is no postcode of ${country || 'that country'}.`,
    city: city === '' ? 'Write the town.' : null,
  })
}

function checkProject(fields: Fields, now: Date): Problems {
  const starts = readDay(fields.startsOn)
  const ends = readDay(fields.endsOn)
  const earliest = new Date(now.getTime() + LEAD_DAYS * 86_400_000)
  const how = 'Write a day as in 24.05.2026.'
  const early = `The first day can be ${writeDay(earliest)} at the earliest.`
  return keep({
    title: fields.title.length < 3 ? 'Give the project a title.' : null,
    theme: THEMES.includes(fields.theme) ? null : 'Choose a theme.',
    otherTheme:
      fields.theme === 'Something else' && fields.otherTheme === '' ? 'Say which theme.' : null,
    startsOn: starts === null ? how : starts < startOfDay(earliest) ? early : null,
    endsOn:
      ends === null
        ? how
        : starts !== null && ends <= starts
          ? 'The last day must come after the first.'
          : null,
    summary: fields.summary.length < 40 ? 'Describe the project in at least 40 letters.' : null,
  })
}

function checkBudget({ total, requested, coFunder }: Fields): Problems {
  const whole = readEuros(total)
  const wanted = readEuros(requested)
  const most = Math.min(MOST_EUR, Math.floor((whole ?? 0) * SHARE))
  return keep({
    total: whole === null ? 'Write a whole number of euros, as in 12000.' : null,
    requested:
      wanted === null
        ? 'Write a whole number of euros, as in 8000.'
        : whole !== null && wanted > most
          ? `We pay at most ${most} EUR of this budget: 80 % of the total, never more than ${MOST_EUR}.`
          : null,
    coFunder:
      whole !== null && wanted !== null && wanted < whole && coFunder === ''
        ? 'Say who pays the rest.'
        : null,
  })
}

function keep(found: Record<string, string | null>): Problems {
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== null))
}

function readEuros(text: string) {
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : null
}

/** `24.05.2026`, a day that exists; null = it is none. */
function readDay(text: string): Date | null {
  const [, day, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text) ?? []
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day) ? date : null
}

function startOfDay(date: Date) {
  return new Date(date.toISOString().slice(0, 10))
}

function writeDay(date: Date) {
  return date.toISOString().slice(0, 10).split('-').reverse().join('.')
}
