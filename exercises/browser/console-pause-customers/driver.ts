import type { BrowserActions } from '#runner/libraries/action-surface.ts'
import type { Driver, DriverStep } from '#runner/libraries/driver.ts'

const FOUND = { css: '#found' }
const SORT = { css: '#sort-renews', role: 'button', name: 'Sort by Renews' }
const NEXT = { css: '#next-page', role: 'button', name: 'Next page' }
const CONFIRM = { css: '#confirm-pause', role: 'button', name: 'Pause customers' }
const LAST_DAY = Date.UTC(2026, 8, 30)
const ROWS = 10

type Row = { company: string; plan: string; renews: number }

const openCustomers: DriverStep = {
  name: 'open the customers',
  checkpoint: true,
  run: async (page, { origin }) => {
    await page.open(`${origin}/customers`)
    await page.waitText('240 customers', FOUND)
  },
}

const filter: DriverStep = {
  name: 'show the active ones in Portugal, by the day they renew',
  run: async (page) => {
    await page.select({ css: '#filter-status', role: 'combobox', name: 'Status' }, 'active')
    await page.waitText('active', FOUND)
    await page.select({ css: '#filter-country', role: 'combobox', name: 'Country' }, 'Portugal')
    await page.waitText('active · Portugal', FOUND)
    if (!(await page.readText(FOUND)).includes('by Renews')) await page.click(SORT)
    await page.waitText('by Renews ↑ · page 1', FOUND)
  },
}

const tick = (step: string, mayTake: (row: Row) => boolean): DriverStep => ({
  name: step,
  run: async (page) => {
    for (let at = 1; at <= ROWS; at++) {
      const css = `#rows tr:nth-child(${at})`
      if (!(await page.sees({ css }))) return
      const row = await readRow(page, css)
      const box = { css: `${css} .pick`, role: 'checkbox', name: `Select ${row.company}` }
      if (mayTake(row)) await page.check(box, true)
    }
  },
})

async function readRow(page: BrowserActions, css: string): Promise<Row> {
  const company = await page.readText({ css: `${css} .company a` })
  const plan = await page.readText({ css: `${css} .plan` })
  const renews = await page.readText({ css: `${css} .renews` })
  return { company, plan: plan.replace(/^Plan /, ''), renews: Date.parse(`${renews} UTC`) }
}

const turnPage: DriverStep = {
  name: 'turn the page',
  run: async (page) => {
    if ((await page.readText(FOUND)).includes('page 1 of')) await page.click(NEXT)
    await page.waitText('page 2 of', FOUND)
  },
}

const pause = (reason: string): DriverStep => ({
  name: 'pause them',
  run: async (page) => {
    if (!(await page.sees(CONFIRM))) {
      await page.click({ css: '#pause-selected', role: 'button', name: 'Pause selected…' })
    }
    await page.select({ css: '#pause-reason', role: 'combobox', name: 'Reason' }, reason)
    await page.click(CONFIRM)
    await page.waitText('Paused', { css: '#toasts' })
  },
  done: async (page, { origin }) => {
    await page.open(`${origin}/activity`)
    return (await page.readText({ css: '#activity' })).includes('Paused')
  },
})

const pauseOneByOne: DriverStep = {
  name: 'cancel the dialog',
  run: async (page) => {
    await page.click({ css: '#pause-selected', role: 'button', name: 'Pause selected…' })
    await page.select({ css: '#pause-reason', role: 'combobox', name: 'Reason' }, 'Port strike')
    await page.click({ css: '#keep-customers', role: 'button', name: 'Keep them' })
  },
}

const fits = ({ plan, renews }: Row) => plan !== 'Enterprise' && renews <= LAST_DAY
const first = tick('tick those that fit on the first page', fits)
const second = tick('tick those that fit on the second page', fits)
const find = [openCustomers, filter]
const everyone = tick('tick the whole page', () => true)
const withEnterprise = tick('tick those that renew in time', ({ renews }) => renews <= LAST_DAY)

export const driver: Driver = {
  steps: [...find, first, turnPage, second, pause('Port strike')],
  wrong: {
    'first-page-only': [...find, first, pause('Port strike')],
    'whole-page': [...find, everyone, pause('Port strike')],
    'enterprise-too': [...find, withEnterprise, turnPage, withEnterprise, pause('Port strike')],
    'wrong-reason': [...find, first, turnPage, second, pause('Customs hold')],
    'dialog-cancelled': [...find, first, turnPage, second, pauseOneByOne],
  },
}
