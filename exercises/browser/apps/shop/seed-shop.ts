import type { Draw } from '../app.ts'
import { drawCatalogue } from './catalogue.ts'
import { priceLines } from './price-basket.ts'
import type { Account, Line, Order, Product, ShopState } from './shop-state.ts'

const ACCOUNTS: readonly Account[] = [
  {
    email: 'mara.lindqvist@example.com',
    password: 'harbour-lamp-42',
    name: 'Mara Lindqvist',
    addresses: [
      {
        name: 'Mara Lindqvist',
        street: 'Lotsgatan 7',
        postcode: '414 58',
        city: 'Göteborg',
        country: 'Sweden',
      },
    ],
  },
  {
    email: 'tomas.reyes@example.com',
    password: 'north-window-19',
    name: 'Tomás Reyes',
    addresses: [],
  },
]

/** Orders of Mara's from before: date and lines. */
const PAST: readonly [placedOn: string, lines: Line[]][] = [
  ['2025-11-18', [line('harbour-raincoat', 'Navy', 'M', 1), line('kiln-mug', 'Natural', '', 4)]],
  [
    '2025-12-09',
    [line('hearth-wool-throw', 'Charcoal', '', 1), line('kiln-mug', 'Charcoal', '', 2)],
  ],
  ['2026-01-14', [line('isle-crew-jumper', 'Oat', 'M', 1), line('ferry-sling', 'Black', '', 1)]],
  [
    '2026-02-03',
    [
      line('hearth-wool-throw', 'Natural', '', 2),
      line('tallow-candle', 'Natural', '', 3),
      line('birch-tray', 'Natural', '', 1),
    ],
  ],
  ['2026-02-17', [line('shetland-jumper', 'Rust', 'L', 1)]],
]

export function seedShop(draw: Draw): ShopState {
  const products = drawCatalogue(draw)
  const accounts = structuredClone([...ACCOUNTS])
  const state: ShopState = {
    sessions: new Map(),
    products,
    accounts,
    baskets: new Map(),
    coupons: [
      { code: 'SPRING15', percent: 15, least: 10000, claimed: 0, most: 1 },
      { code: 'WINTER20', percent: 20, least: 0, claimed: 1, most: 1 },
      { code: 'WELCOME5', percent: 5, least: 0, claimed: 0, most: 100 },
    ],
    orders: [],
    wishLists: new Map(),
    alerts: [],
    newsletter: [],
    lastNumber: 4100,
  }
  for (const [placedOn, lines] of PAST) state.orders.push(pastOrder(state, placedOn, lines))
  return state
}

function line(product: string, colour: string, size: string, quantity: number): Line {
  return { product, colour, size: size || 'One size', quantity }
}

function pastOrder(state: ShopState, placedOn: string, lines: Line[]): Order {
  const [account] = state.accounts
  const [address] = account?.addresses ?? []
  if (!account || !address) throw new Error('the first account has an address')
  const priced = priceLines(lines, state.products as Product[])
  const subtotal = priced.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0)
  state.lastNumber += 1
  return {
    number: `HP-${state.lastNumber}`,
    owner: account.email,
    email: account.email,
    placedOn,
    lines: priced,
    coupon: null,
    address,
    delivery: { method: 'standard', day: placedOn },
    subtotal,
    discount: 0,
    shipping: 0,
    total: subtotal,
    status: 'delivered',
    payments: [{ card: '4242', result: 'accepted' }],
    returns: [],
  }
}
