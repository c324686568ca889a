import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { mount } from '../../kit/client/mount.js'
import { toast } from './shop.js'

const given = JSON.parse(document.getElementById('items').textContent)

async function keep(items) {
  const answer = await fetch('/api/wish-list', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ order: items.map(({ id }) => id) }),
  }).catch(() => null)
  if (answer?.redirected) return location.assign(answer.url)
  toast(answer?.ok ? 'List saved' : 'The order could not be saved. Try again.')
  return answer?.ok === true
}

function move(items, from, to) {
  const rest = items.filter(({ id }) => id !== from)
  const at = items.findIndex(({ id }) => id === to)
  return rest.toSpliced(
    at,
    0,
    items.find(({ id }) => id === from),
  )
}

// Dragging follows the pointer, not the elements: those may be drawn anew meanwhile.
let dragged = null

function WishList() {
  const [items, setItems] = useState(given)

  const change = async (next) => {
    const before = items
    setItems(next)
    if (!(await keep(next))) setItems(before)
  }
  const drop = ({ clientX, clientY }) => {
    const over = document.elementFromPoint(clientX, clientY)?.closest('[data-wish]')
    const from = dragged
    dragged = null
    if (from && over && over.dataset.wish !== from)
      void change(move(items, from, over.dataset.wish))
  }
  const step = (event, index) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const other = by && items[index + by]
    if (!other) return
    event.preventDefault()
    void change(move(items, items[index].id, other.id))
  }

  if (items.length === 0) return html`<p>Things on it: 0</p>`
  return html`<p class="quiet">Things on it: ${items.length}</p><ol class="lines" id="wish-list" onPointerUp=${drop}>
    ${items.map(
      (
        { id, name, price, picture },
        index,
      ) => html`<li class="line wish" key=${id} id=${`wish-${id}`} data-wish=${id}>
        <button
          class="handle" id=${`move-${id}`} aria-label=${`Move ${name}`}
          onPointerDown=${(event) => {
            event.preventDefault()
            dragged = id
          }}
          onKeyDown=${(event) => step(event, index)}
        >⠿</button>
        <span class="thumb" dangerouslySetInnerHTML=${{ __html: picture }} />
        <a href=${`/products/${id}`}>${name}</a>
        <span class="price">${price}</span>
        <form method="post" action="/wish-list/removed">
          <input type="hidden" name="product" value=${id} />
          <button class="plain" id=${`unwish-${id}`} aria-label=${`Remove ${name}`}>Remove</button>
        </form>
      </li>`,
    )}
  </ol>`
}

const place = document.getElementById('wishes')
place.textContent = ''
mount(() => html`<${WishList} />`, place)
