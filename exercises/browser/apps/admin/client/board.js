import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from './api.js'
import { follow } from './follow-pointer.js'
import { mount } from './kit/mount.js'
import { RunPanel } from './run-panel.js'
import { useAnswer } from './use-answer.js'
import { toast } from './words.js'

const COLUMNS = ['Incoming', 'Planned', 'Loading', 'On the road', 'Delivered']
const slug = (column) => column.toLowerCase().replaceAll(' ', '-')

function useBoard() {
  const { data: board, problem, load } = useAnswer('/api/runs')
  const again = useRef(load)
  again.current = load
  useEffect(() => {
    // Colleagues work on the same board.
    const events = new EventSource('/events')
    events.addEventListener('board', () => again.current())
    addEventListener('pagehide', () => events.close())
    return () => events.close()
  }, [])
  const change = async (id, part) => {
    const { ok, message } = await ask('PATCH', `/api/runs/${id}`, part)
    toast(message, ok ? 'good' : 'bad')
    load()
    return { ok, message }
  }
  return { board, problem, load, change }
}

function Board() {
  const { board, problem, load, change } = useBoard()
  const [chosen, setChosen] = useState(null)
  const [carried, setCarried] = useState(null)
  const runs = board?.runs ?? []
  const run = runs.find(({ id }) => id === chosen)
  const move = (id, column) => {
    const before = runs.find((one) => one.id === id)
    if (before && column && before.column !== column) void change(id, { column })
  }
  return html`<p class="quiet" id="board-help">Drag a card to another column, or focus it and use the left and right arrow keys. Click a card to assign a driver.</p>
    ${problem && html`<p class="alert" role="alert">${problem} <button type="button" onClick=${() => load()}>Load again</button></p>`}
    ${!board && !problem && html`<p class="skeleton">Loading the board…</p>`}
    ${
      board &&
      html`<div class="board">${COLUMNS.map(
        (column) => html`<${ColumnOfRuns} key=${column}
      ...${{ column, carried, setCarried, chosen, setChosen, move }} runs=${runs.filter((one) => one.column === column)} />`,
      )}</div>`
    }
    ${run && html`<${RunPanel} key=${`${run.id} panel`} run=${run} drivers=${board.drivers} change=${change} onClose=${() => setChosen(null)} />`}`
}

function ColumnOfRuns({ column, runs, carried, setCarried, chosen, setChosen, move }) {
  const isTarget = carried?.over === column
  return html`<section class=${`column ${isTarget ? 'target' : ''}`} id=${`column-${slug(column)}`} data-column=${column} role="group" aria-label=${`${column} column`}>
    <h2>${column} <span class="quiet">${runs.length}</span></h2>
    ${[...runs].sort((a, b) => a.leaves.localeCompare(b.leaves)).map((run) => html`<${Card} key=${run.id} ...${{ run, carried, setCarried, chosen, setChosen, move }} />`)}
  </section>`
}

function Card({ run, carried, setCarried, chosen, setChosen, move }) {
  const wasCarried = useRef(false)
  const grasp = (event) => {
    wasCarried.current = false
    follow(event, {
      onMove: (offset, column) => {
        wasCarried.current = true
        setCarried({ id: run.id, over: column, ...offset })
      },
      onDrop: (column) => {
        setCarried(null)
        move(run.id, column)
      },
      onGiveUp: () => setCarried(null),
    })
  }
  const press = ({ key }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
    if (step) move(run.id, COLUMNS[COLUMNS.indexOf(run.column) + step])
  }
  const isCarried = carried?.id === run.id
  const style = isCarried ? `transform: translate(${carried.x}px, ${carried.y}px) rotate(2deg)` : ''
  return html`<button type="button" class=${`run ${isCarried ? 'carried' : ''}`} id=${`run-${run.id}`} style=${style}
    aria-label=${`${run.id} ${run.from} to ${run.to}`} aria-describedby="board-help" aria-pressed=${chosen === run.id}
    onPointerDown=${grasp} onKeyDown=${press} onClick=${() => !wasCarried.current && setChosen(run.id)}>
    <strong>${run.id}</strong><time>${run.leaves.slice(11, 16)}</time>
    <span class="way">${run.from} → ${run.to}</span>
    <span class=${run.driver ? 'quiet' : 'missing'}>${run.driver ?? 'no driver'}</span>
  </button>`
}

const root = document.getElementById('app')
root.textContent = ''
mount(() => html`<${Board} />`, root)
