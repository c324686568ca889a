import type { AppResponse } from '../app.ts'
import { textField } from '../kit/field.ts'
import { html, type Markup } from '../kit/html.ts'
import { redirect } from '../kit/respond.ts'
import { totalsList } from './cart-pages.ts'
import { field, shopPage } from './layout.ts'
import { cardFields, readCard } from './payment.ts'
import { placeOrder } from './place-order.ts'
import { formatMoney, priceBasket, priceLines, priceShipping } from './price-basket.ts'
import type { Address, Basket, Delivery, Visit } from './shop-state.ts'
import { basketOf, type Call, forAll, holdBasket } from './visit.ts'

const DAYS_OFFERED = 6
const COUNTRIES = ['Sweden', 'Norway', 'Denmark', 'Finland', 'Germany', 'Netherlands']

/** A step of the checkout: needs a session and something in the cart. */
export function forBuyers(answer: (call: Call, visit: Visit, basket: Basket) => AppResponse) {
  return forAll((call, visit) => {
    if (!visit) return redirect('/sign-in?next=/checkout/address')
    const basket = basketOf(call.state, visit)
    return basket.lines.length > 0 ? answer(call, visit, basket) : redirect('/cart')
  })
}

type Wrong = Readonly<Record<string, string>>

export function addressPage(call: Call, visit: Visit, basket: Basket, wrong: Wrong = {}) {
  const filled = basket.address ?? visit.account?.addresses[0]
  const given = (id: keyof Address) => textField(call.request, id) || filled?.[id] || ''
  const email = visit.account?.email ?? (textField(call.request, 'email') || basket.email)
  const form = html`<form method="post" action="/checkout/address" novalidate>
${visit.account ? html`<p class="quiet">Signed in as ${email}</p>` : field({ id: 'email', label: 'Email', type: 'email', value: email, error: wrong.email })}
${field({ id: 'name', label: 'Full name', value: given('name'), error: wrong.name })}
${field({ id: 'street', label: 'Street and number', value: given('street'), error: wrong.street })}
<div class="pair">${field({ id: 'postcode', label: 'Postcode', value: given('postcode'), error: wrong.postcode })}${field({ id: 'city', label: 'City', value: given('city'), error: wrong.city })}</div>
<div class="field"><label for="country">Country</label><select id="country" name="country">${COUNTRIES.map((country) => html`<option${country === given('country') && html` selected`}>${country}</option>`)}</select></div>
<button class="primary" id="to-delivery">Continue to delivery</button></form>`
  return stepPage(call, visit, {
    title: 'Address',
    step: 1,
    form,
    basket,
    isWrong: wrong !== NONE && Object.keys(wrong).length > 0,
  })
}
const NONE: Wrong = {}

export function saveAddress(call: Call, visit: Visit): AppResponse {
  const { basket } = holdBasket(call, visit)
  const read = (id: string) => textField(call.request, id, 120)
  const address = {
    name: read('name'),
    street: read('street'),
    postcode: read('postcode'),
    city: read('city'),
    country: read('country'),
  }
  const email = visit.account?.email ?? read('email')
  const wrong = checkAddress(address, email)
  if (Object.keys(wrong).length > 0) return addressPage(call, visit, basket, wrong)
  basket.address = address
  basket.email = email
  return redirect('/checkout/delivery')
}

function checkAddress(address: Address, email: string): Wrong {
  const wrong: Record<string, string> = {}
  if (!/^\S+@\S+\.\S+$/.test(email)) wrong.email = 'Write an email address, as in ana@example.com.'
  if (address.name.length < 2) wrong.name = 'Write the name that stands on the door.'
  if (!/\d/.test(address.street)) wrong.street = 'Write the street with its number.'
  if (!/^[\d ]{4,7}$/.test(address.postcode)) wrong.postcode = 'A postcode has four to six digits.'
  if (address.city.length < 2) wrong.city = 'Write the city.'
  if (!COUNTRIES.includes(address.country)) wrong.country = 'We do not deliver there.'
  return wrong
}

