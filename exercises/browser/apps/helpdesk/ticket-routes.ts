import type { AppResponse } from '../app.ts'
import { textField } from '../kit/field.ts'
import { attachment, json, NOT_FOUND } from '../kit/respond.ts'
import type { Routes } from '../kit/route.ts'
import {
  addMessage,
  addTag,
  type By,
  changeFields,
  mergeTickets,
  type Refusal,
  removeTag,
} from './change-ticket.ts'
import { describeTicket } from './describe-ticket.ts'
import type { DeskState, Ticket } from './desk-state.ts'
import { type Asked, signedIn } from './guard.ts'

export const ticketRoutes: Routes<DeskState> = {
  'GET /api/tickets/:id': onTicket(() => null),
  'PATCH /api/tickets/:id': onTicket(({ state, request }, ticket, by) =>
    changeFields(state, ticket, request.body, by),
  ),
  'POST /api/tickets/:id/tags': onTicket(({ request }, ticket, by) =>
    addTag(ticket, textField(request, 'tag'), by),
  ),
  'DELETE /api/tickets/:id/tags/:tag': onTicket(({ params }, ticket, by) =>
    removeTag(ticket, params.tag ?? '', by),
  ),
  'POST /api/tickets/:id/messages': onTicket(({ state, request }, ticket, by) => {
    const attachments = request.files.map(({ name, type, bytes }) => {
      state.serial += 1
      return { id: `f${state.serial}`, name: name.slice(0, 120), type, bytes }
    })
    const kind = textField(request, 'kind') === 'note' ? 'note' : 'reply'
    return addMessage(ticket, { kind, text: textField(request, 'text', 6000), attachments }, by)
  }),
  'POST /api/tickets/:id/merge': onTicket(({ state, request }, ticket, by) => {
    const into = findTicket(state, textField(request, 'into'))
    return into === undefined ? 'Choose the ticket to merge into.' : mergeTickets(ticket, into, by)
  }),
  'GET /attachments/:id': signedIn(({ state, params }) => {
    const messages = state.tickets.flatMap((ticket) => ticket.messages)
    const found = messages.flatMap((one) => one.attachments).find(({ id }) => id === params.id)
    // Never shown as a page: it came from outside.
    if (found === undefined) return NOT_FOUND
    return attachment(found.name, 'application/octet-stream', found.bytes)
  }),
}

function findTicket({ tickets }: DeskState, id: string) {
  return tickets.find((ticket) => String(ticket.id) === id)
}

/** Does something to a ticket and answers how it is now, or what was wrong. */
function onTicket(act: (asked: Asked, ticket: Ticket, by: By) => Refusal) {
  return signedIn((asked): AppResponse => {
    const { state, params, tools, who } = asked
    const ticket = findTicket(state, params.id ?? '')
    if (ticket === undefined) return json({ message: 'There is no such ticket.' }, { status: 404 })
    const refusal = act(asked, ticket, {
      agent: who.settings.profile.displayName,
      at: tools.now().toISOString(),
    })
    if (refusal !== null) return json({ message: refusal }, { status: 422 })
    return json(describeTicket(state, ticket, who))
  })
}
