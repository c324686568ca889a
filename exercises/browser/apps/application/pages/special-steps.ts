import { html, type Markup } from '../../kit/html.ts'
import type { Problems } from '../check-step.ts'
import type { Application } from '../grant-state.ts'
import { problemOf } from './fields.ts'

export function documentsStep({ document }: Application, problems: Problems): Markup {
  return html`<p>Attach your project plan: PDF or text, at most 1 MB.</p>
${document !== null && html`<p id="attached" class="file">Attached: <strong>${document.name}</strong> <span class="quiet">${document.size} bytes</span></p>`}
<div class="field full"><label for="document">${document === null ? 'Project plan' : 'Replace the project plan'}</label>
<input type="file" id="document" name="document" accept=".pdf,.txt,.md">
${problemOf('document', problems)}</div>`
}

export function termsStep({ id, hasAcceptedTerms }: Application, problems: Problems): Markup {
  return html`<p>Read the terms to their end, then accept them below the text.</p>
<iframe id="terms" title="Terms of the grant" src="/terms?application=${id}"></iframe>
<p id="terms-state" role="status">${hasAcceptedTerms ? 'Terms accepted' : 'Not accepted yet'}</p>
${problemOf('accepted', problems)}`
}
