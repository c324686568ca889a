import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { Choice } from './controls.js'

const KINDS = [
  ['reply', 'Reply to the customer'],
  ['note', 'Internal note'],
]

/** Writes a reply or a note. What was written stays until it was sent. */
export function Editor({ ticket, change }) {
  const [kind, setKind] = useState('reply')
  const [text, setText] = useState('')
  const [files, setFiles] = useState([])
  const [isSending, setSending] = useState(false)
  const isReply = kind === 'reply'
  const send = async (event) => {
    event.preventDefault()
    setSending(true)
    const form = new FormData()
    form.set('kind', kind)
    form.set('text', text)
    for (const file of files) form.append('file', file)
    const done = isReply ? `Your reply to ${ticket.name} was sent.` : 'Your note was added.'
    const isSent = await change('POST', '/messages', form, done)
    setSending(false)
    if (!isSent) return
    setText('')
    setFiles([])
  }
  return html`<form class=${`card stack editor ${kind}`} onSubmit=${send} aria-label="Answer">
    <fieldset class="kinds"><legend>Write a</legend>${KINDS.map(
      ([one, label]) =>
        html`<span key=${one}><input type="radio" name="kind" id=${`kind-${one}`} checked=${kind === one} onChange=${() => setKind(one)} /><label for=${`kind-${one}`}>${label}</label></span>`,
    )}</fieldset>
    ${isReply && html`<${Canned} canned=${ticket.canned} use=${setText} />`}
    <div class="field">
      <label for="message">${isReply ? 'Your reply' : 'Your note'}</label>
      <textarea id="message" rows="6" value=${text} onInput=${(event) => setText(event.currentTarget.value)}></textarea>
      ${isReply && html`<p class="hint signature">${ticket.signature}</p>`}
    </div>
    <${Files} files=${files} setFiles=${setFiles} />
    <div class="actions"><button id="send" class="primary" disabled=${isSending}>${isReply ? 'Send reply' : 'Add note'}</button>
      <span class="quiet">${isSending ? 'Sending…' : ''}</span></div>
  </form>`
}

function Canned({ canned, use }) {
  const [inserted, setInserted] = useState('')
  const choices = [['', 'Choose one'], ...canned.map(({ name }) => [name, name])]
  const put = (name) => {
    setInserted(name)
    use(canned.find((one) => one.name === name)?.text ?? '')
  }
  return html`<div>
    <${Choice} id="canned" label="Canned reply" value=${inserted} choices=${choices} onChange=${put} />
    ${inserted !== '' && html`<p id="inserted" class="hint" role="status">“${inserted}” was inserted below.</p>`}
  </div>`
}

function Files({ files, setFiles }) {
  return html`<div class="field">
    <label for="attach">Attach a file</label>
    <input id="attach" type="file" onChange=${(event) => setFiles([...event.currentTarget.files])} />
    <ul id="attached" class="attached">${files.map(
      (file) =>
        html`<li key=${file.name}>${file.name} <button type="button" aria-label=${`Remove ${file.name}`} onClick=${() => setFiles(files.filter((one) => one !== file))}>×</button></li>`,
    )}</ul>
  </div>`
}
