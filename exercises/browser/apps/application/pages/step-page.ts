import { html, type Markup } from '../../kit/html.ts'
import type { Problems } from '../check-step.ts'
import { type Application, STEP_NAMES, type Step } from '../grant-state.ts'
import { framePage } from './frame-page.ts'
import { progress, remark } from './progress.ts'
import { documentsStep, termsStep } from './special-steps.ts'
import { addressStep, applicantStep, budgetStep, projectStep } from './typed-steps.ts'

type Write = (application: Application, problems: Problems) => Markup

const WRITERS: Record<Step, Write> = {
  applicant: applicantStep,
  address: addressStep,
  project: projectStep,
  budget: budgetStep,
  documents: documentsStep,
  terms: termsStep,
}

/** One step of the form, with what was saved and what is wrong with it. */
export function stepPage(application: Application, step: Step, problems: Problems) {
  const { id, savedAt } = application
  const wrong = Object.values(problems)
  const hasFiles = step === 'documents' && html`enctype="multipart/form-data"`
  const saved = savedAt === null ? 'Not saved yet' : `Saved at ${savedAt.slice(11, 16)}`
  const main = html`${progress(application, step)}
${remark(application)}
${
  wrong.length > 0 &&
  html`<div class="alert" role="alert" id="problems"><strong>Please look at this again</strong><ul>${wrong.map((one) => html`<li>${one}</li>`)}</ul></div>`
}
<form method="post" action="/applications/${id}/${step}" id="step" data-saves="/applications/${id}/draft/${step}" ${hasFiles} novalidate>
${WRITERS[step](application, problems)}
<div class="foot"><button id="continue" type="submit">Save and continue</button>
<span id="saved" role="status">${saved}</span></div>
</form>`
  return framePage(STEP_NAMES[step], main, { status: wrong.length > 0 ? 422 : 200 })
}
