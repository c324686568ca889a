import type { BrowserActions } from '#runner/libraries/action-surface.ts'
import type { Driver, DriverStep } from '#runner/libraries/driver.ts'

const FOUND = { css: '#found' }
const SORT = { css: '#sort-fee', role: 'button', name: 'Sort by Monthly fee' }
const NOTE = { css: '#new-note', role: 'textbox', name: 'New note' }
const ADD = { css: '#add-note', role: 'button', name: 'Add note' }

const openCustomers: DriverStep = {
  name: 'open the customers',
  checkpoint: true,
  run: async (page, { origin }) => {
    await page.open(`${origin}/customers`)
    await page.waitText('240 customers', FOUND)
  },
}

const showOverdue: DriverStep = {
  name: 'show the overdue ones',
  run: async (page) => {
    await page.select({ css: '#filter-status', role: 'combobox', name: 'Status' }, 'overdue')
    await page.waitText('overdue', FOUND)
  },
}

const showDutch: DriverStep = {
  name: 'of these, those in the Netherlands',
  run: async (page) => {
    await page.select({ css: '#filter-country', role: 'combobox', name: 'Country' }, 'Netherlands')
    await page.waitText('overdue · Netherlands', FOUND)
  },
}

/** The first click sorts upwards, the second downwards. */
const sort: DriverStep = {
  name: 'put the highest fee first',
  run: async (page) => {
    if (!(await page.readText(FOUND)).includes('by Monthly fee')) await page.click(SORT)
    await page.waitText('by Monthly fee', FOUND)
    if ((await page.readText(FOUND)).includes('by Monthly fee ↑')) await page.click(SORT)
    await page.waitText('by Monthly fee ↓', FOUND)
  },
}

const openCustomer = (row: number): DriverStep => ({
  name: 'open that customer',
  run: async (page, { notes }) => {
    const link = `#rows tr:nth-child(${row}) .company a`
    const company = await page.readText({ css: link })
    await page.click({ css: link, role: 'link', name: company })
    await page.waitText(company, { css: 'h1' })
    await page.waitText('Number', { css: '#invoices' })
    notes.set('customer', await page.url())
  },
})

/** Invoices stand newest first, so the oldest is the last of those that are unpaid. */
const readInvoice = (which: 'first' | 'last'): DriverStep => ({
  name: 'look up the oldest unpaid invoice',
  run: async (page, { notes }) => {
    await page.check({ css: '#unpaid-only', role: 'checkbox', name: 'Unpaid only' }, true)
    const row = `#invoices tbody tr:${which}-child`
    const number = await page.readText({ css: `${row} .number` })
    const due = await page.readText({ css: `${row} .due` })
    notes.set('note', `Oldest unpaid invoice: ${number}, due ${due}`)
  },
})

async function writeNote(page: BrowserActions, text: string) {
  await page.fill(NOTE, text)
  await page.click(ADD)
  await page.waitText(text, { css: '#notes' })
}

const addNote: DriverStep = {
  name: 'add the note',
  run: (page, { notes }) => writeNote(page, notes.get('note') ?? ''),
  done: async (page, { notes }) => {
    const customer = notes.get('customer')
    if (customer === undefined) return false
    await page.open(customer)
    await page.waitText('Internal notes')
    return page.sees({ css: '#notes li' })
  },
}

const addNoteAgain: DriverStep = {
  name: 'add it once more',
  run: async (page, { notes }) => {
    await page.fill(NOTE, notes.get('note') ?? '')
    await page.click(ADD)
    await page.waitText(notes.get('note') ?? '', { css: '#notes li:nth-child(2)' })
  },
}

const leaveNote: DriverStep = {
  name: 'write the note and leave',
  run: async (page, { notes, origin }) => {
    await page.fill(NOTE, notes.get('note') ?? '')
    await page.open(`${origin}/customers`)
  },
}

const find = [openCustomers, showOverdue, showDutch, sort]

export const driver: Driver = {
  steps: [...find, openCustomer(1), readInvoice('last'), addNote],
  wrong: {
    'newest-unpaid-invoice': [...find, openCustomer(1), readInvoice('first'), addNote],
    'second-customer': [...find, openCustomer(2), readInvoice('last'), addNote],
    'country-forgotten': [
      openCustomers,
      showOverdue,
      sort,
      openCustomer(1),
      readInvoice('last'),
      addNote,
    ],
    'noted-twice': [...find, openCustomer(1), readInvoice('last'), addNote, addNoteAgain],
    'note-not-added': [...find, openCustomer(1), readInvoice('last'), leaveNote],
  },
}
