import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { ask } from './api.js'
import { toast, writeDay, writeMoney } from './words.js'

/** One customer of the table, with two cells that can be edited in place. */
export function CustomerRow({ row, isSelected, onSelect, onSaved }) {
  const cell = (field, shown) =>
    html`<${EditableCell} row=${row} field=${field} shown=${shown} onSaved=${onSaved} />`
  return html`<tr data-company=${row.company} class=${isSelected ? 'selected' : ''}>
    <td class="tick"><input type="checkbox" class="pick" aria-label=${`Select ${row.company}`} checked=${isSelected}
      onClick=${(event) => onSelect(event.currentTarget.checked)} /></td>
    <td class="company" data-label="Company"><a href=${`/customers/${row.id}`}>${row.company}</a></td>
    <td class="contact" data-label="Contact">${cell('contact', row.contact)}</td>
    <td class="place" data-label="Place">${row.city}, ${row.country}</td>
    <td class="plan" data-label="Plan">${row.plan}</td>
    <td class="status" data-label="Status"><span class=${`tag ${row.status}`}>${row.status}</span></td>
    <td class="fee" data-label="Monthly fee">${writeMoney(row.fee)}</td>
    <td class="discount" data-label="Discount">${cell('discount', `${row.discount} %`)}</td>
    <td class="renews" data-label="Renews">${writeDay(row.renewsOn)}</td>
  </tr>`
}

function EditableCell({ row, field, shown, onSaved }) {
  const [draft, setDraft] = useState(null)
  const [problem, setProblem] = useState(null)
  const stop = () => {
    setDraft(null)
    setProblem(null)
  }
  const save = async () => {
    const { ok, message } = await ask('PATCH', `/api/customers/${row.id}`, { field, value: draft })
    if (!ok) return setProblem(message)
    toast(message)
    stop()
    onSaved()
  }
  const press = (event) => {
    if (event.key === 'Enter') void save()
    if (event.key === 'Escape') stop()
  }
  if (draft === null) {
    return html`<button type="button" class=${`cell edit-${field}`} aria-label=${`Edit ${field} of ${row.company}: ${shown}`}
      onClick=${() => setDraft(String(row[field]))}>${shown}</button>`
  }
  const name = `${field} of ${row.company}`
  return html`<span class="editor">
    <input class=${`input-${field}`} aria-label=${`New ${name}`} value=${draft} onInput=${(event) => setDraft(event.currentTarget.value)}
      onKeyDown=${press} aria-invalid=${problem !== null} size=${field === 'discount' ? 3 : 14} ref=${focusOnce} />
    <button type="button" class=${`save-${field}`} aria-label=${`Save ${name}`} onClick=${save}>Save</button>
    <button type="button" class=${`plain cancel-${field}`} aria-label=${`Cancel ${name}`} onClick=${stop}>Cancel</button>
    ${problem && html`<small class="problem" role="alert">${problem}</small>`}
  </span>`
}

// Only when nothing else of the editor has the focus: a redrawn field must not take it back.
function focusOnce(input) {
  if (input && !input.parentElement?.contains(document.activeElement)) input.focus()
}
