import type { Application, GrantState } from './grant-state.ts'

/**
 * What contracts are judged by: every application with all that was filled in, by where it stands. A date of birth is
 * the same with leading zeros.
 */
export function exposeGrants({ applications }: GrantState) {
  const list = (state: Application['state']) =>
    applications.filter((one) => one.state === state).map(expose)
  return { submitted: list('submitted'), drafts: list('draft'), returned: list('returned') }
}

function expose({ id, fields, document, hasAcceptedTerms, reference, handedIn }: Application) {
  const filled = Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === '' ? [] : [[name, /^birth/.test(name) ? value.replace(/^0+(?=\d)/, '') : value]],
    ),
  )
  return { id, fields: filled, document, hasAcceptedTerms, reference, handedIn }
}
