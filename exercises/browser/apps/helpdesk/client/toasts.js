import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { mount } from './kit/mount.js'

const SHOWN_MS = 6000
let show = () => {}

/** Says something for a while at the edge of the page; mistakes stay until they are dismissed. */
export function toast(text, isMistake = false) {
  show({ text, isMistake, key: performance.now() })
}

/** Shows it on the page that comes next. */
export function toastLater(text) {
  sessionStorage.setItem('toast', text)
}

function Toasts() {
  const [toasts, setToasts] = useState([])
  const drop = (key) => setToasts((all) => all.filter((one) => one.key !== key))
  show = (one) => {
    setToasts((all) => [...all.slice(-2), one])
    if (!one.isMistake) setTimeout(() => drop(one.key), SHOWN_MS)
  }
  useEffect(() => {
    const text = sessionStorage.getItem('toast')
    sessionStorage.removeItem('toast')
    if (text) toast(text)
  }, [])
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.map(
      ({ key, text, isMistake }) =>
        html`<div key=${key} class=${isMistake ? 'toast mistake' : 'toast'}>
          <p>${text}</p>
          <button type="button" aria-label=${`Dismiss: ${text}`} onClick=${() => drop(key)}>×</button>
        </div>`,
    )}
  </div>`
}

mount(() => html`<${Toasts} />`, document.querySelector('#toasts'))
