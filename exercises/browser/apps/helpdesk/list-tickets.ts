import type { DeskState, Ticket } from './desk-state.ts'

export const PAGE_SIZE = 12

export type TicketFilter = {
  status: string
  assignee: string
  tag: string
  search: string
}

export function readFilter(query: URLSearchParams): TicketFilter {
  const read = (name: string) => (query.get(name) ?? '').trim()
  return {
    status: read('status'),
    assignee: read('assignee'),
    tag: read('tag').toLowerCase(),
    search: read('search').toLowerCase(),
  }
}

/** Tickets that fit, last changed first. A merged ticket is found only by its own number or status. */
export function listTickets(state: DeskState, filter: TicketFilter): Ticket[] {
  return state.tickets
    .filter((ticket) => fits(ticket, filter))
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id - a.id)
}

function fits(ticket: Ticket, { status, assignee, tag, search }: TicketFilter) {
  if (status !== '' && ticket.status !== status) return false
  if (assignee === 'none' && ticket.assignee !== null) return false
  if (assignee !== '' && assignee !== 'none' && ticket.assignee !== assignee) return false
  if (tag !== '' && !ticket.tags.includes(tag)) return false
  return search === '' || wordsOf(ticket).includes(search.replace(/^#/, ''))
}

/** What the search looks through: number, subject, people, tags and everything that was written. */
function wordsOf({ id, subject, requester, tags, messages }: Ticket) {
  const written = messages.map(({ text }) => text)
  return [String(id), subject, requester.name, requester.company, ...tags, ...written]
    .join('\n')
    .toLowerCase()
}
