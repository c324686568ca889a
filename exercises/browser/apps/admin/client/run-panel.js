import { html } from 'htm/preact'
import { useState } from 'preact/hooks'

/** The chosen run below the board: who drives it, with which lorry. */
export function RunPanel({ run, drivers, change, onClose }) {
  const [driver, setDriver] = useState(run.driver ?? '')
  const [plate, setPlate] = useState(run.plate)
  const [problem, setProblem] = useState(null)
  const save = async (event) => {
    event.preventDefault()
    const { ok, message } = await change(run.id, { driver, plate })
    setProblem(ok ? null : message)
  }
  return html`<form class="panel" aria-label=${`Run ${run.id}`} onSubmit=${save}>
    <h2 id="run-title">${run.id}: ${run.from} → ${run.to}</h2>
    <p class="quiet">${run.column}, leaves ${run.leaves.slice(11, 16)}, ${run.pallets} pallets</p>
    <div class="fields">
      <label>Driver <select id="run-driver" value=${driver} onChange=${(event) => setDriver(event.currentTarget.value)}>
        <option value="">no driver</option>
        ${drivers.map((one) => html`<option value=${one} selected=${one === driver}>${one}</option>`)}
      </select></label>
      <label>Plate <input id="run-plate" value=${plate} onInput=${(event) => setPlate(event.currentTarget.value)} /></label>
      <button type="submit" id="save-run">Save run</button>
      <button type="button" class="plain" id="close-run" onClick=${onClose}>Close</button>
    </div>
    ${problem && html`<p class="alert" role="alert">${problem}</p>`}
  </form>`
}
