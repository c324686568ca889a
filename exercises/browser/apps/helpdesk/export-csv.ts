import type { DeskState, Ticket } from './desk-state.ts'

export type ReportFilter = { status: string; tag: string; month: string }

export function readReportFilter(query: URLSearchParams): ReportFilter {
  const read = (name: string) => (query.get(name) ?? '').trim()
  return { status: read('status'), tag: read('tag').toLowerCase(), month: read('month') }
}

/** Tickets by the month in which they came in (UTC), oldest first. */
export function reportTickets(state: DeskState, { status, tag, month }: ReportFilter): Ticket[] {
  return state.tickets
    .filter((ticket) => status === '' || ticket.status === status)
    .filter((ticket) => tag === '' || ticket.tags.includes(tag))
    .filter((ticket) => month === '' || ticket.createdAt.startsWith(`${month}-`))
    .sort((a, b) => a.id - b.id)
}

/** The file's bytes: RFC 4180, UTF-8 without a mark, the same for the same tickets. */
export function exportCsv(state: DeskState, tickets: readonly Ticket[]): string {
  const nameOf = (id: string | null) => state.agents.find((agent) => agent.id === id)?.name ?? ''
  const rows = tickets.map((ticket) => [
    String(ticket.id),
    ticket.subject,
    ticket.status,
    ticket.priority,
    ticket.requester.name,
    ticket.requester.company,
    nameOf(ticket.assignee),
    ticket.tags.join(' '),
    ticket.createdAt,
    String(ticket.messages.length),
  ])
  return [HEADINGS, ...rows].map((cells) => `${cells.map(quote).join(',')}\r\n`).join('')
}

const HEADINGS = [
  'Ticket',
  'Subject',
  'Status',
  'Priority',
  'Requester',
  'Company',
  'Assignee',
  'Tags',
  'Created',
  'Messages',
]

function quote(cell: string) {
  // A leading = or @ would be a formula to a spreadsheet.
  const plain = /^[=@+-]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
