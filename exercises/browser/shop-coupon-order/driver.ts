import type { Driver, DriverStep } from '../../../runner/libraries/driver.ts'
import {
  addToCart,
  button,
  chooseDelivery,
  chooseVariant,
  fillCard,
  giveAddress,
  isInCart,
  link,
  openCart,
  radio,
  readOrders,
  searchFor,
  signInAs,
  TODAY,
  textbox,
} from '../apps/shop/shop-steps.ts'

const SIGN_IN = signInAs('mara.lindqvist@example.com', 'harbour-lamp-42')
const EXPRESS = radio('#method-express', 'Express, €14.90')
const OSLO = {
  name: 'Elsa Lindqvist',
  street: 'Storgata 12',
  postcode: '0184',
  city: 'Oslo',
  country: 'Norway',
}
const CARD = { number: '4242 4242 4242 4242', expiry: '09/28', code: '123' }

function addAnorak(size: string): DriverStep {
  return {
    name: `put the anorak in ${size} into the cart`,
    run: async (page) => {
      await searchFor(page, 'drift-anorak', 'Drift Anorak')
      await chooseVariant(page, 'Navy', size)
      await addToCart(page, 1)
    },
    done: (page, facts) => isInCart(page, facts, `drift-anorak-navy-${size.toLowerCase()}`),
  }
}

const addMugs: DriverStep = {
  name: 'put two mugs into the cart',
  run: async (page) => {
    await page.click(link('#category-home', 'Home'))
    await page.click(link('[data-product="kiln-mug"] a', 'Kiln Mug'))
    await chooseVariant(page, 'Charcoal', '')
    await addToCart(page, 2)
  },
  done: (page, facts) => isInCart(page, facts, 'kiln-mug-charcoal-one-size'),
}

const applyCoupon: DriverStep = {
  name: 'apply the coupon',
  run: async (page) => {
    await openCart(page)
    await page.fill(textbox('#coupon', 'Coupon code'), 'SPRING15')
    await page.click(button('#apply-coupon', 'Apply coupon'))
    await page.waitText('Coupon SPRING15')
  },
}

function address(given: typeof OSLO): DriverStep {
  return { name: 'give the address', run: (page) => giveAddress(page, given) }
}

function delivery(day: string): DriverStep {
  return {
    name: 'choose the delivery',
    run: (page) => chooseDelivery(page, EXPRESS, day),
  }
}

const placeOrder: DriverStep = {
  name: 'pay and order',
  run: async (page) => {
    await fillCard(page, CARD)
    await page.click(button('#place-order', 'Place order'))
    await page.waitText('We have your order')
  },
  done: async (page, facts) => (await readOrders(page, facts))?.includes(TODAY) ?? false,
}

const fillOnly: DriverStep = { name: 'fill in the card', run: (page) => fillCard(page, CARD) }

const BUY = [SIGN_IN, addAnorak('L'), addMugs, applyCoupon]
const FRIDAY = delivery('Friday 6 March')

export const driver: Driver = {
  steps: [...BUY, address(OSLO), FRIDAY, placeOrder],
  wrong: {
    'orders-twice': [
      ...BUY,
      address(OSLO),
      FRIDAY,
      placeOrder,
      addAnorak('L'),
      addMugs,
      address(OSLO),
      FRIDAY,
      placeOrder,
    ],
    'wrong-size': [
      SIGN_IN,
      addAnorak('M'),
      addMugs,
      applyCoupon,
      address(OSLO),
      FRIDAY,
      placeOrder,
    ],
    'without-coupon': [SIGN_IN, addAnorak('L'), addMugs, address(OSLO), FRIDAY, placeOrder],
    'to-her-own-address': [
      ...BUY,
      address({
        name: 'Mara Lindqvist',
        street: 'Lotsgatan 7',
        postcode: '414 58',
        city: 'Göteborg',
        country: 'Sweden',
      }),
      FRIDAY,
      placeOrder,
    ],
    'another-day': [...BUY, address(OSLO), delivery('Thursday 5 March'), placeOrder],
    'not-placed': [...BUY, address(OSLO), FRIDAY, fillOnly],
  },
}
