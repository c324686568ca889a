import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { CustomerRow } from './customer-row.js'
import { mount } from './kit/mount.js'
import { PauseDialog } from './pause-dialog.js'
import { Toolbar } from './toolbar.js'
import { useAnswer } from './use-answer.js'

const HEADS = [
  ['company', 'Company'],
  ['', 'Contact'],
  ['city', 'Place'],
  ['plan', 'Plan'],
  ['status', 'Status'],
  ['fee', 'Monthly fee'],
  ['discount', 'Discount'],
  ['renews', 'Renews'],
]
const START = { q: '', status: '', country: '', plan: '', sort: 'company', dir: 'up', page: '1' }

function readAddress() {
  const given = Object.fromEntries(new URLSearchParams(location.search))
  return { ...START, ...given }
}

function writeAddress(query) {
  const set = Object.entries(query).filter(([key, value]) => value !== START[key])
  const search = new URLSearchParams(set).toString()
  history.replaceState(null, '', search ? `?${search}` : location.pathname)
}

/** What the table shows, in words: `16 customers · active · Portugal · page 1 of 2`. */
function describe(found, asked) {
  const count = found.total === 1 ? '1 customer' : `${found.total} customers`
  const filters = [asked.status, asked.country, asked.plan, asked.q && `“${asked.q}”`]
  const [, name] = HEADS.find(([key]) => key === asked.sort) ?? []
  const order = asked.dir === 'down' ? `by ${name} ↓` : `by ${name} ↑`
  return [count, ...filters.filter(Boolean), order, `page ${found.page} of ${found.pages}`].join(
    ' · ',
  )
}

const addressOf = (query) => `/api/customers?${new URLSearchParams(query)}`

function useCustomers() {
  const [query, setQuery] = useState(readAddress)
  const { data, problem, isFresh, load } = useAnswer(addressOf(query))
  const change = (part) => {
    const next = { ...query, page: '1', ...part }
    setQuery(next)
    writeAddress(next)
    load(addressOf(next))
  }
  return { query, shown: data, problem, isFresh, change, reload: () => load() }
}

function Customers() {
  const { query, shown, problem, isFresh, change, reload } = useCustomers()
  const [selected, setSelected] = useState(new Map())
  const [isAsking, setIsAsking] = useState(false)
  const select = (rows, isOn) =>
    setSelected((before) => {
      const after = new Map(before)
      for (const { id, company } of rows) {
        if (isOn) after.set(id, company)
        else after.delete(id)
      }
      return after
    })
  const settle = () => {
    setIsAsking(false)
    setSelected(new Map())
    reload()
  }
  return html`
    <${Toolbar} query=${query} change=${change} />
    ${problem && html`<p class="alert" role="alert">${problem} <button type="button" onClick=${reload}>Load again</button></p>`}
    <div class="bar" hidden=${selected.size === 0}>
      <span id="selection">${selected.size} selected</span>
      <button type="button" id="pause-selected" onClick=${() => setIsAsking(true)}>Pause selected…</button>
      <button type="button" class="plain" id="clear-selection" onClick=${() => setSelected(new Map())}>Clear selection</button>
    </div>
    ${!shown && !problem && html`<p class="skeleton">Loading customers…</p>`}
    ${shown && html`<p id="found" aria-live="polite">${isFresh ? describe(shown, query) : 'Searching…'}</p>`}
    ${shown && html`<${Table} ...${{ shown, query, change, selected, select, reload, isFresh }} />`}
    ${shown && html`<${Pager} shown=${shown} change=${change} />`}
    ${isAsking && html`<${PauseDialog} selected=${selected} onKeep=${() => setIsAsking(false)} onDone=${settle} />`}`
}

function Table({ shown, query, change, selected, select, reload, isFresh }) {
  const sort = (key) =>
    change({ sort: key, dir: query.sort === key && query.dir === 'up' ? 'down' : 'up' })
  const isAll = shown.rows.length > 0 && shown.rows.every(({ id }) => selected.has(id))
  return html`<table class="customers" aria-busy=${!isFresh}>
    <thead><tr>
      <th class="tick"><input type="checkbox" id="select-page" aria-label="Select all on this page" checked=${isAll}
        onClick=${(event) => select(shown.rows, event.currentTarget.checked)} /></th>
      ${HEADS.map((head) => html`<${Head} head=${head} query=${query} sort=${sort} />`)}
    </tr></thead>
    <tbody id="rows">${shown.rows.map(
      (row) => html`<${CustomerRow} key=${row.id} row=${row} isSelected=${selected.has(row.id)}
      onSelect=${(isOn) => select([row], isOn)} onSaved=${reload} />`,
    )}</tbody>
  </table>
  ${shown.rows.length === 0 && html`<p class="empty">No customer fits. Take a filter away.</p>`}`
}

const SIGNS = { up: ['ascending', ' ↑'], down: ['descending', ' ↓'] }

function Head({ head: [key, name], query, sort }) {
  if (!key) return html`<th>${name}</th>`
  const [order, sign] = query.sort === key ? SIGNS[query.dir] : []
  return html`<th class=${key} aria-sort=${order}>
    <button type="button" class="sort" id=${`sort-${key}`} aria-label=${`Sort by ${name}`} onClick=${() => sort(key)}>
      ${name}<span aria-hidden="true">${sign}</span></button></th>`
}

function Pager({ shown: { page, pages }, change }) {
  const go = (to) => change({ page: String(to) })
  return html`<nav class="pager" aria-label="Pages">
    <button type="button" id="previous-page" disabled=${page <= 1} onClick=${() => go(page - 1)}>Previous page</button>
    <button type="button" id="next-page" disabled=${page >= pages} onClick=${() => go(page + 1)}>Next page</button>
  </nav>`
}

const root = document.getElementById('app')
root.textContent = ''
mount(() => html`<${Customers} />`, root)
