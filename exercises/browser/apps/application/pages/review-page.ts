import { html, type Markup } from '../../kit/html.ts'
import type { Problems } from '../check-step.ts'
import {
  type Application,
  type Field,
  fieldsOf,
  STEP_NAMES,
  STEPS,
  type Step,
} from '../grant-state.ts'
import { framePage } from './frame-page.ts'
import { progress, remark } from './progress.ts'

const LABELS: Record<Field, string> = {
  kind: 'Who applies',
  organisation: 'Organisation',
  role: 'Role',
  fullName: 'Full name',
  birthDay: 'Day of birth',
  birthMonth: 'Month of birth',
  birthYear: 'Year of birth',
  email: 'E-mail',
  street: 'Street and number',
  postcode: 'Postcode',
  city: 'Town',
  country: 'Country',
  title: 'Project title',
  theme: 'Theme',
  otherTheme: 'Which theme',
  startsOn: 'First day',
  endsOn: 'Last day',
  summary: 'Summary',
  total: 'Total costs in EUR',
  requested: 'Amount asked for in EUR',
  coFunder: 'Who pays the rest',
}

/** Everything once more, with a way back to each step, and the button that hands it in. */
export function reviewPage(
  application: Application,
  gaps: readonly [Step, Problems][],
  problem: string | null = null,
) {
  const { id, state } = application
  const isWrong = gaps.length > 0 || problem !== null
  const main = html`${progress(application, 'review')}
${remark(application)}
${
  isWrong &&
  html`<div class="alert" role="alert" id="problems"><strong>Not handed in yet</strong><ul>${problem !== null && html`<li>${problem}</li>`}
${gaps.map(([step, found]) => html`<li>${STEP_NAMES[step]}: ${Object.values(found).join(' ')}</li>`)}</ul></div>`
}
${STEPS.map((step) => summarise(application, step))}
<form method="post" action="/applications/${id}/submit">
<label class="option"><input type="checkbox" id="declared" name="declared" value="yes"> Everything here is true and complete</label>
<div class="foot"><button id="submit" type="submit">${state === 'returned' ? 'Hand in again' : 'Submit application'}</button></div></form>`
  return framePage('Review', main, { status: isWrong ? 422 : 200 })
}

function summarise(application: Application, step: Step): Markup {
  const { id } = application
  const lines = linesOf(application, step).filter(([, value]) => value !== '')
  return html`<section class="summary" aria-label="${STEP_NAMES[step]}"><h2>${STEP_NAMES[step]}</h2>
<a class="change" id="change-${step}" href="/applications/${id}/${step}" aria-label="Change ${STEP_NAMES[step].toLowerCase()}">Change</a>
<dl>${lines.map(([name, value, field]) => html`<div><dt>${name}</dt><dd id="review-${field}">${value}</dd></div>`)}</dl></section>`
}

function linesOf(
  { fields, document, hasAcceptedTerms }: Application,
  step: Step,
): [string, string, string][] {
  if (step === 'documents') return [['Project plan', document?.name ?? 'none', 'document']]
  if (step === 'terms') return [['Terms', hasAcceptedTerms ? 'accepted' : 'not accepted', 'terms']]
  return fieldsOf(step).map((field) => [LABELS[field], shown(field, fields[field]), field])
}

function shown(field: Field, value: string) {
  if (field !== 'kind') return value
  return { person: 'A person', organisation: 'An organisation' }[value] ?? ''
}
