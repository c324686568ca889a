import type { Driver, DriverStep, Facts } from '../../../runner/libraries/driver.ts'
import {
  button,
  CONVERSATION,
  findTicket,
  MESSAGE,
  SEND,
  STATUS,
  SUMMARY,
} from '../apps/helpdesk/desk-steps.ts'

const WORDS = 'Here is the corrected invoice with your VAT number.'
const FILE = 'invoice-HP-19960.pdf'
const ATTACH = button('#attach', 'Attach a file')

const pathOf = ({ files }: Facts, name: string) => {
  const path = files[name]
  if (path === undefined) throw new Error(`the file ${name} is not at hand`)
  return path
}

const open = (words = 'HP-19960'): DriverStep => ({
  name: 'open the ticket',
  checkpoint: true,
  run: async (page, facts) => {
    await findTicket(page, facts, words)
  },
})

const reply = (file: string | null = FILE, words = 'HP-19960'): DriverStep => ({
  name: 'send the reply',
  run: async (page, facts) => {
    await page.fill(MESSAGE, WORDS)
    if (file !== null) {
      await page.upload(ATTACH, [pathOf(facts, file)])
      await page.waitText(file, { css: '#attached' })
    }
    await page.click(SEND)
    await page.waitText(WORDS, CONVERSATION)
  },
  done: async (page, facts) => {
    await findTicket(page, facts, words)
    return (await page.readText(CONVERSATION)).includes(WORDS)
  },
})

const setPending: DriverStep = {
  name: 'set the ticket to pending',
  run: async (page) => {
    await page.select(STATUS, 'Pending')
    await page.waitText('Pending', SUMMARY)
  },
}

export const driver: Driver = {
  steps: [open(), reply(), setPending],
  wrong: {
    'answers the other ticket of the customer': [
      open('HP-19906'),
      reply(FILE, 'HP-19906'),
      setPending,
    ],
    'forgets the attachment': [open(), reply(null), setPending],
    'attaches the old invoice': [open(), reply('invoice-HP-19960-old.pdf'), setPending],
    'sends it twice': [open(), reply(), open(), reply(), setPending],
    'leaves the ticket open': [open(), reply()],
  },
}
