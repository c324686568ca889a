import type { Application, GrantState } from './grant-state.ts'

/** What contracts are judged by: every application with all that was filled in, by where it stands. */
export function exposeGrants({ applications }: GrantState) {
  const list = (state: Application['state']) =>
    applications.filter((one) => one.state === state).map(expose)
  return { submitted: list('submitted'), drafts: list('draft'), returned: list('returned') }
}

function expose({ id, fields, document, hasAcceptedTerms, reference, handedIn }: Application) {
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  return { id, fields: filled, document, hasAcceptedTerms, reference, handedIn }
}
