import {
  type Attachment,
  type DeskState,
  type Message,
  PRIORITIES,
  STATUSES,
  type Ticket,
} from './desk-state.ts'

/** Null = done; otherwise one sentence for the person who asked. */
export type Refusal = string | null

/** Who changes something, and when. */
export type By = { agent: string; at: string }

const MERGED = 'This ticket was merged into another one and cannot be changed.'

/** Changes status, priority or assignee; whatever is not given stays. */
export function changeFields(
  state: DeskState,
  ticket: Ticket,
  fields: Record<string, unknown>,
  { at }: By,
): Refusal {
  if (ticket.mergedInto !== null) return MERGED
  const status = STATUSES.find((one) => one === fields.status)
  const priority = PRIORITIES.find((one) => one === fields.priority)
  const assignee = state.agents.find(({ id }) => id === fields.assignee)?.id ?? null
  if (fields.status !== undefined && status === undefined) return 'There is no such status.'
  if (fields.priority !== undefined && priority === undefined) return 'There is no such priority.'
  if (fields.assignee !== undefined && fields.assignee !== '' && assignee === null)
    return 'There is no such colleague.'
  ticket.status = status ?? ticket.status
  ticket.priority = priority ?? ticket.priority
  if (fields.assignee !== undefined) ticket.assignee = assignee
  ticket.updatedAt = at
  return null
}

export function addTag(ticket: Ticket, words: string, { at }: By): Refusal {
  const tag = words.trim().toLowerCase().replaceAll(/\s+/g, '-')
  if (ticket.mergedInto !== null) return MERGED
  if (!/^[a-z0-9-]{2,24}$/.test(tag)) return 'A tag has 2 to 24 letters, digits or hyphens.'
  if (ticket.tags.includes(tag)) return `This ticket already has the tag ${tag}.`
  if (ticket.tags.length >= 12) return 'A ticket can have 12 tags at most.'
  ticket.tags.push(tag)
  ticket.updatedAt = at
  return null
}

export function removeTag(ticket: Ticket, tag: string, { at }: By): Refusal {
  if (ticket.mergedInto !== null) return MERGED
  ticket.tags = ticket.tags.filter((one) => one !== tag)
  ticket.updatedAt = at
  return null
}

export type Draft = { kind: 'reply' | 'note'; text: string; attachments: Attachment[] }

/** Sends a reply to the customer, or keeps a note that only colleagues see. */
export function addMessage(ticket: Ticket, draft: Draft, { agent, at }: By): Refusal {
  const text = draft.text.replaceAll('\r\n', '\n').trim()
  if (ticket.mergedInto !== null) return MERGED
  if (ticket.status === 'closed' && draft.kind === 'reply')
    return 'This ticket is closed. Open it again to reply.'
  if (text === '') return draft.kind === 'reply' ? 'Write a reply first.' : 'Write a note first.'
  if (text.length > 5000) return 'A message can have 5000 letters at most.'
  if (draft.attachments.some(({ bytes }) => bytes.length > 2_000_000))
    return 'An attachment can have 2 MB at most.'
  push(ticket, { ...draft, text, author: agent, at })
  return null
}

/** Closes `from` for good and notes it in both; the messages of `from` stay where they are. */
export function mergeTickets(from: Ticket, into: Ticket, { agent, at }: By): Refusal {
  if (from.id === into.id) return 'A ticket cannot be merged into itself.'
  if (from.mergedInto !== null) return MERGED
  if (into.mergedInto !== null) return `Ticket #${into.id} was itself merged into another one.`
  from.mergedInto = into.id
  from.status = 'closed'
  push(from, note(agent, at, `Merged into ticket #${into.id}.`))
  push(into, note(agent, at, `Ticket #${from.id} was merged into this one.`))
  return null
}

function note(author: string, at: string, text: string): Message {
  return { kind: 'event', author, at, text, attachments: [] }
}

function push(ticket: Ticket, message: Message) {
  ticket.messages.push(message)
  ticket.updatedAt = message.at
}
