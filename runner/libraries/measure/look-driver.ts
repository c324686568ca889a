import type { Driver } from '../driver.ts'

/** Opens a page and reads it once: what a library shows of it to its user. */
export const driver: Driver = {
  steps: [
    {
      name: 'look',
      run: async (page, { origin }) => {
        await page.open(`${origin}/`)
        await page.observe()
      },
    },
  ],
  wrong: {},
}
