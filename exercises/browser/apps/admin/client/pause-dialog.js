import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { ask } from './api.js'
import { Dialog } from './dialog.js'
import { toast } from './words.js'

const REASONS = ['Port strike', 'Customs hold', 'Customer asked', 'Payment dispute']

/** Asks before several customers are paused at once. */
export function PauseDialog({ selected, onKeep, onDone }) {
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState(null)
  const [isSending, setIsSending] = useState(false)
  const pause = async () => {
    setIsSending(true)
    const { ok, message } = await ask('POST', '/api/customers/pause', {
      ids: [...selected.keys()],
      reason,
    })
    setIsSending(false)
    if (!ok) return setProblem(message)
    toast(message)
    onDone()
  }
  const count = selected.size === 1 ? 'this customer' : `these ${selected.size} customers`
  return html`<${Dialog} label="Pause customers" onClose=${onKeep}>
    <h2>Pause ${count}?</h2>
    <ul class="names">${[...selected.values()].sort().map((company) => html`<li>${company}</li>`)}</ul>
    <p class="quiet">Their deliveries stop today. Billing stops at the end of the month.</p>
    <label>Reason
      <select id="pause-reason" value=${reason} onChange=${(event) => setReason(event.currentTarget.value)}>
        <option value="">Choose a reason</option>
        ${REASONS.map((one) => html`<option value=${one} selected=${one === reason}>${one}</option>`)}
      </select></label>
    ${problem && html`<p class="alert" role="alert">${problem}</p>`}
    <p class="actions">
      <button type="button" class="plain" id="keep-customers" onClick=${onKeep}>Keep them</button>
      <button type="button" class="danger" id="confirm-pause" disabled=${isSending} onClick=${pause}>Pause customers</button>
    </p>
  <//>`
}
