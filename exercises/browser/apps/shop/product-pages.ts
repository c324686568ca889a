import { setTimeout as sleep } from 'node:timers/promises'
import type { AppResponse } from '../app.ts'
import { htmlPage } from '../kit/document.ts'
import { textField } from '../kit/field.ts'
import { html } from '../kit/html.ts'
import { json, NOT_FOUND, redirect } from '../kit/respond.ts'
import { variantKey } from './catalogue.ts'
import { notFoundPage, shopPage } from './layout.ts'
import { picture } from './picture.ts'
import { formatMoney } from './price-basket.ts'
import { CATEGORIES, type Product, type ShopState, type Visit } from './shop-state.ts'
import type { Call, SignedIn } from './visit.ts'

const STOCK_MS = 350

export function productPage(call: Call, visit: Visit | undefined): AppResponse {
  const product = findProduct(call.state, call.params.id)
  if (!product) return notFoundPage(call, visit)
  const { id, name, category, price, rating, weight, isWaterproof, material } = product
  const main = html`<nav class="crumbs" aria-label="Where you are"><a href="/categories/${category}">All ${CATEGORIES[category].toLowerCase()}</a></nav>
<article class="product" data-product="${id}">
${picture(product)}
<div><h1>${name}</h1>
<p class="price" id="price">${formatMoney(price)}</p><p class="quiet">★ ${rating.toFixed(1)} of 5</p>
<dl id="facts"><dt>Material</dt><dd>${material}</dd><dt>Weight</dt><dd id="weight">${weight} g</dd>
<dt>Waterproof</dt><dd id="waterproof">${isWaterproof ? 'Yes' : 'No'}</dd></dl>
<form method="post" action="/cart/lines" class="buy" id="buy">
<input type="hidden" name="product" value="${id}">
${choice('colour', 'Colour', product.colours)}${choice('size', 'Size', product.sizes)}
<div class="field short"><label for="quantity">Quantity</label><input id="quantity" name="quantity" inputmode="numeric" value="1"></div>
<p id="stock" class="quiet" aria-live="polite">Checking stock…</p>
<button class="primary" id="add-to-cart">Add to cart</button>
<button id="save" formaction="/wish-list/items">Save to wish list</button>
<button id="tell-me" formaction="/alerts">Tell me when it is back</button>
</form></div></article>
<section><h2>Reviews</h2><iframe id="reviews" title="Reviews" src="/products/${id}/reviews" loading="lazy"></iframe></section>`
  return shopPage(call, visit, { title: name, main, modules: ['product.js'] })
}

function choice(id: string, label: string, options: readonly string[]) {
  return html`<div class="field short"><label for="${id}">${label}</label><select id="${id}" name="${id}">
${options.length > 1 && html`<option value="">Choose…</option>`}${options.map((option) => html`<option>${option}</option>`)}</select></div>`
}

/** `GET /api/stock/:id`: asked for when the page is there, as a warehouse is. */
export async function answerStock(state: ShopState, id: string | undefined): Promise<AppResponse> {
  const product = findProduct(state, id)
  await sleep(STOCK_MS)
  return product ? json({ stock: product.stock }) : NOT_FOUND
}

const REVIEWS = [
  ['Ingrid', 'Wore it all of November. It held.'],
  ['Piotr', 'Fits as the table says. The colour is a little darker than in the picture.'],
  ['Salma', 'Sent it back once for a size up, which was easy.'],
]

export function reviewsFrame({ state, params }: Call): AppResponse {
  const product = findProduct(state, params.id)
  if (!product) return NOT_FOUND
  return htmlPage(html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Reviews of ${product.name}</title>
<link rel="stylesheet" href="/client/shop.css"><link rel="stylesheet" href="/client/parts.css"></head><body class="frame">
${REVIEWS.map(([who, words]) => html`<blockquote><p>${words}</p><footer>${who}</footer></blockquote>`)}</body></html>`)
}

export function saveWish(call: Call, visit: SignedIn): AppResponse {
  const product = findProduct(call.state, textField(call.request, 'product'))
  if (!product) return notFoundPage(call, visit)
  const list = call.state.wishLists.get(visit.owner) ?? []
  if (!list.includes(product.id) && list.length < 100) list.push(product.id)
  call.state.wishLists.set(visit.owner, list)
  return redirect(`/products/${product.id}?notice=saved`)
}

export function saveAlert(call: Call, visit: SignedIn): AppResponse {
  const { state, request } = call
  const product = findProduct(state, textField(request, 'product'))
  const variant = product && readVariant(product, call)
  if (!product || !variant) return chooseFirst(call, visit)
  const alert = { product: product.id, ...variant, email: visit.account.email }
  const isKnown = state.alerts.some((one) => JSON.stringify(one) === JSON.stringify(alert))
  if (!isKnown && state.alerts.length < 200) state.alerts.push(alert)
  return redirect(`/products/${product.id}?notice=alert`)
}

export function chooseFirst(call: Call, visit: Visit | undefined): AppResponse {
  const id = textField(call.request, 'product')
  const main = html`<h1>Choose a colour and a size first</h1>
<p class="error">We need to know which one you mean.</p><p><a id="back-to-product" href="/products/${encodeURIComponent(id)}">Back to the product</a></p>`
  return shopPage(call, visit, { title: 'Choose first', main, status: 422 })
}

export function findProduct({ products }: ShopState, id: string | undefined): Product | undefined {
  return products.find((product) => product.id === id)
}

/** The variant that a form names; undefined = there is none such. */
export function readVariant(product: Product, { request }: Call) {
  const variant = { colour: textField(request, 'colour'), size: textField(request, 'size') }
  return Object.hasOwn(product.stock, variantKey(variant)) ? variant : undefined
}
