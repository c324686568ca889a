import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'

const CHOICES = {
  status: ['active', 'paused', 'overdue', 'cancelled'],
  country: 'Belgium Denmark France Germany Italy Netherlands Poland Portugal Spain Sweden'.split(
    ' ',
  ),
  plan: ['Starter', 'Standard', 'Fleet', 'Enterprise'],
}
const NAMES = { status: 'Status', country: 'Country', plan: 'Plan' }
const PAUSE_MS = 250

/** Search and filters of the table; the search waits until the typing pauses. */
export function Toolbar({ query, change }) {
  const [words, setWords] = useState(query.q)
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (event) => {
    const { value } = event.currentTarget
    setWords(value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => change({ q: value.trim() }), PAUSE_MS)
  }
  return html`<form class="toolbar" role="search" onSubmit=${(event) => event.preventDefault()}>
    <label class="wide">Search customers
      <input id="search" type="search" value=${words} placeholder="Company, contact, place or number" onInput=${type} autocomplete="off" /></label>
    ${Object.entries(CHOICES).map(
      ([key, values]) => html`<label>${NAMES[key]}
      <select id=${`filter-${key}`} value=${query[key]} onChange=${(event) => change({ [key]: event.currentTarget.value })}>
        <option value="">All</option>
        ${values.map((value) => html`<option value=${value} selected=${query[key] === value}>${value}</option>`)}
      </select></label>`,
    )}
  </form>`
}
