import type { Driver, DriverStep } from '../../../runner/libraries/driver.ts'
import {
  button,
  CONVERSATION,
  choice,
  type Found,
  findTicket,
  HEADING,
  SEND,
  STATUS,
  SUMMARY,
  TAGS,
} from '../apps/helpdesk/desk-steps.ts'

const ASSIGNEE = choice('#assignee', 'Assignee')
const REFUND = 'The refund is on its way and reaches your account'
const DAMAGED = 'HP-20388'

const older = (found: Found[]) => found.toSorted((a, b) => a.id - b.id)[0]
const newer = (found: Found[]) => found.toSorted((a, b) => b.id - a.id)[0]
type Choose = (found: Found[]) => Found | undefined

const open = (name: string, words: string, choose?: Choose): DriverStep => ({
  name,
  checkpoint: true,
  run: async (page, facts) => {
    await findTicket(page, facts, words, choose)
  },
})

const assign = (person: string, team: string): DriverStep => ({
  name: `assign it to ${person}`,
  run: async (page) => {
    await page.select(ASSIGNEE, `${person} (${team})`)
    await page.waitText(`Assigned to ${person}`, SUMMARY)
  },
})

/** Adds a tag unless it is there already, which the app would refuse. */
const tag = (words: string): DriverStep => ({
  name: `tag it ${words}`,
  run: async (page) => {
    const tags = await page.readText(TAGS)
    if (tags.includes(words)) return
    await page.fill(choice('#tag', 'New tag'), words)
    await page.click(button('#add-tag', 'Add tag'))
    await page.waitText(words, TAGS)
  },
})

const replyOnce = (canned = 'Refund on its way'): DriverStep => ({
  name: 'send the canned reply',
  run: async (page) => {
    await page.select(choice('#canned', 'Canned reply'), canned)
    await page.waitText(`“${canned}” was inserted`, { css: '#inserted' })
    await page.click(SEND)
    await page.waitText('Nora Lindqvist replied', CONVERSATION)
  },
  done: async (page, facts) => {
    await findTicket(page, facts, 'HP-20417')
    return (await page.readText(CONVERSATION)).includes(REFUND)
  },
})

const close: DriverStep = {
  name: 'close it',
  run: async (page) => {
    await page.select(STATUS, 'Closed')
    await page.waitText('Closed', SUMMARY)
  },
}

const merge = (from: Choose, into: Choose): DriverStep => ({
  name: 'merge the duplicate into the first report',
  run: async (page, { notes }) => {
    const pair: Found[] = JSON.parse(notes.get('reports') ?? '[]')
    const other = into(pair)
    if (other === undefined) throw new Error('the two reports were not found')
    await page.click(button('#merge', 'Merge into another ticket'))
    await page.fill(
      { css: '#merge-search', role: 'searchbox', name: 'Find the other ticket' },
      DAMAGED,
    )
    await page.check({ css: `#into-${other.id}`, role: 'radio', name: other.words }, true)
    await page.click(button('#confirm-merge', 'Merge tickets'))
    await page.waitText(`Ticket #${other.id}`, HEADING)
  },
  done: async (page, facts) => {
    await findTicket(page, facts, DAMAGED, from)
    return (await page.readText(CONVERSATION)).includes('Merged into ticket')
  },
})

const openDuplicate = (from: Choose): DriverStep => ({
  name: 'open the duplicate of the broken table',
  checkpoint: true,
  run: async (page, facts) => {
    await findTicket(page, facts, DAMAGED, (found) => {
      facts.notes.set('reports', JSON.stringify(found))
      return from(found)
    })
  },
})

const payment = [
  open('open the ticket about the double payment', 'HP-20417'),
  assign('Priya Raman', 'Billing'),
  tag('refund'),
  replyOnce(),
  close,
]
const table = [
  openDuplicate(newer),
  merge(newer, older),
  open('open the first report', DAMAGED, older),
  assign('Tomás Ferreira', 'Logistics'),
  tag('damaged'),
]
const access = [
  open('open the ticket about the password links', 'password link'),
  assign('Nora Lindqvist', 'Support'),
  tag('login'),
]

export const driver: Driver = {
  steps: [...payment, ...table, ...access],
  wrong: {
    'merges the first report into the duplicate': [
      ...payment,
      openDuplicate(older),
      merge(older, newer),
      open('open the report that is left', DAMAGED, newer),
      ...table.slice(3),
      ...access,
    ],
    'assigns the colleague with nearly the same name': [
      ...payment,
      ...table.slice(0, 3),
      assign('Tom Fersen', 'Support'),
      tag('damaged'),
      ...access,
    ],
    'replies twice': [...payment.slice(0, 4), replyOnce(), close, ...table, ...access],
    'takes another canned reply': [
      ...payment.slice(0, 3),
      replyOnce('Refund being checked'),
      close,
      ...table,
      ...access,
    ],
    'takes the first ticket about a password': [
      ...payment,
      ...table,
      open('open a ticket about a password', 'password'),
      ...access.slice(1),
    ],
    'leaves the payment open': [...payment.slice(0, 4), ...table, ...access],
  },
}
