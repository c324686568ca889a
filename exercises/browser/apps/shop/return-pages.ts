import type { AppResponse } from '../app.ts'
import { textField } from '../kit/field.ts'
import { html } from '../kit/html.ts'
import { redirect } from '../kit/respond.ts'
import { lineKey } from './cart-pages.ts'
import { shopPage } from './layout.ts'
import type { Order, OrderLine, Visit } from './shop-state.ts'
import type { Call } from './visit.ts'

const REASONS = [
  'Too small',
  'Too large',
  'Not as pictured',
  'Damaged on arrival',
  'Changed my mind',
]
const DROP_OFFS = ['Central Station', 'Harbour Kiosk', 'Northgate Market']

/** First page of a return: which pieces, and why. Nothing is kept before the second is confirmed. */
export function returnPage(call: Call, visit: Visit, order: Order, wrong?: string): AppResponse {
  if (order.status !== 'delivered') return redirect(`/orders/${order.number}`)
  const main = html`<h1>Return from order ${order.number}</h1><form method="post" action="/orders/${order.number}/return" class="panel">
${wrong && html`<p class="error" role="alert" id="return-error">${wrong}</p>`}
<fieldset><legend>How many of each</legend>${order.lines.map((line) => {
    const left = line.quantity - returnedOf(order, line)
    const key = lineKey(line)
    return html`<div class="field row"><label for="pieces-${key}">${line.name}, ${line.colour}</label><select id="pieces-${key}" name="pieces-${key}">${Array.from({ length: left + 1 }, (_, count) => html`<option>${count}</option>`)}</select></div>`
  })}</fieldset>
<div class="field"><label for="reason">Reason</label><select id="reason" name="reason"><option value="">Choose…</option>${REASONS.map((one) => html`<option>${one}</option>`)}</select></div>
<button class="primary" id="to-drop-off">Continue to drop-off</button></form>`
  return shopPage(call, visit, { title: 'Return', main, status: wrong === undefined ? 200 : 422 })
}

export function choosePieces(call: Call, visit: Visit, order: Order): AppResponse {
  const pieces = readPieces(call, order)
  const reason = textField(call.request, 'reason')
  if (pieces.length === 0) return returnPage(call, visit, order, 'Choose at least one piece.')
  if (!REASONS.includes(reason)) return returnPage(call, visit, order, 'Choose a reason.')
  const main = html`<h1>Where will you bring it?</h1><form method="post" action="/orders/${order.number}/returns" class="panel">
${pieces.map((line) => html`<p>${line.quantity} × ${line.name}, ${line.colour}</p><input type="hidden" name="pieces-${lineKey(line)}" value="${line.quantity}">`)}
<p class="quiet">${reason}</p><input type="hidden" name="reason" value="${reason}">
<fieldset><legend>Drop-off point</legend>${DROP_OFFS.map((place, index) => html`<label class="choice"><input type="radio" id="drop-off-${index + 1}" name="dropOff" value="${place}"${index === 0 && html` checked`}> ${place}</label>`)}</fieldset>
<button class="primary" id="confirm-return">Confirm the return</button></form>`
  return shopPage(call, visit, { title: 'Return', main })
}

export function confirmReturn(call: Call, visit: Visit, order: Order): AppResponse {
  const lines = readPieces(call, order)
  const reason = textField(call.request, 'reason')
  const dropOff = textField(call.request, 'dropOff')
  if (lines.length === 0 || !REASONS.includes(reason) || !DROP_OFFS.includes(dropOff)) {
    return returnPage(call, visit, order, 'Something is missing: choose again.')
  }
  order.returns.push({
    number: `R-${order.number}-${order.returns.length + 1}`,
    lines,
    reason,
    dropOff,
  })
  return redirect(`/orders/${order.number}`)
}

function readPieces({ request }: Call, order: Order): OrderLine[] {
  return order.lines.flatMap((line) => {
    const count = Number(textField(request, `pieces-${lineKey(line)}`, 3))
    const left = line.quantity - returnedOf(order, line)
    return Number.isInteger(count) && count > 0 && count <= left
      ? [{ ...line, quantity: count }]
      : []
  })
}

function returnedOf({ returns }: Order, line: OrderLine): number {
  const same = returns.flatMap(({ lines }) => lines).filter((one) => lineKey(one) === lineKey(line))
  return same.reduce((sum, { quantity }) => sum + quantity, 0)
}
