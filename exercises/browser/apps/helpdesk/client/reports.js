import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from './ask.js'
import { Choice, capital, Loading, STATUSES, Status, words } from './controls.js'
import { mount } from './kit/mount.js'
import { toast } from './toasts.js'

const MONTHS = [
  ['', 'Any month'],
  ['2026-01', 'January 2026'],
  ['2026-02', 'February 2026'],
  ['2026-03', 'March 2026'],
]

function Reports() {
  const [filter, setFilter] = useState({ status: '', tag: '', month: '' })
  const [shown, setShown] = useState(null)
  const [isBusy, setBusy] = useState(true)
  const query = new URLSearchParams(filter).toString()
  useEffect(() => {
    let isCurrent = true
    setBusy(true)
    const load = async () => {
      const { ok, data } = await ask('GET', `/api/report?${query}`)
      if (!isCurrent) return
      setBusy(false)
      if (ok) setShown({ ...data, about: describe(query) })
      else toast(data.message, true)
    }
    void load()
    return () => {
      isCurrent = false
    }
  }, [query])
  if (shown === null) return html`<${Loading} />`
  const change = (part) => setFilter({ ...filter, ...part })
  return html`<p class="lead">Choose which tickets you want, look at the first of them, and take the report with you.</p>
    <form class="filters" onSubmit=${(event) => event.preventDefault()}>
      <${Choice} id="report-status" label="Status" value=${filter.status}
        choices=${[['', 'Any status'], ...words(STATUSES)]} onChange=${(status) => change({ status })} />
      <${Choice} id="report-tag" label="Tag" value=${filter.tag}
        choices=${[['', 'Any tag'], ...shown.tags.map((tag) => [tag, tag])]} onChange=${(tag) => change({ tag })} />
      <${Choice} id="report-month" label="Came in" value=${filter.month} choices=${MONTHS}
        onChange=${(month) => change({ month })} />
    </form>
    <section class="card" aria-label="Report">
      <p id="report-count" role="status" aria-busy=${String(isBusy)}>
        ${isBusy ? 'Counting…' : count(shown)}
      </p>
      <${Export} query=${query} total=${isBusy ? 0 : shown.total} />
      <${Preview} rows=${shown.rows} total=${shown.total} />
    </section>`
}

const count = ({ total, about }) =>
  `${total === 1 ? '1 ticket' : `${total} tickets`} in this report: ${about}`

/** What was chosen, in the words of the fields. */
function describe(query) {
  const { status, tag, month } = Object.fromEntries(new URLSearchParams(query))
  const period = MONTHS.find(([key]) => key === month && key !== '')?.[1]
  const parts = [status && capital(status), tag, period].filter(Boolean)
  return parts.length === 0 ? 'everything' : parts.join(', ')
}

function Export({ query, total }) {
  if (total === 0) return html`<button type="button" class="primary" disabled>Export CSV</button>`
  const tell = () => toast('The report is being downloaded.')
  return html`<a id="export" class="button primary" href=${`/reports/export.csv?${query}`} download onClick=${tell}>Export CSV</a>`
}

function Preview({ rows, total }) {
  if (rows.length === 0) return html`<p class="empty">No ticket fits.</p>`
  return html`<table id="preview">
    <thead><tr><th scope="col">Ticket</th><th scope="col">Status</th><th scope="col" class="wide">Requester</th></tr></thead>
    <tbody>${rows.map(
      ({ id, subject, status, name }) =>
        html`<tr key=${id}><td>#${id} ${subject}</td><td><${Status} status=${status} /></td><td class="wide">${name}</td></tr>`,
    )}</tbody>
  </table>
  ${total > rows.length && html`<p class="quiet">and ${total - rows.length} more</p>`}`
}

mount(() => html`<${Reports} />`, document.querySelector('#view'))
