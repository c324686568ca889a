import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { mount } from '/client/kit/mount.js'
import { ask } from './api.js'
import { useAnswer } from './use-answer.js'
import { toast, writeDay, writeMoney } from './words.js'

const root = document.getElementById('app')
const { subject } = root.dataset

function Customer() {
  const { data: customer, problem, load } = useAnswer(`/api/customers/${subject}`)
  if (problem)
    return html`<p class="alert" role="alert">${problem} <button type="button" onClick=${() => load()}>Load again</button></p>`
  if (!customer) return html`<p class="skeleton">Loading…</p>`
  return html`<p class="facts"><span class=${`tag ${customer.status}`}>${customer.status}</span>
      <span>${customer.id}</span><span>${customer.city}, ${customer.country}</span><span>${customer.plan}</span>
      <span>${writeMoney(customer.fee)} a month</span><span>Renews ${writeDay(customer.renewsOn)}</span><span>Contact ${customer.contact}</span></p>
    <div class="halves"><${Invoices} /><${Notes} notes=${customer.notes} onAdded=${() => load()} /></div>`
}

function Invoices() {
  const { data, problem, load } = useAnswer(`/api/customers/${subject}/invoices`)
  const [isOpenOnly, setIsOpenOnly] = useState(false)
  const invoices = data?.invoices
  const shown = (invoices ?? []).filter(({ paid }) => !(isOpenOnly && paid))
  return html`<section aria-label="Invoices"><h2>Invoices</h2>
    <label class="check"><input id="unpaid-only" type="checkbox" checked=${isOpenOnly} onClick=${(event) => setIsOpenOnly(event.currentTarget.checked)} /> Unpaid only</label>
    ${problem && html`<p class="alert" role="alert">${problem} <button type="button" onClick=${() => load()}>Load invoices again</button></p>`}
    ${!invoices && !problem && html`<p class="skeleton">Loading invoices…</p>`}
    ${
      invoices &&
      html`<table id="invoices"><thead><tr><th>Number</th><th class="issued">Issued</th><th>Due</th><th class="fee">Amount</th><th>State</th></tr></thead>
      <tbody>${shown.map(
        (
          one,
        ) => html`<tr><td class="number">${one.number}</td><td class="issued">${writeDay(one.issued)}</td><td class="due">${writeDay(one.due)}</td>
        <td class="fee">${writeMoney(one.amount)}</td><td><span class=${`tag ${one.paid ? 'active' : 'overdue'}`}>${one.paid ? 'paid' : 'unpaid'}</span></td></tr>`,
      )}</tbody></table>`
    }
  </section>`
}

function Notes({ notes, onAdded }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState(null)
  const add = async (event) => {
    event.preventDefault()
    const { ok, message } = await ask('POST', `/api/customers/${subject}/notes`, { text })
    setProblem(ok ? null : message)
    if (!ok) return
    toast(message)
    setText('')
    onAdded()
  }
  return html`<section aria-label="Internal notes"><h2>Internal notes</h2>
    <form onSubmit=${add}><label>New note
      <textarea id="new-note" rows="3" value=${text} onInput=${(event) => setText(event.currentTarget.value)}></textarea></label>
      ${problem && html`<p class="alert" role="alert">${problem}</p>`}
      <button type="submit" id="add-note">Add note</button></form>
    <ul id="notes" class="log">${notes.map((note) => html`<li><time>${note.at.slice(11, 16)}</time> <span>${note.text}</span></li>`)}</ul>
    ${notes.length === 0 && html`<p class="empty">No notes yet.</p>`}
  </section>`
}

root.textContent = ''
mount(() => html`<${Customer} />`, root)
