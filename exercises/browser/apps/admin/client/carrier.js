import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { ask } from './api.js'
import { Dialog } from './dialog.js'
import { mount } from './kit/mount.js'
import { useAnswer } from './use-answer.js'
import { toast } from './words.js'

const root = document.getElementById('app')
const { subject } = root.dataset

function Carrier() {
  const { data: carrier, problem, load } = useAnswer(`/api/carriers/${subject}`)
  const [isAsking, setIsAsking] = useState(false)
  if (problem)
    return html`<p class="alert" role="alert">${problem} <button type="button" onClick=${() => load()}>Load again</button></p>`
  if (!carrier) return html`<p class="skeleton">Loading…</p>`
  const settle = () => {
    setIsAsking(false)
    load()
  }
  return html`<p class="facts"><span>${carrier.city}</span><span>${carrier.phone}</span></p>
    ${
      carrier.watch
        ? html`<p id="watch"><span class="tag overdue">on watch</span> ${carrier.watch.reason}</p>`
        : html`<p id="watch">Not on watch.</p><button type="button" id="put-on-watch" onClick=${() => setIsAsking(true)}>Put on watch…</button>`
    }
    ${isAsking && html`<${WatchDialog} onKeep=${() => setIsAsking(false)} onDone=${settle} />`}`
}

function WatchDialog({ onKeep, onDone }) {
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState(null)
  const put = async () => {
    const { ok, message } = await ask('POST', `/api/carriers/${subject}/watch`, { reason })
    if (!ok) return setProblem(message)
    toast(message)
    onDone()
  }
  return html`<${Dialog} label="Put on watch" onClose=${onKeep}>
    <h2>Put this carrier on watch?</h2>
    <p class="quiet">Planners see the reason when they book the carrier.</p>
    <label>Reason <input id="watch-reason" value=${reason} onInput=${(event) => setReason(event.currentTarget.value)} autocomplete="off" /></label>
    ${problem && html`<p class="alert" role="alert">${problem}</p>`}
    <p class="actions"><button type="button" class="plain" id="leave-carrier" onClick=${onKeep}>Leave it</button>
      <button type="button" id="confirm-watch" onClick=${put}>Confirm watch</button></p>
  <//>`
}

root.textContent = ''
mount(() => html`<${Carrier} />`, root)
