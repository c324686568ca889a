import type { AppResponse } from '../app.ts'
import { textField, textFields } from '../kit/field.ts'
import { html, jsonScript } from '../kit/html.ts'
import { json, redirect } from '../kit/respond.ts'
import { shopPage } from './layout.ts'
import { picture } from './picture.ts'
import { formatMoney } from './price-basket.ts'
import type { ShopState } from './shop-state.ts'
import type { Call, SignedIn } from './visit.ts'

export function wishListPage(call: Call, visit: SignedIn): AppResponse {
  const items = wishesOf(call.state, visit.owner).flatMap((id) => {
    const product = call.state.products.find((one) => one.id === id)
    if (!product) return []
    const { name, price } = product
    return [{ id, name, price: formatMoney(price), picture: picture(product).markup }]
  })
  const main = html`<h1>Your wish list</h1><p class="quiet">Drag what you want most to the top, or use the arrow keys on a handle.</p>
<div id="wishes"><p class="quiet">Loading…</p></div>${jsonScript('items', items)}`
  return shopPage(call, visit, { title: 'Wish list', main, modules: ['wish-list.js'] })
}

/** `PUT /api/wish-list`: the same things in another order. */
export function sortWishes(call: Call, visit: SignedIn): AppResponse {
  const wanted = textFields(call.request, 'order')
  const known = wishesOf(call.state, visit.owner)
  const isSame = wanted.length === known.length && known.every((id) => wanted.includes(id))
  if (!isSame)
    return json({ error: 'The list has changed meanwhile. Load it again.' }, { status: 409 })
  call.state.wishLists.set(visit.owner, wanted)
  return json({ order: wanted })
}

export function removeWish(call: Call, visit: SignedIn): AppResponse {
  const gone = textField(call.request, 'product')
  const left = wishesOf(call.state, visit.owner).filter((id) => id !== gone)
  call.state.wishLists.set(visit.owner, left)
  return redirect('/wish-list?notice=unsaved')
}

function wishesOf({ wishLists }: ShopState, owner: string): string[] {
  return wishLists.get(owner) ?? []
}
