import type { AppResponse } from '../app.ts'
import { textField } from '../kit/field.ts'
import { html, type Markup } from '../kit/html.ts'
import { redirect } from '../kit/respond.ts'
import { variantKey } from './catalogue.ts'
import { shopPage } from './layout.ts'
import { formatMoney, priceBasket, priceLines } from './price-basket.ts'
import { chooseFirst, findProduct, readVariant } from './product-pages.ts'
import type { Basket, Line, OrderLine, Totals, Visit } from './shop-state.ts'
import { basketOf, type Call, holdBasket } from './visit.ts'

const MOST_LINES = 50

export function addLine(call: Call, visit: Visit | undefined): AppResponse {
  const product = findProduct(call.state, textField(call.request, 'product'))
  const variant = product && readVariant(product, call)
  if (!product || !variant) return chooseFirst(call, visit)
  const quantity = readQuantity(textField(call.request, 'quantity'))
  const left = product.stock[variantKey(variant)] ?? 0
  const { basket, headers } = holdBasket(call, visit)
  const known = basket.lines.find(
    (line) => lineKey(line) === lineKey({ product: product.id, ...variant }),
  )
  const wanted = (known?.quantity ?? 0) + (quantity ?? 0)
  if (quantity === null || quantity === 0 || wanted > left || basket.lines.length >= MOST_LINES) {
    return refuse(call, visit, product.name, left)
  }
  if (known) known.quantity = wanted
  else basket.lines.push({ product: product.id, ...variant, quantity })
  return redirect('/cart?notice=added', headers)
}

function refuse(call: Call, visit: Visit | undefined, name: string, left: number): AppResponse {
  const why = left === 0 ? 'is sold out in this colour and size' : `: we have ${left} of this one`
  const main = html`<h1>Not added</h1><p class="error">${name} ${why}.</p><p><a href="/cart">See your cart</a></p>`
  return shopPage(call, visit, { title: 'Not added', main, status: 422 })
}

export function changeLine(call: Call, visit: Visit | undefined): AppResponse {
  const { basket, headers } = holdBasket(call, visit)
  const line = basket.lines.find((one) => lineKey(one) === call.params.line)
  const quantity = readQuantity(textField(call.request, 'quantity'))
  if (line && quantity !== null) line.quantity = quantity
  basket.lines = basket.lines.filter((one) => one.quantity > 0)
  return redirect(`/cart?notice=${quantity === 0 ? 'removed' : 'updated'}`, headers)
}

export function applyCoupon(call: Call, visit: Visit | undefined): AppResponse {
  const code = textField(call.request, 'coupon', 40).toUpperCase()
  const { basket, headers } = holdBasket(call, visit)
  const why = refuseCoupon(call, basket, code)
  if (why !== null) return cartPage(call, visit, why)
  basket.coupon = code
  return redirect('/cart?notice=coupon', headers)
}

function refuseCoupon({ state }: Call, basket: Basket, code: string): string | null {
  const coupon = state.coupons.find((one) => one.code === code)
  if (!coupon) return `There is no coupon ${code}.`
  if (coupon.claimed >= coupon.most) return `The coupon ${code} has been used.`
  const { subtotal } = priceBasket({ ...basket, coupon: null }, state.products, state.coupons)
  if (subtotal >= coupon.least) return null
  return `The coupon ${code} counts from ${formatMoney(coupon.least)} on.`
}

export function cartPage(call: Call, visit: Visit | undefined, wrong: string | null = null) {
  const { products, coupons } = call.state
  const basket = basketOf(call.state, visit)
  const lines = priceLines(basket.lines, products)
  if (lines.length === 0) {
    const main = html`<h1>Your cart</h1><p id="cart-empty">Your cart is empty.</p><p><a class="button" href="/categories/jackets">See all jackets</a></p>`
    return shopPage(call, visit, { title: 'Cart', main })
  }
  const main = html`<h1>Your cart</h1><div class="columns"><ul class="lines" id="lines">${lines.map(cartLine)}</ul>
<aside class="panel">${totalsList(priceBasket(basket, products, coupons), basket.coupon)}
<form method="post" action="/cart/coupon" class="inline"><div class="field"><label for="coupon">Coupon code</label><input id="coupon" name="coupon" autocomplete="off"></div><button id="apply-coupon">Apply coupon</button></form>
${wrong && html`<p class="error" id="coupon-error" role="alert">${wrong}</p>`}
<a class="button primary" id="to-checkout" href="/checkout/address">Go to checkout</a></aside></div>`
  return shopPage(call, visit, { title: 'Cart', main, status: wrong === null ? 200 : 422 })
}

function cartLine(line: OrderLine): Markup {
  const { name, colour, size, quantity, unitPrice } = line
  const key = lineKey(line)
  const what = `${name}, ${colour}, ${size}`
  return html`<li class="line" id="line-${key}"><div><strong>${name}</strong><span class="quiet">${colour} / ${size}</span></div>
<span class="price">${formatMoney(unitPrice * quantity)}</span>
<form method="post" action="/cart/lines/${key}" class="inline"><input id="quantity-${key}" class="tiny" name="quantity" inputmode="numeric" value="${quantity}" aria-label="Quantity of ${what}"><button id="update-${key}" aria-label="Update ${what}">Update</button></form>
<form method="post" action="/cart/lines/${key}"><input type="hidden" name="quantity" value="0"><button class="plain" id="remove-${key}" aria-label="Remove ${what}">Remove</button></form></li>`
}

export function totalsList(totals: Totals, coupon: string | null): Markup {
  const { subtotal, discount, shipping, total } = totals
  return html`<dl class="totals"><dt>Subtotal</dt><dd id="subtotal">${formatMoney(subtotal)}</dd>
${discount > 0 && html`<dt>Coupon ${coupon}</dt><dd id="discount">−${formatMoney(discount)}</dd>`}
<dt>Delivery</dt><dd id="shipping">${shipping === 0 ? 'Free' : formatMoney(shipping)}</dd>
<dt class="sum">Total</dt><dd class="sum" id="total">${formatMoney(total)}</dd></dl>`
}

/** `isle-crew-jumper-oat-m`: stable in addresses and ids. */
export function lineKey({ product, colour, size }: Omit<Line, 'quantity'>): string {
  return `${product} ${colour} ${size}`.toLowerCase().replaceAll(' ', '-')
}

function readQuantity(text: string): number | null {
  const quantity = Number(text)
  return /^\d{1,2}$/.test(text) ? quantity : null
}
