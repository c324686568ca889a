import type { Driver, DriverStep } from '../../../runner/libraries/driver.ts'
import {
  addToCart,
  button,
  type Card,
  chooseDelivery,
  chooseVariant,
  fillCard,
  giveAddress,
  isInCart,
  link,
  radio,
  readOrders,
  searchFor,
  signInAs,
  TODAY,
} from '../apps/shop/shop-steps.ts'

const SIGN_IN = signInAs('tomas.reyes@example.com', 'north-window-19')
const FIRST = { number: '4000 0000 0000 0002', expiry: '04/27', code: '321' }
const SECOND = { number: '5555 5555 5555 4444', expiry: '11/29', code: '908' }
const UTRECHT = {
  name: 'Tomás Reyes',
  street: 'Kanaalstraat 41',
  postcode: '3531',
  city: 'Utrecht',
  country: 'Netherlands',
}

const addJacket: DriverStep = {
  name: 'put the jacket into the cart',
  run: async (page) => {
    await searchFor(page, 'ridge-hardshell', 'Ridge Hardshell')
    await chooseVariant(page, 'Moss', 'M')
    await addToCart(page, 1)
  },
  done: (page, facts) => isInCart(page, facts, 'ridge-hardshell-moss-m'),
}

const check: DriverStep = {
  name: 'give address and day',
  run: async (page) => {
    await giveAddress(page, UTRECHT)
    await chooseDelivery(page, radio('#method-standard', 'Standard, free'), 'Wednesday 4 March')
  },
}

function order(card: Card, answer: string): DriverStep {
  return {
    name: 'order',
    run: async (page) => {
      await fillCard(page, card)
      await page.click(button('#place-order', 'Place order'))
      await page.waitText(answer)
    },
    done: async (page, facts) => (await readOrders(page, facts))?.includes(TODAY) ?? false,
  }
}

/** The order that waits, from wherever the shop is open. */
const FIRST_ORDER = link('#orders li:first-child a', 'Order HP-4106')
const PAY_AGAIN = link('#pay-again', 'Pay with another card')

const payAgain: DriverStep = {
  name: 'pay with the other card',
  run: async (page, facts) => {
    await readOrders(page, facts)
    await page.click(FIRST_ORDER)
    await page.click(PAY_AGAIN)
    await fillCard(page, SECOND)
    await page.click(button('#pay', 'Pay €299.00'))
    await page.waitText('We have your order')
  },
  done: async (page, facts) => (await readOrders(page, facts))?.includes('· paid') ?? false,
}

const cancel: DriverStep = {
  name: 'cancel the order',
  run: async (page) => {
    await page.click(button('#cancel-order', 'Cancel the order'))
    await page.waitText('The order is cancelled')
  },
}

const UNTIL_CARD = [SIGN_IN, addJacket, check]
const declined = order(FIRST, 'Your bank declined the card')
const accepted = order(SECOND, 'We have your order')

export const driver: Driver = {
  steps: [...UNTIL_CARD, declined, payAgain],
  wrong: {
    'leaves-it-unpaid': [...UNTIL_CARD, declined],
    'orders-again': [...UNTIL_CARD, declined, addJacket, check, accepted],
    'cancels-and-orders-again': [...UNTIL_CARD, declined, cancel, addJacket, check, accepted],
    'never-tries-the-first-card': [...UNTIL_CARD, accepted],
  },
}
