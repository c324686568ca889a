import type { Draw } from '../app.ts'
import type { DeskState, Message, Ticket } from './desk-state.ts'
import { fingerprint } from './expose-desk.ts'
import { drawTickets } from './seed-filler-tickets.ts'
import { AGENTS, seedSettings, WORKSPACES } from './seed-people.ts'
import { TOLD } from './seed-told-tickets.ts'

const FIRST_ID = 4061
const FILLERS = 54

type Told = (typeof TOLD)[number]

/** The desk on the morning of 2 March 2026, the same for the same draws. */
export function seedDesk(draw: Draw): DeskState {
  const told = new Set(TOLD.map(({ id }) => id))
  const ids = Array.from({ length: FILLERS + told.size }, (_, index) => FIRST_ID + index)
  const fillers = drawTickets(
    draw,
    ids.filter((id) => !told.has(id)),
  )
  const tickets = [...TOLD, ...fillers].sort((a, b) => a.id - b.id).map(makeTicket)
  const settings = Object.fromEntries(AGENTS.map((agent) => [agent.id, seedSettings(agent)]))
  return {
    agents: [...AGENTS],
    workspaces: [...WORKSPACES],
    tickets,
    settings,
    sessions: new Map(),
    serial: 1,
    seeded: {
      tickets: new Map(tickets.map((ticket) => [ticket.id, fingerprint(ticket)])),
      settings: JSON.stringify(settings),
    },
  }
}

function makeTicket(told: Told): Ticket {
  const { says, answers = [], ...rest } = told
  const messages = [says[0], answers[0], ...says.slice(1)]
    .map((text, index) => ({ text, index }))
    .filter((one): one is { text: string; index: number } => one.text !== undefined)
    .map(({ text, index }) => makeMessage(told, text, index))
  return {
    status: 'open',
    priority: 'normal',
    assignee: null,
    ...rest,
    tags: [...(rest.tags ?? [])],
    updatedAt: messages.at(-1)?.at ?? rest.createdAt,
    messages,
    mergedInto: null,
  }
}

function makeMessage(told: Told, text: string, index: number): Message {
  const hoursLater = Date.parse(told.createdAt) + index * 5 * 3_600_000
  const answering = AGENTS.find(({ id }) => id === (told.assignee ?? 'nora'))?.name ?? ''
  return {
    kind: index === 1 ? 'reply' : 'customer',
    author: index === 1 ? answering : told.requester.name,
    at: new Date(hoursLater).toISOString().replace('.000', ''),
    text,
    attachments: [],
  }
}
