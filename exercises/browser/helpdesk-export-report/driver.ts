import type { Driver, DriverStep } from '../../../runner/libraries/driver.ts'
import { choice, enter, link } from '../apps/helpdesk/desk-steps.ts'

const STATUS = choice('#report-status', 'Status')
const TAG = choice('#report-tag', 'Tag')
const MONTH = choice('#report-month', 'Came in')
const COUNT = { css: '#report-count' }
const EXPORT = link('#export', 'Export CSV')

const openReports: DriverStep = {
  name: 'open the reports',
  checkpoint: true,
  run: async (page, facts) => {
    await enter(page, facts)
    await page.click(link('#nav-reports', 'Reports'))
    await page.waitText('in this report', COUNT)
  },
}

type Choices = { status?: string; tag?: string; month?: string }

const choose = ({ status, tag, month }: Choices): DriverStep => ({
  name: 'choose what is in the report',
  run: async (page) => {
    if (status !== undefined) await page.select(STATUS, status)
    if (tag !== undefined) await page.select(TAG, tag)
    if (month !== undefined) await page.select(MONTH, month)
    const chosen = [status, tag, month].filter((one) => one !== undefined)
    await page.waitText(`in this report: ${chosen.join(', ')}`, COUNT)
  },
})

const take: DriverStep = {
  name: 'export it',
  run: async (page) => {
    await page.click(EXPORT)
    await page.waitText('The report is being downloaded.')
  },
}

const all = { status: 'Solved', tag: 'delivery', month: 'February 2026' }

export const driver: Driver = {
  steps: [openReports, choose(all), take],
  wrong: {
    'exports everything': [openReports, take],
    'takes the wrong month': [openReports, choose({ ...all, month: 'January 2026' }), take],
    'forgets the tag': [openReports, choose({ status: 'Solved', month: 'February 2026' }), take],
    'looks but does not export': [openReports, choose(all)],
  },
}
