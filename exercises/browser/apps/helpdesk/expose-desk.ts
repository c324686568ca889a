import { createHash } from 'node:crypto'
import type { DeskState, Message, Ticket } from './desk-state.ts'

/**
 * What contracts are judged by: `changed` holds every ticket that is not as it was seeded, with what was added to it,
 * and nothing else; `settings` the settings of everybody; `changedSettings` those that are not as they were.
 */
export function exposeDesk(state: DeskState) {
  const { tickets, settings, seeded } = state
  return {
    tickets: tickets.length,
    changed: tickets.filter((one) => isChanged(state, one)).map((one) => describe(state, one)),
    settings,
    changedSettings: changesOf(JSON.parse(seeded.settings), settings),
  }
}

/** Opening and looking changes nothing, so a ticket is compared by all that it holds but the time of its last change. */
export function fingerprint(ticket: Ticket): string {
  const { updatedAt: _, messages, ...rest } = ticket
  return JSON.stringify({ ...rest, tags: [...ticket.tags].sort(), messages: messages.length })
}

function isChanged({ seeded }: DeskState, ticket: Ticket) {
  return seeded.tickets.get(ticket.id) !== fingerprint(ticket)
}

function describe({ seeded }: DeskState, ticket: Ticket) {
  const before: { messages: number } = JSON.parse(seeded.tickets.get(ticket.id) ?? '{"messages":0}')
  const { id, status, priority, assignee, tags, mergedInto, messages } = ticket
  const added = messages.slice(before.messages).map(describeMessage)
  return { id, status, priority, assignee, tags: [...tags].sort(), mergedInto, added }
}

function describeMessage({ kind, author, text, attachments }: Message) {
  const files = attachments.map(({ name, bytes }) => ({
    name,
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  }))
  return { kind, author, text, attachments: files }
}

/** Every value that differs, by its path: `nora.profile.timeZone`. */
function changesOf(before: unknown, now: unknown, path = ''): Record<string, unknown> {
  if (typeof now !== 'object' || now === null) return before === now ? {} : { [path]: now }
  const was = (before ?? {}) as Record<string, unknown>
  const changes = Object.entries(now).map(([key, value]) =>
    changesOf(was[key], value, path === '' ? key : `${path}.${key}`),
  )
  return Object.assign({}, ...changes)
}
