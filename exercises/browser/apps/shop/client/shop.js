import { html } from 'htm/preact'
import { render } from 'preact'

const WAIT_MS = 120
const TOAST_MS = 6000

// Suggestions below the search box: arrow keys, Enter, Escape, as a combobox has them.
const list = document.getElementById('suggestions')
let timer
let asked = 0
let active = -1
const box = () => document.getElementById('search')
const options = () => [...list.querySelectorAll('[role=option]')]

document.addEventListener('input', ({ target }) => {
  if (target.id !== 'search') return
  clearTimeout(timer)
  timer = setTimeout(suggest, WAIT_MS)
})

async function suggest() {
  const words = box().value.trim()
  asked += 1
  const mine = asked
  if (words.length < 2) return close()
  const answer = await fetch(`/api/products?q=${encodeURIComponent(words)}`).catch(() => null)
  if (mine !== asked || !answer?.ok) return
  show((await answer.json()).items)
}

function show(items) {
  active = -1
  const found = items
    .slice(0, 6)
    .map(
      ({ id, name, price }) =>
        html`<li id=${`suggestion-${id}`} key=${id} role="option" aria-label=${name} aria-selected="false" data-go=${`/products/${id}`}><span>${name}</span><span class="quiet">${price}</span></li>`,
    )
  render(found.length > 0 ? found : html`<li class="quiet">Nothing found</li>`, list)
  list.hidden = false
  box().setAttribute('aria-expanded', 'true')
}

function close() {
  list.hidden = true
  box().setAttribute('aria-expanded', 'false')
  box().removeAttribute('aria-activedescendant')
}

document.addEventListener('keydown', (event) => {
  if (event.target.id !== 'search' || list.hidden) return
  const all = options()
  if (event.key === 'Escape') return close()
  if (event.key === 'Enter' && all[active]) {
    event.preventDefault()
    return location.assign(all[active].dataset.go)
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  active = (active + (event.key === 'ArrowDown' ? 1 : all.length - 1) + all.length) % all.length
  for (const [index, option] of all.entries()) {
    option.setAttribute('aria-selected', String(index === active))
  }
  if (all[active]) box().setAttribute('aria-activedescendant', all[active].id)
})

document.addEventListener('click', ({ target }) => {
  const option = target.closest('[data-go]')
  if (option) return location.assign(option.dataset.go)
  if (!target.closest('.search')) close()
})

/** A short message that goes away by itself. */
export function toast(words) {
  const message = document.createElement('p')
  message.className = 'toast'
  message.textContent = words
  document.getElementById('toasts').append(message)
  setTimeout(() => message.remove(), TOAST_MS)
}

const first = document.querySelector('.toast')
if (first) {
  setTimeout(() => first.remove(), TOAST_MS)
  const url = new URL(location.href)
  url.searchParams.delete('notice')
  history.replaceState(null, '', url)
}
