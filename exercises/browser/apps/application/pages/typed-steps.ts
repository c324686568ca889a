import { html, type Markup } from '../../kit/html.ts'
import type { Problems } from '../check-step.ts'
import type { Application } from '../grant-state.ts'
import { THEMES } from '../registers.ts'
import { choice, problemOf, radios, textArea, textInput, when } from './fields.ts'

export function applicantStep(application: Application, problems: Problems): Markup {
  const sheet = { application, problems }
  return html`${radios(sheet, 'kind', 'Who applies?', { person: 'A person', organisation: 'An organisation' })}
${when(
  'kind',
  'organisation',
  application,
  html`${textInput(sheet, 'organisation', 'Organisation', { hint: 'Type two letters and choose from the register.', suggests: 'organisations' })}
${textInput(sheet, 'role', 'Your role there', { size: 'half' })}`,
)}
${textInput(sheet, 'fullName', 'Full name')}
<fieldset class="field full birth"><legend>Date of birth</legend><div class="row">
${textInput({ application, problems: {} }, 'birthDay', 'Day of birth', { size: 'tiny' })}
${textInput({ application, problems: {} }, 'birthMonth', 'Month of birth', { size: 'tiny' })}
${textInput({ application, problems: {} }, 'birthYear', 'Year of birth', { size: 'tiny' })}</div>
${problemOf('birthDay', problems)}</fieldset>
${textInput(sheet, 'email', 'E-mail')}`
}

export function addressStep(application: Application, problems: Problems): Markup {
  const sheet = { application, problems }
  return html`<div class="field full"><label for="find">Find your address</label>
<p class="hint" id="find-hint">Type the street and the number and choose, or fill in the fields below.</p>
<input id="find" autocomplete="off" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="find-list" aria-describedby="find-hint" data-suggests="addresses">
<ul class="suggestions" id="find-list" role="listbox" aria-label="Find your address suggestions" hidden></ul></div>
${textInput(sheet, 'street', 'Street and number')}
<div class="row">${textInput(sheet, 'postcode', 'Postcode', { size: 'short' })}
${textInput(sheet, 'city', 'Town', { size: 'half' })}</div>
${textInput(sheet, 'country', 'Country', { size: 'half', suggests: 'countries' })}`
}

export function projectStep(application: Application, problems: Problems): Markup {
  const sheet = { application, problems }
  return html`${textInput(sheet, 'title', 'Project title')}
${choice(sheet, 'theme', 'Theme', THEMES)}
${when('theme', 'Something else', application, textInput(sheet, 'otherTheme', 'Which theme?', { size: 'half' }))}
<div class="row">${textInput(sheet, 'startsOn', 'First day', { size: 'half', hint: 'As in 24.05.2026' })}
${textInput(sheet, 'endsOn', 'Last day', { size: 'half', hint: 'As in 30.11.2026' })}</div>
${textArea(sheet, 'summary', 'Summary', 'What will you do, with whom? At least 40 letters.')}`
}

export function budgetStep(application: Application, problems: Problems): Markup {
  const sheet = { application, problems }
  return html`<p>We pay a part of your costs. Somebody else has to pay the rest.</p>
<div class="row">${textInput(sheet, 'total', 'Total costs in EUR', { size: 'half' })}
${textInput(sheet, 'requested', 'Amount you ask for in EUR', { size: 'half' })}</div>
${textInput(sheet, 'coFunder', 'Who pays the rest', { hint: 'Leave it empty when you ask for everything.' })}`
}
