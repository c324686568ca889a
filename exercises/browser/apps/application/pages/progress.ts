import { html, type Markup } from '../../kit/html.ts'
import { type Application, STEP_NAMES, STEPS } from '../grant-state.ts'

/** Where one is, with a way to every step. */
export function progress({ id }: Application, here: string): Markup {
  const all = [...STEPS, 'review'] as const
  return html`<nav class="progress" aria-label="Steps"><ol>${all.map(
    (step) =>
      html`<li><a id="to-${step}" href="/applications/${id}/${step}" ${step === here && html`aria-current="step"`}>${STEP_NAMES[step]}</a></li>`,
  )}</ol></nav>`
}

/** What the fund wrote when it returned the application. */
export function remark({ state, remark: words }: Application): Markup {
  if (state !== 'returned' || words === null) return html``
  return html`<aside class="remark" id="remark" aria-label="Changes asked for"><strong>The fund asks for changes</strong><p>${words}</p></aside>`
}
