import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from './ask.js'
import { Choice, Loading, STATUSES, Status, words } from './controls.js'
import { mount } from './kit/mount.js'
import { toast } from './toasts.js'

const TYPING_MS = 200
const FIELDS = ['status', 'assignee', 'tag', 'search', 'page']

function readAddress() {
  const query = new URLSearchParams(location.search)
  return Object.fromEntries(FIELDS.map((name) => [name, query.get(name) ?? '']))
}

function toQuery(filter) {
  const given = Object.entries(filter).filter(([, value]) => value !== '')
  return new URLSearchParams(given).toString()
}

function Inbox() {
  const [filter, setFilter] = useState(readAddress)
  const [shown, setShown] = useState(null)
  const [isBusy, setBusy] = useState(true)
  const query = toQuery(filter)
  useEffect(() => {
    let isCurrent = true
    setBusy(true)
    const timer = setTimeout(async () => {
      history.replaceState(null, '', query === '' ? '/inbox' : `/inbox?${query}`)
      const { ok, data } = await ask('GET', `/api/tickets?${query}`)
      if (!isCurrent) return
      setBusy(false)
      if (ok) setShown({ ...data, words: new URLSearchParams(query).get('search') ?? '' })
      else toast(data.message, true)
    }, TYPING_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [query])
  if (shown === null) return html`<${Loading} />`
  const change = (part) => setFilter({ ...filter, page: '', ...part })
  return html`<${Filters} filter=${filter} shown=${shown} change=${change} />
    <p id="found" role="status" aria-busy=${String(isBusy)}>${isBusy ? 'Searching…' : count(shown)}</p>
    ${isBusy ? null : html`<${List} tickets=${shown.tickets} />`}
    <${Pager} ...${shown} turn=${(page) => change({ page: String(page) })} />`
}

const count = ({ total, words }) =>
  `${total === 1 ? '1 ticket' : `${total} tickets`}${words === '' ? '' : ` for “${words}”`}`

function Filters({ filter, shown: { agents, tags }, change }) {
  const people = agents.map(({ id, name }) => [id, name])
  return html`<form class="filters" role="search" onSubmit=${(event) => event.preventDefault()}>
    <div class="field wide">
      <label for="search">Search tickets</label>
      <input id="search" type="search" placeholder="Words, names or a number" value=${filter.search}
        onInput=${(event) => change({ search: event.currentTarget.value })} />
    </div>
    <${Choice} id="filter-status" label="Status" value=${filter.status}
      choices=${[['', 'Any status'], ...words(STATUSES)]} onChange=${(status) => change({ status })} />
    <${Choice} id="filter-assignee" label="Assignee" value=${filter.assignee}
      choices=${[['', 'Anybody'], ['none', 'Nobody yet'], ...people]} onChange=${(assignee) => change({ assignee })} />
    <${Choice} id="filter-tag" label="Tag" value=${filter.tag}
      choices=${[['', 'Any tag'], ...tags.map((tag) => [tag, tag])]} onChange=${(tag) => change({ tag })} />
  </form>`
}

function List({ tickets }) {
  if (tickets.length === 0)
    return html`<p class="empty">No ticket fits. Take a filter away or search for other words.</p>`
  return html`<ul id="tickets" class="tickets">${tickets.map((one) => html`<${Row} key=${one.id} ...${one} />`)}</ul>`
}

function Row({ id, subject, name, company, status, priority, assignee, tags, updated }) {
  return html`<li class="ticket-row">
    <div class="about">
      <a id=${`ticket-${id}`} href=${`/tickets/${id}`}>#${id} ${subject}</a>
      <p class="quiet">${name}${company && ` · ${company}`}</p>
    </div>
    <p class="tags">${tags.map((tag) => html`<span key=${tag} class="tag">${tag}</span>`)}</p>
    <p class="state"><${Status} status=${status} />${priority !== 'normal' && html`<span class=${`priority ${priority}`}>${priority}</span>`}</p>
    <p class="quiet who">${assignee ?? 'Nobody yet'}</p>
    <p class="quiet time">${updated}</p>
  </li>`
}

function Pager({ page, pages, turn }) {
  if (pages <= 1) return null
  return html`<nav class="pager" aria-label="Pages">
    <button type="button" id="previous" disabled=${page <= 1} onClick=${() => turn(page - 1)}>Previous page</button>
    <span>Page ${page} of ${pages}</span>
    <button type="button" id="next" disabled=${page >= pages} onClick=${() => turn(page + 1)}>Next page</button>
  </nav>`
}

mount(() => html`<${Inbox} />`, document.querySelector('#view'))