export function deliveryPage(
  call: Call,
  visit: Visit,
  basket: Basket,
  wrong: string | null = null,
) {
  if (!basket.address) return redirect('/checkout/address')
  const { subtotal, discount } = priceBasket(basket, call.state.products, call.state.coupons)
  const cost = (method: Delivery['method']) => {
    const price = priceShipping(method, subtotal - discount)
    return price === 0 ? 'free' : formatMoney(price)
  }
  const chosen = basket.delivery
  const form = html`<form method="post" action="/checkout/delivery">
<fieldset><legend>How fast</legend>
<label class="choice"><input type="radio" id="method-standard" name="method" value="standard"${chosen?.method !== 'express' && html` checked`}> Standard, ${cost('standard')}</label>
<label class="choice"><input type="radio" id="method-express" name="method" value="express"${chosen?.method === 'express' && html` checked`}> Express, ${cost('express')}</label></fieldset>
<div class="field"><label for="day">Delivery day</label><select id="day" name="day"><option value="">Choose…</option>${offerDays(call).map(([day, words]) => html`<option value="${day}"${chosen?.day === day && html` selected`}>${words}</option>`)}</select>
${wrong && html`<p class="error" role="alert">${wrong}</p>`}</div>
<button class="primary" id="to-payment">Continue to payment</button></form>`
  return stepPage(call, visit, {
    title: 'Delivery',
    step: 2,
    form,
    basket,
    isWrong: wrong !== null,
  })
}

export function saveDelivery(call: Call, visit: Visit): AppResponse {
  const { basket } = holdBasket(call, visit)
  const day = textField(call.request, 'day')
  const isOffered = offerDays(call).some(([offered]) => offered === day)
  if (!isOffered) return deliveryPage(call, visit, basket, 'Choose a day.')
  const method = textField(call.request, 'method') === 'express' ? 'express' : 'standard'
  basket.delivery = { method, day }
  return redirect('/checkout/payment')
}

/** The next weekdays from the day after tomorrow on: `2026-03-04` and `Wednesday 4 March`. */
function offerDays({ tools }: Call): [day: string, words: string][] {
  const days: [string, string][] = []
  const at = tools.now()
  at.setUTCDate(at.getUTCDate() + 2)
  for (; days.length < DAYS_OFFERED; at.setUTCDate(at.getUTCDate() + 1)) {
    if (at.getUTCDay() % 6 === 0) continue
    days.push([at.toISOString().slice(0, 10), describeDay(at)])
  }
  return days
}

export function describeDay(at: Date): string {
  const parts = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
  return at.toLocaleDateString('en-GB', parts).replace(',', '')
}

export function paymentPage(call: Call, visit: Visit, basket: Basket, wrong: Wrong = {}) {
  const { address, delivery } = basket
  if (!address) return redirect('/checkout/address')
  if (!delivery) return redirect('/checkout/delivery')
  const day = describeDay(new Date(`${delivery.day}T00:00:00Z`))
  const form = html`<dl class="review"><dt>To</dt><dd id="review-address">${address.name}, ${address.street}, ${address.postcode} ${address.city}, ${address.country} <a id="change-address" href="/checkout/address">Change address</a></dd>
<dt>On</dt><dd id="review-delivery">${day}, ${delivery.method} <a id="change-delivery" href="/checkout/delivery">Change delivery</a></dd></dl>
<form method="post" action="/orders" novalidate>${cardFields(call.request, wrong)}
<button class="primary" id="place-order">Place order</button></form>`
  return stepPage(call, visit, {
    title: 'Payment',
    step: 3,
    form,
    basket,
    isWrong: Object.keys(wrong).length > 0,
  })
}

export function submitOrder(call: Call, visit: Visit, basket: Basket): AppResponse {
  const { address, delivery } = basket
  if (!address || !delivery) return redirect('/checkout/address')
  const { card, wrong } = readCard(call.request)
  if (!card) return paymentPage(call, visit, basket, wrong)
  const placed = placeOrder(call, visit, { ...basket, address, delivery }, card)
  if (typeof placed === 'string') return paymentPage(call, visit, basket, { card: placed })
  return redirect(`/orders/${placed.number}?placed=1`)
}

type StepParts = { title: string; step: number; form: Markup; basket: Basket; isWrong: boolean }

function stepPage(call: Call, visit: Visit, { title, step, form, basket, isWrong }: StepParts) {
  const { products, coupons } = call.state
  const steps = ['Address', 'Delivery', 'Payment']
  const lines = priceLines(basket.lines, products)
  const main = html`<ol class="steps" aria-label="Checkout">${steps.map((name, index) => html`<li${index + 1 === step && html` aria-current="step"`}>${name}</li>`)}</ol>
<h1>${title}</h1><div class="columns"><div class="panel">${form}</div>
<aside class="panel" id="summary"><h2>Your order</h2><ul class="plain-list">${lines.map(({ name, colour, size, quantity }) => html`<li>${quantity} × ${name} <span class="quiet">${colour} / ${size}</span></li>`)}</ul>
${totalsList(priceBasket(basket, products, coupons), basket.coupon)}</aside></div>`
  return shopPage(call, visit, { title, main, status: isWrong ? 422 : 200 })
}
