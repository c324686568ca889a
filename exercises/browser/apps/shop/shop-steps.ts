import type { BrowserActions, Target } from '../../../../runner/libraries/action-surface.ts'
import type { DriverStep, Facts } from '../../../../runner/libraries/driver.ts'

type Page = BrowserActions

export const link = (css: string, name: string): Target => ({ css, role: 'link', name })
export const button = (css: string, name: string): Target => ({ css, role: 'button', name })
export const textbox = (css: string, name: string): Target => ({ css, role: 'textbox', name })
export const choice = (css: string, name: string): Target => ({ css, role: 'combobox', name })
export const radio = (css: string, name: string): Target => ({ css, role: 'radio', name })

const TO_SIGN_IN = link('#to-sign-in', 'Sign in')
const TO_ACCOUNT = link('#to-account', 'Account')
const TO_CART = link('#to-cart', 'Cart')
const SEARCH = choice('#search', 'Search products')

/** Opens the shop and waits for the last thing on its page, so that one look tells what is there. */
export async function enter(page: Page, { origin }: Facts): Promise<void> {
  await page.open(`${origin}/`)
  await page.waitText('Returns within 60 days')
}

export function signInAs(email: string, password: string): DriverStep {
  return {
    name: 'sign in',
    checkpoint: true,
    run: async (page, facts) => {
      await enter(page, facts)
      if (!(await page.sees(TO_SIGN_IN))) return
      await page.click(TO_SIGN_IN)
      await page.fill(textbox('#email', 'Email'), email)
      await page.fill({ css: '#password', role: 'textbox', name: 'Password' }, password)
      await page.click(button('#sign-in', 'Sign in to your account'))
      await page.waitText('Your orders')
    },
  }
}

/** Types into the search box and takes the suggestion of that name. */
export async function searchFor(page: Page, id: string, name: string): Promise<void> {
  await page.fill(SEARCH, name)
  await page.click({ css: `#suggestion-${id}`, role: 'option', name })
  await page.waitText(name, { css: 'h1' })
}

/** Chooses on a product's page, when the warehouse has told its stock. */
export async function chooseVariant(page: Page, colour: string, size: string): Promise<void> {
  await page.select(choice('#colour', 'Colour'), colour)
  if (size !== '') await page.select(choice('#size', 'Size'), size)
  await page.waitText('Stock:', { css: '#stock' })
}

export async function addToCart(page: Page, quantity: number): Promise<void> {
  await page.fill(textbox('#quantity', 'Quantity'), String(quantity))
  await page.click(button('#add-to-cart', 'Add to cart'))
  await page.waitText('Your cart', { css: 'h1' })
}

/** Whether a line is in the cart, as the cart's page shows it. */
export async function isInCart(page: Page, facts: Facts, line: string): Promise<boolean> {
  await enter(page, facts)
  await openCart(page)
  return page.sees({ css: `#line-${line}` })
}

export async function openCart(page: Page): Promise<void> {
  await page.click(TO_CART)
  await page.waitText('Your cart', { css: 'h1' })
}

/** What the account's page says of its orders; null = nobody is signed in. */
export async function readOrders(page: Page, facts: Facts): Promise<string | null> {
  await enter(page, facts)
  if (!(await page.sees(TO_ACCOUNT))) return null
  await page.click(TO_ACCOUNT)
  await page.waitText('Your orders', { css: 'h2' })
  return page.readText({ css: '#orders' })
}

export const TODAY = '2026-03-02'

export type Address = {
  name: string
  street: string
  postcode: string
  city: string
  country: string
}

export async function giveAddress(page: Page, address: Address): Promise<void> {
  await openCart(page)
  await page.click(link('#to-checkout', 'Go to checkout'))
  await page.fill(textbox('#name', 'Full name'), address.name)
  await page.fill(textbox('#street', 'Street and number'), address.street)
  await page.fill(textbox('#postcode', 'Postcode'), address.postcode)
  await page.fill(textbox('#city', 'City'), address.city)
  await page.select(choice('#country', 'Country'), address.country)
  await page.click(button('#to-delivery', 'Continue to delivery'))
  await page.waitText('Delivery', { css: 'h1' })
}

export async function chooseDelivery(page: Page, method: Target, day: string): Promise<void> {
  await page.check(method, true)
  await page.select(choice('#day', 'Delivery day'), day)
  await page.click(button('#to-payment', 'Continue to payment'))
  await page.waitText('Payment', { css: 'h1' })
}

export type Card = { number: string; expiry: string; code: string }

export async function fillCard(page: Page, { number, expiry, code }: Card): Promise<void> {
  await page.fill(textbox('#card', 'Card number'), number)
  await page.fill(textbox('#expiry', 'Expiry date'), expiry)
  await page.fill(textbox('#code', 'Security code'), code)
}

/** Opens an order from the account's list; false = nobody is signed in. */
export async function openOrder(page: Page, facts: Facts, number: string): Promise<boolean> {
  if ((await readOrders(page, facts)) === null) return false
  await page.click(link(`#order-${number} a`, `Order ${number}`))
  await page.waitText(`Order ${number}`, { css: 'h1' })
  return true
}

/** Opens the wish list; false = nobody is signed in. */
export async function seesWishes(page: Page, facts: Facts): Promise<boolean> {
  await enter(page, facts)
  if (!(await page.sees(TO_ACCOUNT))) return false
  await page.click(link('#to-wish-list', 'Wish list'))
  await page.waitText('Things on it', { css: '#wishes' })
  return true
}

/** Whether something is on the wish list of whoever is signed in. */
export async function seesWish(page: Page, facts: Facts, id: string): Promise<boolean> {
  return (await seesWishes(page, facts)) && page.sees({ css: `#wish-${id}` })
}
