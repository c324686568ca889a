import { setTimeout as sleep } from 'node:timers/promises'
import type { AppResponse } from '../app.ts'
import { html, jsonScript, type Markup } from '../kit/html.ts'
import { json } from '../kit/respond.ts'
import { notFoundPage, shopPage } from './layout.ts'
import { picture } from './picture.ts'
import { formatMoney } from './price-basket.ts'
import { CATEGORIES, type Product, type ShopState, type Visit } from './shop-state.ts'
import type { Call } from './visit.ts'

const PAGE_SIZE = 8
const SEARCH_MS = 200

export function homePage(call: Call, visit: Visit | undefined): AppResponse {
  const best = [...call.state.products].sort((a, b) => b.rating - a.rating).slice(0, 4)
  const main = html`<section class="hero"><h1>Made for weather, kept for years</h1>
<p>Coats, knitwear and plain good things for the house, made in small runs on two coasts.</p>
<a class="button" id="to-jackets" href="/categories/jackets">See all jackets</a></section>
<h2>Best liked this season</h2><ul class="grid">${best.map(card)}</ul>`
  return shopPage(call, visit, { title: 'Coats, knitwear, home', main })
}

function card(product: Product): Markup {
  const { id, name, price, rating } = product
  return html`<li class="card" data-product="${id}"><a href="/products/${id}">${picture(product)}<span class="name">${name}</span></a>
<span class="price">${formatMoney(price)}</span><span class="rating" aria-label="Rated ${rating} of 5">★ ${rating.toFixed(1)}</span></li>`
}

export function categoryPage(call: Call, visit: Visit | undefined): AppResponse {
  const title = Object.entries(CATEGORIES).find(([id]) => id === call.params.category)?.[1]
  if (title === undefined) return notFoundPage(call, visit)
  return listPage(call, visit, title, { category: call.params.category ?? '', q: '' })
}

export function searchPage(call: Call, visit: Visit | undefined): AppResponse {
  const q = call.request.query.get('q') ?? ''
  return listPage(call, visit, `Results for “${q}”`, { category: '', q })
}

function listPage(
  call: Call,
  visit: Visit | undefined,
  title: string,
  wanted: { category: string; q: string },
): AppResponse {
  const main = html`<h1>${title}</h1><div id="catalogue"><p class="quiet">Loading…</p></div>
${jsonScript('wanted', wanted)}`
  return shopPage(call, visit, { title, main, modules: ['catalogue.js'] })
}

/** `GET /api/products`: one screenful of the catalogue, as late as a search is. */
export async function listProducts({ products }: ShopState, query: URLSearchParams) {
  const { found, sort } = readQuery(products, query)
  const from = Math.max(0, Number(query.get('from')) || 0)
  const sorted = [...found].sort(ORDERS[sort] ?? (() => 0))
  const items = sorted.slice(from, from + PAGE_SIZE).map((product) => ({
    id: product.id,
    name: product.name,
    price: formatMoney(product.price),
    rating: product.rating.toFixed(1),
    picture: picture(product).markup,
  }))
  const next = from + PAGE_SIZE < found.length ? from + PAGE_SIZE : null
  await sleep(SEARCH_MS)
  return json({ items, next, total: found.length })
}

const ORDERS: Readonly<Record<string, (a: Product, b: Product) => number>> = {
  price: (a, b) => a.price - b.price,
  rating: (a, b) => b.rating - a.rating,
  name: (a, b) => a.name.localeCompare(b.name),
}

function readQuery(products: readonly Product[], query: URLSearchParams) {
  const category = query.get('category') ?? ''
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
  const isFound = ({ name, category: own }: Product) =>
    (category === '' || own === category) &&
    words.every((word) => name.toLowerCase().includes(word))
  return { found: products.filter(isFound), sort: query.get('sort') ?? '' }
}
