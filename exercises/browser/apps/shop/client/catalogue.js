import { html } from 'htm/preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { mount } from '../../kit/client/mount.js'

const wanted = JSON.parse(document.getElementById('wanted').textContent)
const SORTS = [
  ['featured', 'Featured'],
  ['price', 'Price, low to high'],
  ['rating', 'Best rated'],
  ['name', 'Name'],
]

function Catalogue() {
  const [sort, setSort] = useState('featured')
  const [list, setList] = useState({ items: [], next: 0, total: null, sort: '' })
  const [trouble, setTrouble] = useState(false)
  const asked = useRef(0)
  const end = useRef(null)

  const load = useCallback(async (kept, from, order) => {
    if (from === null) return
    asked.current += 1
    const mine = asked.current
    setTrouble(false)
    const query = new URLSearchParams({ ...wanted, sort: order, from })
    const answer = await fetch(`/api/products?${query}`).catch(() => null)
    const page = answer?.ok ? await answer.json().catch(() => null) : null
    if (mine !== asked.current) return
    if (page === null) return setTrouble(true)
    setList({ ...page, sort: order, items: [...kept, ...page.items] })
  }, [])

  useEffect(() => {
    void load([], 0, sort)
  }, [sort, load])

  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => {
      if (entry.isIntersecting && list.total !== null) void load(list.items, list.next, sort)
    })
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [list, sort, load])

  const isAll = list.total !== null && list.next === null
  return html`<div class="bar" data-sorted=${list.sort}>
      <p class="quiet" id="count" role="status">${list.total === null ? 'Loading…' : `${list.items.length} of ${list.total} shown`}</p>
      <label for="sort">Sort by</label>
      <select id="sort" value=${sort} onChange=${({ target }) => setSort(target.value)}>
        ${SORTS.map(([id, title]) => html`<option key=${id} value=${id}>${title}</option>`)}
      </select>
    </div>
    <ul class="grid" id="products" aria-label="Products">
      ${list.items.map(Card)}
    </ul>
    ${list.total === 0 && html`<p>Nothing goes by that name. Try fewer words.</p>`}
    ${trouble && html`<p class="error" role="alert">The products did not come.</p>`}
    <div ref=${end} class="end">
      ${
        isAll
          ? html`<p class="quiet" id="all-shown">These are all</p>`
          : html`<button id="more" onClick=${() => load(list.items, list.next, sort)}>Show more products</button>`
      }
    </div>`
}

function Card({ id, name, price, rating, picture }) {
  return html`<li class="card" key=${id} data-product=${id}>
    <a href=${`/products/${id}`} aria-label=${name}>
      <span dangerouslySetInnerHTML=${{ __html: picture }} /><span class="name">${name}</span>
    </a>
    <span class="price">${price}</span><span class="rating">★ ${rating}</span>
  </li>`
}

const place = document.getElementById('catalogue')
place.textContent = ''
mount(() => html`<${Catalogue} />`, place)
