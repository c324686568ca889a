import { html, type Markup } from '../../kit/html.ts'
import type { Application } from '../grant-state.ts'
import { framePage } from './frame-page.ts'

const NAMES = { draft: 'Draft', submitted: 'Submitted', returned: 'Changes asked for' }

/** My applications: what there is, where it stands, and the button for a new one. */
export function homePage(applications: readonly Application[], problem: string | null = null) {
  const main = html`<p class="lead">Small Projects Grant: up to 25 000 EUR for culture that people make together.</p>
${problem && html`<p class="alert" role="alert">${problem}</p>`}
<form method="post" action="/applications"><button id="start" type="submit">Start a new application</button></form>
<h2>My applications</h2>
<ul class="applications">${[...applications].reverse().map(showOne)}</ul>`
  return framePage('Welcome, Mira', main, { status: problem === null ? 200 : 422 })
}

function showOne(application: Application): Markup {
  const { id, state, fields, reference } = application
  const title = fields.title === '' ? 'Untitled' : fields.title
  return html`<li class="application ${state}" id="application-${id}">
<div><strong>${title}</strong> <span class="quiet">${reference ?? id}</span></div>
<span class="state">${NAMES[state]}</span>
<div class="doings">${doingsOf(application, title)}</div></li>`
}

function doingsOf({ id, state }: Application, title: string): Markup {
  if (state === 'submitted') {
    return html`<a class="open" href="/applications/${id}/receipt" aria-label="Receipt of ${title} ${id}">Receipt</a>`
  }
  const first = state === 'draft' ? 'applicant' : 'review'
  return html`<a class="open" href="/applications/${id}/${first}" aria-label="Continue ${title} ${id}">Continue</a>
${
  state === 'draft' &&
  html`<button type="button" class="link" data-opens="delete-${id}" aria-label="Delete draft ${id}">Delete</button>
<dialog id="delete-${id}" aria-label="Delete draft ${id}?"><h2>Delete this draft?</h2><p>What you have typed is lost.</p>
<form method="post" action="/applications/${id}/delete"><button type="button" class="plain" data-closes="delete-${id}">Keep it</button>
<button type="submit" class="danger">Delete for good</button></form></dialog>`
}`
}
