import type { Basket, Coupon, Delivery, Line, OrderLine, Product, Totals } from './shop-state.ts'

const FREE_SHIPPING_FROM = 15000
const STANDARD = 590
const EXPRESS = 1490

/** Lines with their products' names and prices; a product that is no more is left out. */
export function priceLines(lines: readonly Line[], products: readonly Product[]): OrderLine[] {
  return lines.flatMap((line) => {
    const product = products.find(({ id }) => id === line.product)
    return product ? [{ ...line, name: product.name, unitPrice: product.price }] : []
  })
}

/** What a basket costs; a coupon counts only from its least sum on. */
export function priceBasket(
  basket: Basket,
  products: readonly Product[],
  coupons: readonly Coupon[],
): Totals {
  const lines = priceLines(basket.lines, products)
  const subtotal = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0)
  const coupon = coupons.find(({ code }) => code === basket.coupon)
  const counts = coupon !== undefined && subtotal >= coupon.least
  const discount = counts ? Math.round((subtotal * coupon.percent) / 100) : 0
  const shipping = priceShipping(basket.delivery?.method ?? 'standard', subtotal - discount)
  return { subtotal, discount, shipping, total: subtotal - discount + shipping }
}

export function priceShipping(method: Delivery['method'], sum: number): number {
  if (method === 'express') return EXPRESS
  return sum >= FREE_SHIPPING_FROM ? 0 : STANDARD
}

export function formatMoney(cents: number): string {
  return `€${(cents / 100).toFixed(2)}`
}
