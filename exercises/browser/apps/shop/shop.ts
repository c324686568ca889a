import type { App } from '../app.ts'
import { textField } from '../kit/field.ts'
import { redirect } from '../kit/respond.ts'
import { route } from '../kit/route.ts'
import { accountPage, signIn, signInPage, signOut } from './account-pages.ts'
import { addLine, applyCoupon, cartPage, changeLine } from './cart-pages.ts'
import { categoryPage, homePage, listProducts, searchPage } from './catalogue-pages.ts'
import {
  addressPage,
  deliveryPage,
  forBuyers,
  paymentPage,
  saveAddress,
  saveDelivery,
  submitOrder,
} from './checkout-pages.ts'
import { cancelOrder, forOrders, orderPage, payAgain, payAgainPage } from './order-pages.ts'
import { answerStock, productPage, reviewsFrame, saveAlert, saveWish } from './product-pages.ts'
import { choosePieces, confirmReturn, returnPage } from './return-pages.ts'
import { seedShop } from './seed-shop.ts'
import type { Line, ShopState } from './shop-state.ts'
import { type Call, forAccounts, forAll } from './visit.ts'
import { removeWish, sortWishes, wishListPage } from './wish-list-pages.ts'

const MOST_SUBSCRIBERS = 1000

/** Harbour & Pine: catalogue, cart, checkout, orders and returns. */
export const shop: App<ShopState> = {
  name: 'shop',
  seed: seedShop,
  handle: route<ShopState>({
    'GET /': forAll(homePage),
    'GET /categories/:category': forAll(categoryPage),
    'GET /search': forAll(searchPage),
    'GET /api/products': (state, { query }) => listProducts(state, query),
    'GET /api/stock/:id': (state, _request, _tools, { id }) => answerStock(state, id),
    'GET /products/:id': forAll(productPage),
    'GET /products/:id/reviews': forAll(reviewsFrame),
    'POST /alerts': forAccounts(saveAlert),
    'POST /newsletter': forAll(subscribe),
    'GET /cart': forAll((call, visit) => cartPage(call, visit)),
    'POST /cart/lines': forAll(addLine),
    'POST /cart/lines/:line': forAll(changeLine),
    'POST /cart/coupon': forAll(applyCoupon),
    'GET /checkout/address': forBuyers((...step) => addressPage(...step)),
    'POST /checkout/address': forBuyers(saveAddress),
    'GET /checkout/delivery': forBuyers((...step) => deliveryPage(...step)),
    'POST /checkout/delivery': forBuyers(saveDelivery),
    'GET /checkout/payment': forBuyers((...step) => paymentPage(...step)),
    'POST /orders': forBuyers(submitOrder),
    'GET /orders/:number': forOrders(orderPage),
    'GET /orders/:number/payment': forOrders((...page) => payAgainPage(...page)),
    'POST /orders/:number/payment': forOrders(payAgain),
    'POST /orders/:number/cancel': forOrders(cancelOrder),
    'GET /orders/:number/return': forOrders((...page) => returnPage(...page)),
    'POST /orders/:number/return': forOrders(choosePieces),
    'POST /orders/:number/returns': forOrders(confirmReturn),
    'GET /sign-in': forAll((call, visit) => signInPage(call, visit)),
    'POST /sign-in': forAll(signIn),
    'POST /sign-out': forAll(signOut),
    'GET /account': forAccounts(accountPage),
    'GET /wish-list': forAccounts(wishListPage),
    'POST /wish-list/items': forAccounts(saveWish),
    'POST /wish-list/removed': forAccounts(removeWish),
    'PUT /api/wish-list': forAccounts(sortWishes),
  }),
  expose,
  expireSessions: ({ sessions }) => sessions.clear(),
}

function subscribe({ state, request }: Call) {
  const email = textField(request, 'email', 200)
  const { newsletter } = state
  const isNew = /^\S+@\S+$/.test(email) && !newsletter.includes(email)
  if (isNew && newsletter.length < MOST_SUBSCRIBERS) newsletter.push(email)
  return redirect('/?notice=newsletter')
}

/** Orders of before the episode stand apart, so that contracts can say that nothing happened to them. */
function expose(state: ShopState) {
  const { alerts, newsletter, coupons, accounts, products } = state
  const orders = state.orders.map((order) => ({ ...order, lines: sortLines(order.lines) }))
  return {
    orders: orders.filter(({ placedOn }) => placedOn >= '2026-03-01'),
    pastOrders: orders.filter(({ placedOn }) => placedOn < '2026-03-01'),
    returns: orders.flatMap(({ number, returns }) =>
      returns.map((one) => ({ order: number, ...one, lines: sortLines(one.lines) })),
    ),
    carts: [...state.baskets].flatMap(([owner, { lines }]) =>
      lines.length > 0 ? [{ owner, lines }] : [],
    ),
    wishLists: [...state.wishLists].flatMap(([email, items]) =>
      items.length > 0 ? [{ email, items }] : [],
    ),
    alerts,
    newsletter,
    coupons: coupons.map(({ code, claimed }) => ({ code, claimed })),
    addresses: accounts.map(({ email, addresses }) => ({ email, addresses })),
    prices: Object.fromEntries(products.map(({ id, price }) => [id, price])),
  }
}

/** By product: which thing went into the cart first is the buyer's affair. */
function sortLines<Kind extends Line>(lines: readonly Kind[]): Kind[] {
  const key = ({ product, colour, size }: Kind) => [product, colour, size].join(' ')
  return [...lines].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}
