import type { AppResponse } from '../app.ts'
import { html, type Markup } from '../kit/html.ts'
import { redirect } from '../kit/respond.ts'
import { lineKey, totalsList } from './cart-pages.ts'
import { describeDay } from './checkout-pages.ts'
import { notFoundPage, shopPage } from './layout.ts'
import { cardFields, charge, readCard } from './payment.ts'
import { formatMoney } from './price-basket.ts'
import type { Order, Visit } from './shop-state.ts'
import { type Call, forAll } from './visit.ts'

/** A page about one order: its account's, or the guest's who has just placed it. */
export function forOrders(answer: (call: Call, visit: Visit, order: Order) => AppResponse) {
  return forAll((call, visit) => {
    if (!visit) return redirect(`/sign-in?next=${encodeURIComponent(call.request.path)}`)
    const order = call.state.orders.find(({ number }) => number === call.params.number)
    const isOwn = order?.owner === visit.owner
    return order && isOwn ? answer(call, visit, order) : notFoundPage(call, visit)
  })
}

export function orderPage(call: Call, visit: Visit, order: Order): AppResponse {
  const { number, lines, address, delivery, coupon, status, returns, email } = order
  const main = html`${heading(call, order)}
<div class="columns"><div><h2>What you ordered</h2><ul class="lines">${lines.map(
    (line) =>
      html`<li class="line" id="item-${lineKey(line)}"><div><strong>${line.name}</strong><span class="quiet">${line.colour} / ${line.size}</span></div><span>${line.quantity} ×</span><span class="price">${formatMoney(line.unitPrice)}</span></li>`,
  )}</ul>
${returns.map((one) => html`<p class="note" id="return-${one.number}">Return ${one.number}: ${one.lines.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}. ${one.reason}. Bring it to ${one.dropOff}.</p>`)}
${status === 'delivered' && html`<a class="button" id="start-return" href="/orders/${number}/return">Return something</a>`}</div>
<aside class="panel">${totalsList(order, coupon)}
<p id="order-address">${address.name}, ${address.street}, ${address.postcode} ${address.city}, ${address.country}</p>
<p id="order-delivery">${describeDay(new Date(`${delivery.day}T00:00:00Z`))}, ${delivery.method}</p><p class="quiet">${email}</p></aside></div>`
  return shopPage(call, visit, { title: `Order ${number}`, main })
}

function heading(call: Call, { number, placedOn, status, payments }: Order): Markup {
  const isNew = call.request.query.get('placed') === '1' && status === 'paid'
  return html`${isNew && html`<p class="note good" id="thanks">Thank you. We have your order.</p>`}
<h1>Order ${number}</h1><p>Placed on ${placedOn} · <span class="status" id="order-status">${status}</span></p>
${
  status === 'awaiting payment' &&
  html`<div class="note bad" role="alert" id="declined"><p>Your bank declined the card ending in ${payments.at(-1)?.card}. Nothing was charged, and we hold your order.</p>
<a class="button primary" id="pay-again" href="/orders/${number}/payment">Pay with another card</a>
<form method="post" action="/orders/${number}/cancel"><button class="plain" id="cancel-order">Cancel the order</button></form></div>`
}`
}

export function payAgainPage(
  call: Call,
  visit: Visit,
  order: Order,
  wrong: Readonly<Record<string, string>> = {},
): AppResponse {
  if (order.status !== 'awaiting payment') return redirect(`/orders/${order.number}`)
  const main = html`<h1>Pay for order ${order.number}</h1><div class="columns"><form method="post" action="/orders/${order.number}/payment" class="panel" novalidate>
${cardFields(call.request, wrong)}<button class="primary" id="pay">Pay ${formatMoney(order.total)}</button></form></div>`
  return shopPage(call, visit, { title: 'Payment', main })
}

export function payAgain(call: Call, visit: Visit, order: Order): AppResponse {
  if (order.status !== 'awaiting payment') return redirect(`/orders/${order.number}`)
  const { card, wrong } = readCard(call.request)
  if (!card) return payAgainPage(call, visit, order, wrong)
  const result = charge(card)
  order.payments.push({ card, result })
  if (result === 'accepted') order.status = 'paid'
  return redirect(`/orders/${order.number}?placed=1`)
}

export function cancelOrder({ state }: Call, _visit: Visit, order: Order): AppResponse {
  if (order.status === 'awaiting payment') order.status = 'cancelled'
  const coupon = state.coupons.find(({ code }) => code === order.coupon)
  if (coupon && order.status === 'cancelled') coupon.claimed -= 1
  return redirect(`/orders/${order.number}?notice=cancelled`)
}
