import type { Driver, DriverStep } from '../../../runner/libraries/driver.ts'
import { button, choice, link, openOrder, radio, signInAs } from '../apps/shop/shop-steps.ts'

const SIGN_IN = signInAs('mara.lindqvist@example.com', 'harbour-lamp-42')
const NORTHGATE = radio('#drop-off-3', 'Northgate Market')
const CENTRAL = radio('#drop-off-1', 'Central Station')

type Wanted = { order: string; colour: string; pieces: string }
const FEBRUARY = { order: 'HP-4104', colour: 'Natural', pieces: '1' }
const DECEMBER = { order: 'HP-4102', colour: 'Charcoal', pieces: '1' }

/** Nothing is kept before the return is confirmed, so this can be done again. */
function choosePieces({ order, colour, pieces }: Wanted): DriverStep {
  return {
    name: 'choose what to return, and why',
    run: async (page, facts) => {
      await openOrder(page, facts, order)
      await page.click(link('#start-return', 'Return something'))
      const css = `#pieces-hearth-wool-throw-${colour.toLowerCase()}-one-size`
      await page.select(choice(css, `Hearth Wool Throw, ${colour}`), pieces)
      await page.select(choice('#reason', 'Reason'), 'Not as pictured')
      await page.click(button('#to-drop-off', 'Continue to drop-off'))
      await page.waitText('Where will you bring it?')
    },
  }
}

function confirm({ order }: Wanted, place: typeof NORTHGATE): DriverStep {
  return {
    name: 'choose the drop-off point and confirm',
    run: async (page) => {
      await page.check(place, true)
      await page.click(button('#confirm-return', 'Confirm the return'))
      await page.waitText(`Return R-${order}-1`)
    },
    done: async (page, facts) =>
      (await openOrder(page, facts, order)) && page.sees({ css: `#return-R-${order}-1` }),
  }
}

export const driver: Driver = {
  steps: [SIGN_IN, choosePieces(FEBRUARY), confirm(FEBRUARY, NORTHGATE)],
  wrong: {
    'both-throws': [
      SIGN_IN,
      choosePieces({ ...FEBRUARY, pieces: '2' }),
      confirm(FEBRUARY, NORTHGATE),
    ],
    'the-december-order': [SIGN_IN, choosePieces(DECEMBER), confirm(DECEMBER, NORTHGATE)],
    'not-confirmed': [SIGN_IN, choosePieces(FEBRUARY)],
    'the-first-drop-off': [SIGN_IN, choosePieces(FEBRUARY), confirm(FEBRUARY, CENTRAL)],
    'one-after-the-other': [
      SIGN_IN,
      choosePieces(FEBRUARY),
      confirm(FEBRUARY, NORTHGATE),
      choosePieces(FEBRUARY),
      confirm(FEBRUARY, NORTHGATE),
    ],
  },
}
