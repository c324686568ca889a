import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { mount } from './kit/mount.js'
import { useAnswer } from './use-answer.js'
import { writeDay } from './words.js'

const addressOf = (wish) => `/api/report?${new URLSearchParams(wish)}`

function Reports() {
  const [wish, setWish] = useState({ from: '2026-02-01', to: '2026-02-28', by: 'carrier' })
  const { data: report, problem, isFresh, load } = useAnswer(addressOf(wish))
  const set = (key) => (event) => setWish({ ...wish, [key]: event.currentTarget.value })
  const show = (event) => {
    event.preventDefault()
    load(addressOf(wish))
  }
  return html`<form class="toolbar" onSubmit=${show}>
      <label>First day <input id="report-from" value=${wish.from} onInput=${set('from')} placeholder="2026-02-01" autocomplete="off" /></label>
      <label>Last day <input id="report-to" value=${wish.to} onInput=${set('to')} placeholder="2026-02-28" autocomplete="off" /></label>
      <label>Group by <select id="report-by" value=${wish.by} onChange=${set('by')}>
        ${['carrier', 'country'].map((by) => html`<option value=${by} selected=${wish.by === by}>${by}</option>`)}</select></label>
      <button type="submit" id="show-report">Show report</button>
    </form>
    ${isFresh && problem && html`<p class="alert" role="alert">${problem}</p>`}
    ${!isFresh && html`<p class="skeleton">Counting deliveries…</p>`}
    ${isFresh && !problem && html`<${Result} report=${report} />`}`
}

function Result({ report: { from, to, by, rows, total } }) {
  return html`<p id="range">${total} deliveries from ${writeDay(from)} to ${writeDay(to)}</p>
    <table id="report"><thead><tr><th>${by === 'carrier' ? 'Carrier' : 'Country'}</th><th class="fee">Deliveries</th><th class="fee">Late</th><th class="fee">Late share</th><th class="wide"></th></tr></thead>
    <tbody>${rows.map(
      (
        row,
      ) => html`<tr><td class="name">${row.name}</td><td class="fee">${row.deliveries}</td><td class="fee late">${row.late}</td><td class="fee share">${row.share}</td>
      <td><span class="meter" style=${`width: ${Number.parseFloat(row.share) * 2}px`}></span></td></tr>`,
    )}</tbody></table>`
}

const root = document.getElementById('app')
root.textContent = ''
mount(() => html`<${Reports} />`, root)
