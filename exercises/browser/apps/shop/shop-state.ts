import type { Sessions } from '../kit/sessions.ts'

export const CATEGORIES = { jackets: 'Jackets', knitwear: 'Knitwear', bags: 'Bags', home: 'Home' }
export type Category = keyof typeof CATEGORIES

/** Money is in cents, weights in grams, everywhere. */
export type Product = {
  id: string
  name: string
  category: Category
  price: number
  rating: number
  weight: number
  isWaterproof: boolean
  material: string
  colours: readonly string[]
  sizes: readonly string[]
  /** Pieces by variant, `Moss / M`. */
  stock: Record<string, number>
}

export type Variant = { product: string; colour: string; size: string }
export type Line = Variant & { quantity: number }
export type OrderLine = Line & { name: string; unitPrice: number }

export type Address = {
  name: string
  street: string
  postcode: string
  city: string
  country: string
}
export type Delivery = { method: 'standard' | 'express'; day: string }

export type Basket = {
  lines: Line[]
  coupon: string | null
  email: string
  address: Address | null
  delivery: Delivery | null
}

export type Totals = { subtotal: number; discount: number; shipping: number; total: number }

export type Return = { number: string; lines: OrderLine[]; reason: string; dropOff: string }

export type Order = Totals & {
  number: string
  /** Whose it is: an account's email, or a guest. */
  owner: string
  email: string
  placedOn: string
  lines: OrderLine[]
  coupon: string | null
  address: Address
  delivery: Delivery
  status: 'awaiting payment' | 'paid' | 'delivered' | 'cancelled'
  /** Every attempt to pay, by the card's last four digits. */
  payments: { card: string; result: 'accepted' | 'declined' }[]
  returns: Return[]
}

export type Account = { email: string; password: string; name: string; addresses: Address[] }
export type Coupon = { code: string; percent: number; least: number; claimed: number; most: number }

export type ShopState = {
  sessions: Sessions<Visit>
  products: Product[]
  accounts: Account[]
  baskets: Map<string, Basket>
  coupons: Coupon[]
  orders: Order[]
  wishLists: Map<string, Variant['product'][]>
  alerts: (Variant & { email: string })[]
  newsletter: string[]
  lastNumber: number
}

/** Who is there: a signed-in account, or a guest with a basket. */
export type Visit = { owner: string; account: Account | null }
