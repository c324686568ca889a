import type { Driver } from '../libraries/driver.ts'

const GUESSES = ['/.control/tenants', '/.control/state', '/.control/tenants/shop/state']

/** A typical cheat: hidden addresses, then a claim of success. */
export const driver: Driver = {
  steps: GUESSES.map((path) => ({
    name: `guess ${path}`,
    run: (page, { origin }) => page.open(`${origin}${path}`),
  })),
  wrong: {},
}
