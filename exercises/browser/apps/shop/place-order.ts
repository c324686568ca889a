import { variantKey } from './catalogue.ts'
import { charge } from './payment.ts'
import { priceBasket, priceLines } from './price-basket.ts'
import type { Address, Basket, Delivery, Order, Visit } from './shop-state.ts'
import type { Call } from './visit.ts'

type Complete = Basket & { address: Address; delivery: Delivery }

/**
 * Makes an order of a basket: takes the stock, claims the coupon, charges the card, empties the cart. An order whose
 * card was declined waits for another. Answers in one sentence why nothing was done.
 */
export function placeOrder({ state, tools }: Call, visit: Visit, basket: Complete, card: string) {
  const missing = basket.lines.find(({ product, quantity, ...variant }) => {
    const left = state.products.find(({ id }) => id === product)?.stock[variantKey(variant)] ?? 0
    return left < quantity
  })
  if (missing) return `${missing.product} is sold out meanwhile. Take it out of your cart.`
  const lines = priceLines(basket.lines, state.products)
  for (const line of lines) takeStock(state.products, line)
  const totals = priceBasket(basket, state.products, state.coupons)
  const coupon =
    totals.discount > 0 ? state.coupons.find(({ code }) => code === basket.coupon) : null
  if (coupon) coupon.claimed += 1
  const result = charge(card)
  state.lastNumber += 1
  const order: Order = {
    number: `HP-${state.lastNumber}`,
    owner: visit.owner,
    email: basket.email,
    placedOn: tools.now().toISOString().slice(0, 10),
    lines,
    coupon: coupon?.code ?? null,
    address: basket.address,
    delivery: basket.delivery,
    ...totals,
    status: result === 'accepted' ? 'paid' : 'awaiting payment',
    payments: [{ card, result }],
    returns: [],
  }
  state.orders.push(order)
  state.baskets.delete(visit.owner)
  return order
}

function takeStock(
  products: Call['state']['products'],
  { product, quantity, ...variant }: Order['lines'][number],
): void {
  const found = products.find(({ id }) => id === product)
  const key = variantKey(variant)
  if (found) found.stock[key] = (found.stock[key] ?? 0) - quantity
}
