import { html } from 'htm/preact'

/** A labelled `<select>`; `choices` are pairs of value and words. */
export function Choice({ id, label, value, choices, onChange, disabled = false, mistake }) {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} value=${value} disabled=${disabled} aria-invalid=${mistake ? 'true' : 'false'}
      onChange=${(event) => onChange(event.currentTarget.value)}>
      ${choices.map(([key, words]) => html`<option key=${key} value=${key}>${words}</option>`)}
    </select>
    ${mistake && html`<p class="mistake">${mistake}</p>`}
  </div>`
}

/** A labelled text field, or with `lines` an area. */
export function TextField({ id, label, value, onInput, lines, hint, mistake, ...rest }) {
  const described = mistake ? `${id}-mistake` : hint ? `${id}-hint` : undefined
  const common = {
    id,
    value,
    'aria-invalid': mistake ? 'true' : 'false',
    'aria-describedby': described,
    onInput: (event) => onInput(event.currentTarget.value),
    ...rest,
  }
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${lines ? html`<textarea rows=${lines} ...${common}></textarea>` : html`<input ...${common} />`}
    ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    ${mistake && html`<p class="mistake" id=${`${id}-mistake`}>${mistake}</p>`}
  </div>`
}

export function Checkbox({ id, label, hint, checked, onChange }) {
  return html`<div class="tick">
    <input type="checkbox" id=${id} checked=${checked} aria-describedby=${`${id}-hint`}
      onChange=${(event) => onChange(event.currentTarget.checked)} />
    <div><label for=${id}>${label}</label><p class="hint" id=${`${id}-hint`}>${hint}</p></div>
  </div>`
}

export function Status({ status }) {
  return html`<span class=${`status ${status}`}>${capital(status)}</span>`
}

export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1)
export const words = (list) => list.map((one) => [one, capital(one)])
export const STATUSES = ['open', 'pending', 'solved', 'closed']
export const PRIORITIES = ['low', 'normal', 'high', 'urgent']

export const Loading = () => html`<p class="loading" role="status">Loading…</p>`
