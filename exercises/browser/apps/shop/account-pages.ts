import type { AppResponse } from '../app.ts'
import { setCookie } from '../kit/cookies.ts'
import { textField } from '../kit/field.ts'
import { html } from '../kit/html.ts'
import { redirect } from '../kit/respond.ts'
import { closeSession, openSession } from '../kit/sessions.ts'
import { lineKey } from './cart-pages.ts'
import { field, shopPage } from './layout.ts'
import { formatMoney } from './price-basket.ts'
import type { ShopState, Visit } from './shop-state.ts'
import type { Call, SignedIn } from './visit.ts'

export function signInPage(call: Call, visit: Visit | undefined, wrong?: string): AppResponse {
  const next = safePath(textField(call.request, 'next') || call.request.query.get('next'))
  const isBuying = next.startsWith('/checkout') && visit !== undefined
  const main = html`<h1>Sign in</h1><div class="columns"><form method="post" action="/sign-in" class="panel" novalidate>
<input type="hidden" name="next" value="${next}">
${wrong && html`<p class="error" role="alert" id="sign-in-error">${wrong}</p>`}
${field({ id: 'email', label: 'Email', type: 'email', value: textField(call.request, 'email'), autocomplete: 'username' })}
${field({ id: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<button class="primary" id="sign-in">Sign in to your account</button></form>
${isBuying && html`<aside class="panel"><h2>No account?</h2><a class="button" id="as-guest" href="/checkout/address">Continue as a guest</a></aside>`}</div>`
  return shopPage(call, visit, { title: 'Sign in', main, status: wrong === undefined ? 200 : 401 })
}

export function signIn(call: Call, visit: Visit | undefined): AppResponse {
  const { state, request, tools } = call
  const email = textField(request, 'email').toLowerCase()
  const account = state.accounts.find((one) => one.email === email)
  if (!account || account.password !== textField(request, 'password')) {
    return signInPage(call, visit, 'Email and password do not go together.')
  }
  if (visit && !visit.account) moveBasket(state, visit.owner, email)
  const headers = openSession(state.sessions, { owner: email, account }, tools.draw)
  return redirect(safePath(textField(request, 'next')), headers)
}

export function signOut({ state, request }: Call): AppResponse {
  closeSession(state.sessions, request)
  return redirect('/?notice=bye', setCookie('sid', ''))
}

/** What a guest had put into the cart goes along. */
function moveBasket({ baskets }: ShopState, from: string, to: string): void {
  const guest = baskets.get(from)
  baskets.delete(from)
  if (!guest) return
  const own = baskets.get(to)
  const kept = own?.lines.filter((line) =>
    guest.lines.every((one) => lineKey(one) !== lineKey(line)),
  )
  baskets.set(to, { ...guest, ...own, lines: [...(kept ?? []), ...guest.lines] })
}

/** Only paths of this shop: no other site is gone to. */
function safePath(path: string | null): string {
  return path && /^\/(?![/\\])[\w/.-]*$/.test(path) ? path : '/account'
}

export function accountPage(call: Call, visit: SignedIn): AppResponse {
  const { account } = visit
  const orders = call.state.orders.filter(({ owner }) => owner === visit.owner).reverse()
  const main = html`<div class="heading"><h1>Hello, ${account.name}</h1><form method="post" action="/sign-out"><button class="plain" id="sign-out">Sign out</button></form></div>
<h2>Your orders</h2>${orders.length === 0 && html`<p id="no-orders">You have not ordered yet.</p>`}
<ul class="lines" id="orders">${orders.map(
    ({
      number,
      placedOn,
      status,
      total,
      lines,
    }) => html`<li class="line" id="order-${number}"><div><a href="/orders/${number}">Order ${number}</a><span class="quiet">${placedOn} · ${status}</span></div>
<span class="quiet">${lines.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}</span><span class="price">${formatMoney(total)}</span></li>`,
  )}</ul>`
  return shopPage(call, visit, { title: 'Account', main })
}
