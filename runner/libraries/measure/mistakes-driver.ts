import type { Driver, DriverStep } from '../driver.ts'
import { MISTAKES, type Mistake } from './mistakes.ts'

const open: DriverStep = {
  name: 'open',
  run: async (page, { origin, notes }) => {
    await page.open(`${origin}/`)
    notes.set('refused', await page.readText({ css: '#refused' }))
  },
}

/** Swallows the error, so that no rung is climbed: the trace has recorded it. */
function stepOf({ induced, act }: Mistake): DriverStep {
  return {
    name: induced,
    run: async (page, { notes }) => {
      await act(page, notes.get('refused') ?? '').catch(() => {})
    },
  }
}

/** Run with every library to collect its error messages. */
export const driver: Driver = { steps: [open, ...MISTAKES.map(stepOf)], wrong: {} }
