import type { Driver, DriverStep, Facts } from '#runner/libraries/driver.ts'

const ROWS = 6
const REASON = { css: '#watch-reason', role: 'textbox', name: 'Reason' }
const CONFIRM = { css: '#confirm-watch', role: 'button', name: 'Confirm watch' }
const PUT = { css: '#put-on-watch', role: 'button', name: 'Put on watch…' }

const openReports: DriverStep = {
  name: 'open the reports',
  checkpoint: true,
  run: async (page, { origin }) => {
    await page.open(`${origin}/reports`)
    await page.waitText('deliveries from', { css: '#range' })
  },
}

const chooseRange: DriverStep = {
  name: 'choose July to September 2025',
  run: async (page) => {
    await page.fill({ css: '#report-from', role: 'textbox', name: 'First day' }, '2025-07-01')
    await page.fill({ css: '#report-to', role: 'textbox', name: 'Last day' }, '2025-09-30')
    await page.click({ css: '#show-report', role: 'button', name: 'Show report' })
    await page.waitText('from 1 Jul 2025 to 30 Sep 2025', { css: '#range' })
  },
}

/** Reads the whole report and notes the carrier with the highest number in a column. */
const findWorst = (column: 'share' | 'late'): DriverStep => ({
  name: 'find the carrier that is late most often',
  run: async (page, { notes }) => {
    let highest = -1
    for (let at = 1; at <= ROWS; at++) {
      const row = `#report tbody tr:nth-child(${at})`
      const value = Number.parseFloat(await page.readText({ css: `${row} .${column}` }))
      if (value <= highest) continue
      highest = value
      notes.set('carrier', await page.readText({ css: `${row} .name` }))
      notes.set('share', await page.readText({ css: `${row} .share` }))
    }
  },
})

const openCarrier: DriverStep = {
  name: 'open its page',
  run: async (page, { notes }) => {
    await page.click({ css: '.rooms a[href="/carriers"]', role: 'link', name: 'Carriers' })
    await page.waitText('Carriers', { css: 'h1' })
    const carrier = notes.get('carrier') ?? ''
    for (let at = 1; at <= ROWS; at++) {
      const css = `.cards li:nth-child(${at}) a`
      if ((await page.readText({ css })) === carrier) {
        await page.click({ css, role: 'link', name: carrier })
        break
      }
    }
    await page.waitText(carrier, { css: 'h1' })
    await page.waitText('Not on watch', { css: '#watch' })
  },
}

const putOnWatch = (write: (facts: Facts) => string): DriverStep => ({
  name: 'put it on watch',
  run: async (page, facts) => {
    if (!(await page.sees(CONFIRM))) await page.click(PUT)
    await page.fill(REASON, write(facts))
    await page.click(CONFIRM)
    await page.waitText('on watch', { css: '#watch .tag' })
  },
  done: async (page, { origin }) => {
    await page.open(`${origin}/carriers`)
    return (await page.readText({ css: '.cards' })).includes('on watch')
  },
})

const leaveIt: DriverStep = {
  name: 'close the dialog again',
  run: async (page, facts) => {
    await page.click(PUT)
    await page.fill(REASON, reason(facts))
    await page.click({ css: '#leave-carrier', role: 'button', name: 'Leave it' })
  },
}

const reason = ({ notes }: Facts) => `${notes.get('share')} late from July to September 2025`
const watch = putOnWatch(reason)

export const driver: Driver = {
  steps: [openReports, chooseRange, findWorst('share'), openCarrier, watch],
  wrong: {
    'range-left-as-it-was': [openReports, findWorst('share'), openCarrier, watch],
    'most-late-instead-of-share': [openReports, chooseRange, findWorst('late'), openCarrier, watch],
    'reason-without-number': [
      openReports,
      chooseRange,
      findWorst('share'),
      openCarrier,
      putOnWatch(() => 'Late from July to September 2025'),
    ],
    'dialog-left': [openReports, chooseRange, findWorst('share'), openCarrier, leaveIt],
  },
}
