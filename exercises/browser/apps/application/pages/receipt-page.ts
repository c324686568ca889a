import { html } from '../../kit/html.ts'
import type { Application } from '../grant-state.ts'
import { framePage } from './frame-page.ts'

/** What was handed in, under which number. */
export function receiptPage({ reference, fields, savedAt }: Application) {
  const main = html`<div class="receipt"><p>Your application <strong>${fields.title}</strong> has arrived.</p>
<p class="number">Reference <strong id="reference">${reference}</strong></p>
<p class="quiet">${savedAt !== null && html`Handed in at ${savedAt.slice(11, 16)}. `}The jury answers within six weeks.</p></div>
<p><a href="/">Back to my applications</a></p>`
  return framePage('Application submitted', main)
}
