import type { Draw } from '../app.ts'
import type { Priority, Status } from './desk-state.ts'

type Topic = { tags: readonly string[]; subject: string; says: string; answer: string }

const TOPICS: readonly Topic[] = [
  {
    tags: ['delivery'],
    subject: 'Where is my {thing}?',
    says: 'My {thing} from order {order} should have come last week. Do you know where it is?',
    answer: 'The carrier has it in its depot and will call you for a day.',
  },
  {
    tags: ['delivery', 'carrier'],
    subject: 'Delivery of the {thing} on another day',
    says: 'I am away on the day you gave me for order {order}. Can the {thing} come a week later?',
    answer: 'The delivery was moved by a week; you get a message the day before.',
  },
  {
    tags: ['returns'],
    subject: 'Return of a {thing}',
    says: 'The {thing} of order {order} is too wide for our room. How do I send it back?',
    answer: 'A return slip is on its way to you; the carrier comes to your door.',
  },
  {
    tags: ['billing', 'invoice'],
    subject: 'Invoice with another address',
    says: 'Please put our new address on the invoice of order {order}.',
    answer: 'The invoice carries your new address now and was sent again.',
  },
  {
    tags: ['billing'],
    subject: 'Discount was not taken off',
    says: 'I had a voucher for the {thing}, but order {order} shows the full price.',
    answer: 'The voucher was taken off; the difference goes back to your card.',
  },
  {
    tags: ['product'],
    subject: 'Care of the {thing}',
    says: 'Which oil do you recommend for the {thing}? Ours has become rather dry.',
    answer: 'Any hard wax oil without colour will do, thinly, twice a year.',
  },
  {
    tags: ['warranty'],
    subject: 'A part of the {thing} broke',
    says: 'After two years a hinge of the {thing} broke. Order {order}. Is that under warranty?',
    answer: 'It is. A new hinge leaves our warehouse tomorrow.',
  },
]

const THINGS = ['armchair', 'bookcase', 'oak bench', 'sideboard', 'desk', 'bed frame', 'stool']
const PEOPLE = [
  ['Amira Haddad', ''],
  ['Jonas Weil', 'Weil Interiors'],
  ['Clara Nyström', ''],
  ['Deniz Aydin', 'Café Aydin'],
  ['Oliver Prentice', ''],
  ['Sofia Marino', 'Marino Architects'],
  ['Tess van Dijk', ''],
  ['Yusuf Karim', 'Karim & Sons'],
  ['Elin Strand', ''],
  ['Marco Bellini', 'Hotel Bellini'],
] as const
const STATUSES: readonly Status[] = ['solved', 'open', 'solved', 'pending', 'closed', 'solved']
const PRIORITIES: readonly Priority[] = ['normal', 'normal', 'low', 'high', 'normal', 'urgent']
const ASSIGNEES = ['nora', 'priya', 'tomas', 'tom', null] as const

/** Everyday tickets, each made from a few draws. */
export function drawTickets(draw: Draw, ids: readonly number[]) {
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[]): T =>
    list[Math.floor(draw() * list.length)] as T
  return ids.map((id, index) => {
    const topic = pick(TOPICS)
    const thing = pick(THINGS)
    const order = `HP-${18_000 + Math.floor(draw() * 1900)}`
    const fill = (text: string) => text.replaceAll('{thing}', thing).replaceAll('{order}', order)
    const [name, company] = pick(PEOPLE)
    const status = pick(STATUSES)
    const created = Date.UTC(2026, 0, 6 + index, 7 + Math.floor(draw() * 10), pick(MINUTES))
    const email = `${plain(name)}@${company === '' ? 'mail' : plain(company)}.example`
    return {
      id,
      subject: fill(topic.subject),
      requester: { name, email, company },
      createdAt: new Date(created).toISOString().replace('.000', ''),
      status,
      priority: pick(PRIORITIES),
      assignee: status === 'open' ? pick(ASSIGNEES) : pick(['nora', 'priya', 'tomas', 'tom']),
      tags: [...topic.tags],
      says: [fill(topic.says)] as const,
      answers: status === 'open' ? [] : [fill(topic.answer)],
    }
  })
}

const MINUTES = [4, 12, 19, 27, 33, 41, 48, 56]

function plain(words: string) {
  return words
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/ +/g, '.')
}
