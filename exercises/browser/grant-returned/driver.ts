import type { Driver, DriverStep } from '#runner/libraries/driver.ts'

const CONTINUE = { css: '#continue', role: 'button', name: 'Save and continue' }
const LAST_DAY = { css: '#endsOn', role: 'textbox', name: 'Last day' }
const PAYER = { css: '#coFunder', role: 'textbox', name: 'Who pays the rest' }
const RETURNED = 'li.returned'
const TITLE = 'Harbour Voices'

const open: DriverStep = {
  name: 'open the returned application',
  checkpoint: true,
  run: async (page, { origin }) => {
    await page.open(`${origin}/`)
    await page.waitText(TITLE)
    await page.click({
      css: `${RETURNED} a.open`,
      role: 'link',
      name: `Continue ${TITLE} A-3044`,
    })
    await page.waitText('The fund asks for changes')
  },
}

/** The remark is prose; the day and the payer are read out of it. */
const readRemark: DriverStep = {
  name: 'read what has to be changed',
  run: async (page, { notes }) => {
    const remark = await page.readText({ css: '#remark' })
    const [, day, month, year] = /on (\d+) (\w+) (\d{4})/.exec(remark) ?? []
    const date = new Date(`${day} ${month} ${year} UTC`).toISOString().slice(0, 10)
    notes.set('lastDay', date.split('-').reverse().join('.'))
    notes.set('payer', /“([^”]+)”/.exec(remark)?.[1] ?? '')
  },
}

const setLastDay: DriverStep = {
  name: 'set the last day',
  run: async (page, { notes }) => {
    await page.click({ css: '#to-project', role: 'link', name: 'Project' })
    await page.waitText('Project', { css: 'h1' })
    await page.fill(LAST_DAY, notes.get('lastDay') ?? '')
    await page.click(CONTINUE)
    await page.waitText('Budget', { css: 'h1' })
  },
}

const namePayer = (change: (payer: string) => string): DriverStep => ({
  name: 'name who pays the rest',
  run: async (page, { notes }) => {
    await page.click({ css: '#to-budget', role: 'link', name: 'Budget' })
    await page.waitText('Budget', { css: 'h1' })
    await page.fill(PAYER, change(notes.get('payer') ?? ''))
    await page.click(CONTINUE)
    await page.waitText('Documents', { css: 'h1' })
  },
})

const payInFull: DriverStep = {
  name: 'ask for everything instead',
  run: async (page) => {
    await page.click({ css: '#to-budget', role: 'link', name: 'Budget' })
    await page.waitText('Budget', { css: 'h1' })
    const total = { css: '#total', role: 'textbox', name: 'Total costs in EUR' }
    await page.fill(total, '9250')
    await page.fill(PAYER, 'Nordhavn Foundation')
    await page.click(CONTINUE)
    await page.waitText('Documents', { css: 'h1' })
  },
}

const handIn: DriverStep = {
  name: 'hand it in again',
  run: async (page) => {
    await page.click({ css: '#to-review', role: 'link', name: 'Review' })
    await page.waitText('Review', { css: 'h1' })
    const declared = {
      css: '#declared',
      role: 'checkbox',
      name: 'Everything here is true and complete',
    }
    await page.check(declared, true)
    await page.click({ css: '#submit', role: 'button', name: 'Hand in again' })
    await page.waitText('Reference NF-2026-0098')
  },
  done: async (page, { origin }) => {
    await page.open(`${origin}/`)
    await page.waitText('My applications')
    return (await page.readText({ css: '#application-A-3044' })).includes('Submitted')
  },
}

const startNew: DriverStep = {
  name: 'start a new application',
  run: async (page, { origin }) => {
    await page.open(`${origin}/`)
    await page.click({ css: '#start', role: 'button', name: 'Start a new application' })
    await page.waitText('Who applies?')
  },
}

const asAsked = namePayer((payer) => payer)

export const driver: Driver = {
  steps: [open, readRemark, setLastDay, asAsked, handIn],
  wrong: {
    'changed-but-not-handed-in': [open, readRemark, setLastDay, asAsked],
    'last-day-forgotten': [open, readRemark, asAsked, handIn],
    'another-payer': [open, readRemark, setLastDay, namePayer(() => 'Tromsø kommune'), handIn],
    'budget-changed-too': [open, readRemark, setLastDay, payInFull, handIn],
    'a-new-one-beside': [open, readRemark, setLastDay, asAsked, handIn, startNew],
  },
}
