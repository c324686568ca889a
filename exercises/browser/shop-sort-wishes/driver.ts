import type { Driver, DriverStep } from '../../../runner/libraries/driver.ts'
import { button, searchFor, seesWish, seesWishes, signInAs } from '../apps/shop/shop-steps.ts'

const SIGN_IN = signInAs('mara.lindqvist@example.com', 'harbour-lamp-42')

function save(id: string, name: string): DriverStep {
  return {
    name: `save the ${name}`,
    run: async (page) => {
      await searchFor(page, id, name)
      await page.click(button('#save', 'Save to wish list'))
      await page.waitText('Saved to your wish list')
    },
    done: (page, facts) => seesWish(page, facts, id),
  }
}

/** Drags the hoodie by its handle to where the first thing is, unless it is there. */
function dragHoodie(to: { id: string; name: string; place: number }): DriverStep {
  return {
    name: 'drag the hoodie to its place',
    run: async (page, facts) => {
      await seesWishes(page, facts)
      if (await page.sees({ css: `#wish-list > li:nth-child(${to.place})#wish-loft-hoodie` }))
        return
      await page.drag(
        button('#move-loft-hoodie', 'Move Loft Hoodie'),
        button(`#move-${to.id}`, `Move ${to.name}`),
      )
      await page.waitText('List saved')
    },
  }
}

const BACKPACK = save('quay-backpack', 'Quay Backpack')
const TEAPOT = save('kiln-teapot', 'Kiln Teapot')
const HOODIE = save('loft-hoodie', 'Loft Hoodie')
const toTop = dragHoodie({ id: 'quay-backpack', name: 'Quay Backpack', place: 1 })
const toMiddle = dragHoodie({ id: 'kiln-teapot', name: 'Kiln Teapot', place: 2 })
const ALL = [SIGN_IN, BACKPACK, TEAPOT, HOODIE]

export const driver: Driver = {
  steps: [...ALL, toTop],
  wrong: {
    'not-sorted': ALL,
    'one-place-too-low': [...ALL, toMiddle],
    'one-is-missing': [SIGN_IN, BACKPACK, HOODIE, toTop],
    'one-too-many': [...ALL, save('kiln-mug', 'Kiln Mug'), toTop],
  },
}
