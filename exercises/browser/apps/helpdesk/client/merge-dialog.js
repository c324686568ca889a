import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from './ask.js'
import { toast, toastLater } from './toasts.js'

const TYPING_MS = 250

/** Finds the ticket that this one is a duplicate of, and merges this one into it. */
export function MergeDialog({ ticket }) {
  const dialog = useRef(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
  }, [isOpen])
  return html`<button type="button" id="merge" onClick=${() => setOpen(true)}>Merge into another ticket</button>
    ${
      isOpen &&
      html`<dialog ref=${dialog} aria-labelledby="merge-heading" onClose=${() => setOpen(false)}>
      <${Form} ticket=${ticket} close=${() => dialog.current?.close()} />
    </dialog>`
    }`
}

function Form({ ticket, close }) {
  const [search, setSearch] = useState('')
  const [into, setInto] = useState(null)
  const [isMerging, setMerging] = useState(false)
  const found = useFound(search, ticket.id)
  const merge = async (event) => {
    event.preventDefault()
    setMerging(true)
    const { ok, data } = await ask('POST', `/api/tickets/${ticket.id}/merge`, {
      into: String(into),
    })
    setMerging(false)
    if (!ok) return toast(data.message, true)
    toastLater(`Ticket #${ticket.id} was merged into #${into}.`)
    location.assign(`/tickets/${into}`)
  }
  return html`<form class="stack" onSubmit=${merge}>
    <h2 id="merge-heading">Merge #${ticket.id} into another ticket</h2>
    <p class="quiet">#${ticket.id} is closed for good; the conversation goes on in the ticket that you choose.</p>
    <div class="field"><label for="merge-search">Find the other ticket</label>
      <input id="merge-search" type="search" autocomplete="off" value=${search} onInput=${(event) => setSearch(event.currentTarget.value)} /></div>
    <fieldset id="merge-results"><legend>Tickets</legend>
      ${found === null ? html`<p class="quiet">Write a number, a name or words of the conversation.</p>` : null}
      ${found?.length === 0 && html`<p class="quiet">No other ticket fits.</p>`}
      ${found?.map(
        ({ id, subject, name }) =>
          html`<div key=${id} class="choice"><input type="radio" name="into" id=${`into-${id}`} checked=${into === id} onChange=${() => setInto(id)} />
            <div><label for=${`into-${id}`}>#${id} ${subject}</label><small>${name}</small></div></div>`,
      )}
    </fieldset>
    <div class="actions"><button id="confirm-merge" class="primary" disabled=${into === null || isMerging}>Merge tickets</button>
      <button type="button" id="cancel-merge" onClick=${close}>Cancel</button></div>
  </form>`
}

/** The first tickets that the search finds; null = nothing was searched for. */
function useFound(search, ownId) {
  const [found, setFound] = useState(null)
  useEffect(() => {
    if (search.trim() === '') return setFound(null)
    let isCurrent = true
    const timer = setTimeout(async () => {
      const { ok, data } = await ask('GET', `/api/tickets?search=${encodeURIComponent(search)}`)
      if (isCurrent && ok) setFound(data.tickets.filter(({ id }) => id !== ownId).slice(0, 6))
    }, TYPING_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [search, ownId])
  return found
}
