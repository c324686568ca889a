import { CANNED } from './canned-replies.ts'
import type { DeskState, Ticket } from './desk-state.ts'
import type { SignedIn } from './signed-in.ts'

/** Makes times readable: `2 Mar 2026, 10:14` where the reader is. */
export function writeTime({ settings }: SignedIn): (at: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: settings.profile.timeZone,
  })
  return (at) => format.format(new Date(at))
}

/** A ticket as a row of a list shows it. */
export function describeRow(state: DeskState, ticket: Ticket, when: (at: string) => string) {
  const { id, subject, status, priority, requester, tags, mergedInto } = ticket
  const { name, company } = requester
  const assignee = state.agents.find((agent) => agent.id === ticket.assignee)?.name ?? null
  const updated = when(ticket.updatedAt)
  return { id, subject, status, priority, name, company, tags, assignee, updated, mergedInto }
}

/** A ticket's page: the conversation, what can be changed and what it can be changed to. */
export function describeTicket(state: DeskState, ticket: Ticket, who: SignedIn) {
  const when = writeTime(who)
  return {
    ...describeRow(state, ticket, when),
    email: ticket.requester.email,
    assigneeId: ticket.assignee ?? '',
    created: when(ticket.createdAt),
    messages: ticket.messages.map(({ kind, author, at, text, attachments }) => ({
      kind,
      author,
      at,
      when: when(at),
      text,
      attachments: attachments.map(({ id, name, bytes }) => ({ id, name, size: bytes.length })),
    })),
    agents: state.agents.map(({ id, name, team }) => ({ id, name, team })),
    canned: CANNED.map(({ name, text }) => ({
      name,
      text: text.replaceAll('{first name}', ticket.requester.name.split(' ')[0] ?? ''),
    })),
    signature: who.settings.signature,
    knownTags: knownTags(state),
  }
}

export function knownTags({ tickets }: DeskState): string[] {
  return [...new Set(tickets.flatMap(({ tags }) => tags))].sort()
}
