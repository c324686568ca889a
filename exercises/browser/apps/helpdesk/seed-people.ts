import type { Agent, Settings, Workspace } from './desk-state.ts'

export const AGENTS: readonly Agent[] = [
  {
    id: 'nora',
    name: 'Nora Lindqvist',
    email: 'nora@relaydesk.example',
    password: 'maple-quartz-41',
    team: 'Support',
  },
  {
    id: 'priya',
    name: 'Priya Raman',
    email: 'priya@relaydesk.example',
    password: 'harbour-violet-7',
    team: 'Billing',
  },
  {
    id: 'tomas',
    name: 'Tomás Ferreira',
    email: 'tomas@relaydesk.example',
    password: 'copper-lantern-12',
    team: 'Logistics',
  },
  {
    id: 'tom',
    name: 'Tom Fersen',
    email: 'tom.fersen@relaydesk.example',
    password: 'willow-anchor-88',
    team: 'Support',
  },
]

export const WORKSPACES: readonly Workspace[] = [
  { id: 'harrow', name: 'Harrow & Pine', detail: 'Furniture, Europe' },
  { id: 'harrow-trade', name: 'Harrow & Pine Trade', detail: 'Dealers and offices' },
]

export function seedSettings({ name, team }: Agent): Settings {
  return {
    profile: {
      displayName: name,
      jobTitle: `${team} specialist`,
      phone: '+46 8 555 01 20',
      timeZone: 'Europe/Stockholm',
    },
    signature: `Kind regards,\n${name}`,
    notifications: {
      assigned: true,
      newTickets: true,
      mentions: true,
      overdue: false,
      digest: 'daily',
      quietFrom: '20:00',
      quietUntil: '07:00',
    },
  }
}
