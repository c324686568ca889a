import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from './ask.js'
import { Loading, Status } from './controls.js'
import { Editor } from './editor.js'
import { mount } from './kit/mount.js'
import { Properties } from './properties.js'
import { toast } from './toasts.js'

const { id } = JSON.parse(document.querySelector('#page-data').textContent)

function Ticket() {
  const [ticket, setTicket] = useState(null)
  const [missing, setMissing] = useState(null)
  useEffect(() => {
    const load = async () => {
      const { ok, data } = await ask('GET', `/api/tickets/${id}`)
      if (ok) setTicket(data)
      else setMissing(data.message)
    }
    void load()
  }, [])
  if (missing !== null)
    return html`<p class="empty">${missing} <a id="back" href="/inbox">Back to the inbox</a></p>`
  if (ticket === null) return html`<${Loading} />`
  /** Changes the ticket; says so, or why not. True = done. */
  const change = async (method, path, body, done) => {
    const { ok, data } = await ask(method, `/api/tickets/${id}${path}`, body)
    // Also after a failure it is drawn again, so that no field shows what was not kept.
    setTicket(ok ? data : { ...ticket })
    toast(ok ? done : data.message, !ok)
    return ok
  }
  return html`<p class="lead"><strong id="subject">${ticket.subject}</strong><br />
      ${ticket.name}${ticket.company && ` · ${ticket.company}`} · ${ticket.email} · came in ${ticket.created}</p>
    <p class="lead" id="summary"><${Status} status=${ticket.status} /> ${ticket.assignee === null ? 'Assigned to nobody yet' : `Assigned to ${ticket.assignee}`}</p>
    ${
      ticket.mergedInto !== null &&
      html`<p class="alert">This ticket was merged into <a id="merged-into" href=${`/tickets/${ticket.mergedInto}`}>#${ticket.mergedInto}</a>.</p>`
    }
    <div class="columns">
      <div>
        <${Conversation} messages=${ticket.messages} />
        ${ticket.mergedInto === null && html`<${Editor} ticket=${ticket} change=${change} />`}
      </div>
      <${Properties} ticket=${ticket} change=${change} />
    </div>`
}

const NOTED = {
  customer: 'wrote',
  reply: 'replied',
  note: 'noted, for colleagues only',
  event: 'did this',
}

function Conversation({ messages }) {
  return html`<section id="conversation" aria-label="Conversation">
    ${messages.map(
      ({ kind, author, at, when, text, attachments }, index) =>
        html`<article key=${index} class=${`message ${kind}`}>
          <p class="quiet"><strong>${author}</strong> ${NOTED[kind]} · <time datetime=${at}>${when}</time></p>
          <p class="words">${text}</p>
          ${attachments.map(
            (file) =>
              html`<p key=${file.id} class="file"><a id=${`file-${file.id}`} href=${`/attachments/${file.id}`} download>${file.name}</a> <span class="quiet">${size(file.size)}</span></p>`,
          )}
        </article>`,
    )}
  </section>`
}

const size = (bytes) => (bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} kB`)

mount(() => html`<${Ticket} />`, document.querySelector('#view'))
