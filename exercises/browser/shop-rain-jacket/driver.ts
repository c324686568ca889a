import type { BrowserActions } from '../../../runner/libraries/action-surface.ts'
import type { Driver, DriverStep, Facts } from '../../../runner/libraries/driver.ts'
import {
  button,
  choice,
  chooseVariant,
  link,
  searchFor,
  seesWish,
  signInAs,
} from '../apps/shop/shop-steps.ts'

const SIGN_IN = signInAs('mara.lindqvist@example.com', 'harbour-lamp-42')
const MOST_GRAMS = 700
const LEAST_RATING = 4
const MORE = button('#more', 'Show more products')

/** Lists the jackets by price; the cheapest stands first. */
async function openJackets(page: BrowserActions): Promise<void> {
  await page.click(link('#category-jackets', 'Jackets'))
  await page.select(choice('#sort', 'Sort by'), 'Price, low to high')
  await page.waitText('shown', { css: '[data-sorted="price"] #count' })
}

/** The name at a place of the list, which is scrolled on where it has to be. */
async function readName(page: BrowserActions, place: number): Promise<string> {
  const [shown = '0'] = (await page.readText({ css: '#count' })).split(' ')
  if (place > Number(shown)) await page.click(MORE)
  return page.readText({ css: `${cardAt(place)} .name` })
}

function cardAt(place: number): string {
  return `#products > li:nth-child(${place})`
}

/** Looks at a jacket's own page: facts first, then the stock of the wanted variant. */
async function fits(page: BrowserActions): Promise<boolean> {
  const weight = Number.parseInt(await page.readText({ css: '#weight' }), 10)
  const isDry = (await page.readText({ css: '#waterproof' })) === 'Yes'
  if (!isDry || weight >= MOST_GRAMS) return false
  await chooseVariant(page, 'Rust', 'M')
  return !(await page.readText({ css: '#stock' })).includes('sold out')
}

const findJacket: DriverStep = {
  name: 'look through the jackets, the cheapest first',
  run: async (page, { notes }) => {
    for (let place = 1; !notes.has('jacket'); place++) {
      await openJackets(page)
      const name = await readName(page, place)
      const rating = (await page.readText({ css: `${cardAt(place)} .rating` })).replace('★', '')
      if (Number(rating) < LEAST_RATING) continue
      await page.click(link(`${cardAt(place)} a`, name))
      await page.waitText(name, { css: 'h1' })
      if (await fits(page)) notes.set('jacket', name)
    }
  },
}

/** As the shop's addresses name a product. */
function idOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

function save(jacketOf: (facts: Facts) => string): DriverStep {
  return {
    name: 'save the jacket to the wish list',
    checkpoint: true,
    run: async (page, facts) => {
      await SIGN_IN.run(page, facts)
      await searchFor(page, idOf(jacketOf(facts)), jacketOf(facts))
      await page.click(button('#save', 'Save to wish list'))
      await page.waitText('Saved to your wish list')
    },
    done: (page, facts) => seesWish(page, facts, idOf(jacketOf(facts))),
  }
}

export const driver: Driver = {
  steps: [SIGN_IN, findJacket, save(({ notes }) => notes.get('jacket') ?? '')],
  wrong: {
    'sold-out-in-that-size': [SIGN_IN, save(() => 'Moor Packable Rain Jacket')],
    'badly-rated': [SIGN_IN, save(() => 'Harbour Raincoat')],
    'too-heavy': [SIGN_IN, save(() => 'Skerry Storm Jacket')],
    'not-the-cheapest': [SIGN_IN, save(() => 'Lantern City Mac')],
    'saves-two': [SIGN_IN, save(() => 'Lantern City Mac'), save(() => 'Drift Anorak')],
    'found-and-not-saved': [SIGN_IN, findJacket],
  },
}
