export const STATUSES = ['open', 'pending', 'solved', 'closed'] as const
export type Status = (typeof STATUSES)[number]

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof PRIORITIES)[number]

export type Attachment = { id: string; name: string; type: string; bytes: Buffer }

export type Message = {
  /** `event`: what the desk itself notes, such as a merge. */
  kind: 'customer' | 'reply' | 'note' | 'event'
  author: string
  at: string
  text: string
  attachments: Attachment[]
}

export type Ticket = {
  id: number
  subject: string
  requester: { name: string; email: string; company: string }
  status: Status
  priority: Priority
  assignee: string | null
  tags: string[]
  createdAt: string
  updatedAt: string
  messages: Message[]
  /** The ticket it was merged into; such a ticket is closed for good. */
  mergedInto: number | null
}

export type Agent = { id: string; name: string; email: string; password: string; team: string }

export type Settings = {
  profile: { displayName: string; jobTitle: string; phone: string; timeZone: string }
  signature: string
  notifications: {
    assigned: boolean
    newTickets: boolean
    mentions: boolean
    overdue: boolean
    digest: 'never' | 'daily' | 'weekly'
    quietFrom: string
    quietUntil: string
  }
}

export type Workspace = { id: string; name: string; detail: string }

/** Signed in with the password; `workspace` is null until one was chosen. */
export type DeskSession = { agent: string; workspace: string | null }

export type DeskState = {
  agents: Agent[]
  workspaces: Workspace[]
  tickets: Ticket[]
  settings: Record<string, Settings>
  sessions: Map<string, DeskSession>
  /** Counted up for whatever needs an id of its own. */
  serial: number
  /** As the tenant began, to tell what was changed. */
  seeded: { tickets: Map<number, string>; settings: string }
}
