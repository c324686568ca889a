import type { Ticket } from './desk-state.ts'

/** A ticket as it is told here; what is left out is usual. */
type Told = Pick<Ticket, 'id' | 'subject' | 'requester' | 'createdAt'> &
  Partial<Pick<Ticket, 'status' | 'priority' | 'assignee' | 'tags'>> & {
    says: readonly [string, ...string[]]
    answers?: readonly string[]
  }

const person = (name: string, email: string, company = '') => ({ name, email, company })
const ruben = person('Ruben Alder', 'ruben.alder@posthaus.example')
const ines = person('Ines Carvalho', 'ines@marrowandfinch.example', 'Marrow & Finch')
const lena = person('Lena Vogt', 'lena.vogt@feldweg.example')
const hugo = person('Hugo Vogt', 'hugo.vogt@nordlicht.example', 'Nordlicht Studio')
const maja = person('Maja Okafor', 'maja.okafor@linden.example')

/** The tickets that somebody looks for, and those that look like them. */
export const TOLD: readonly Told[] = [
  {
    id: 4102,
    subject: 'Two payments on my statement',
    requester: hugo,
    createdAt: '2026-02-19T08:41:00Z',
    status: 'solved',
    assignee: 'priya',
    tags: ['billing'],
    says: [
      'Good morning, I see two payments for order HP-20471. Is one of them a mistake?',
      'Ah, the second one is the deposit. Thank you, all clear.',
    ],
    answers: ['Hello Hugo, one is the deposit and one the balance. Both belong to HP-20471.'],
  },
  {
    id: 4109,
    subject: 'Invoice for HP-19906',
    requester: ines,
    createdAt: '2026-02-24T14:05:00Z',
    assignee: 'nora',
    tags: ['billing', 'invoice'],
    says: ['Could you send me the invoice of order HP-19906 once more? Our first copy was lost.'],
  },
  {
    id: 4113,
    subject: 'Dining table: a leg is cracked',
    requester: ruben,
    createdAt: '2026-02-27T16:20:00Z',
    tags: ['delivery'],
    says: [
      'The table of order HP-20388 came today. One of the legs has a crack of about ten centimetres. What can be done?',
    ],
  },
  {
    id: 4115,
    subject: 'VAT number missing',
    requester: ines,
    createdAt: '2026-02-28T09:30:00Z',
    assignee: 'nora',
    tags: ['invoice'],
    says: [
      'Hello, the invoice of order HP-19960 does not show our VAT number PT509812234. Our accountant needs a corrected one before Friday.',
    ],
  },
  {
    id: 4118,
    subject: 'Question about my card',
    requester: lena,
    createdAt: '2026-03-01T07:55:00Z',
    says: [
      'Hi, my bank shows 249.00 EUR twice on 26 February, both for order HP-20417. I ordered one armchair, so please give one payment back.',
    ],
  },
  {
    id: 4119,
    subject: 'Going round in circles',
    requester: maja,
    createdAt: '2026-03-01T11:12:00Z',
    says: [
      'Since your new website I cannot get in. Each password link I am sent leads me back to the page that sends a password link. I have done this six times now.',
    ],
  },
  {
    id: 4121,
    subject: 'HP-20388 arrived damaged, with pictures',
    requester: person('R. Alder', 'ruben@alderbooks.example', 'Alder Books'),
    createdAt: '2026-03-01T18:47:00Z',
    says: [
      'I wrote on Friday from my other address and am not sure it came through: the table leg is cracked. I have put the table aside and can send pictures.',
    ],
  },
  {
    id: 4122,
    subject: 'Password changed by mistake',
    requester: person('Colm Brennan', 'colm@brennan.example'),
    createdAt: '2026-03-01T19:31:00Z',
    assignee: 'tom',
    tags: ['account'],
    says: ['I changed my password twice by mistake. It works now, you may close this.'],
  },
  {
    id: 4124,
    subject: 'Leg of a chair is loose',
    requester: person('Petra Sund', 'petra@sund.example'),
    createdAt: '2026-03-02T06:15:00Z',
    tags: ['warranty'],
    says: ['One leg of a chair from order HP-20338 is loose. Is there a screw that I can tighten?'],
  },
]
