import type { Settings } from './desk-state.ts'

export const TIME_ZONES = [
  'America/New_York',
  'Atlantic/Madeira',
  'Europe/Berlin',
  'Europe/Dublin',
  'Europe/Lisbon',
  'Europe/London',
  'Europe/Stockholm',
  'UTC',
] as const

const DIGESTS = ['never', 'daily', 'weekly'] as const
const SWITCHES = ['assigned', 'newTickets', 'mentions', 'overdue'] as const

/** What is wrong, by the field's name; empty = it was kept. */
export type Mistakes = Record<string, string>

const word = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

/** Keeps the profile and the signature, whole or not at all. */
export function keepProfile(settings: Settings, body: Record<string, unknown>): Mistakes {
  const mistakes: Mistakes = {}
  const displayName = word(body.displayName)
  const phone = word(body.phone)
  const timeZone = word(body.timeZone)
  const signature = word(body.signature).replaceAll('\r\n', '\n')
  if (displayName.length < 2) mistakes.displayName = 'Your name needs two letters at least.'
  if (displayName.length > 60) mistakes.displayName = 'Your name can have 60 letters at most.'
  if (!/^[+0-9 ()-]{0,24}$/.test(phone))
    mistakes.phone = 'Write the number with digits, spaces and a plus sign.'
  if (!TIME_ZONES.some((zone) => zone === timeZone)) mistakes.timeZone = 'Choose a time zone.'
  if (signature.length > 400) mistakes.signature = 'A signature can have 400 letters at most.'
  if (Object.keys(mistakes).length > 0) return mistakes
  const jobTitle = word(body.jobTitle).slice(0, 60)
  settings.profile = { displayName, jobTitle, phone, timeZone }
  settings.signature = signature
  return mistakes
}

/** Keeps the notification preferences, whole or not at all. */
export function keepNotifications(settings: Settings, body: Record<string, unknown>): Mistakes {
  const mistakes: Mistakes = {}
  const digest = DIGESTS.find((one) => one === body.digest)
  const quietFrom = word(body.quietFrom)
  const quietUntil = word(body.quietUntil)
  if (digest === undefined) mistakes.digest = 'Choose how often.'
  for (const [field, time] of Object.entries({ quietFrom, quietUntil }))
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) mistakes[field] = 'Write a time as in 07:30.'
  if (digest === undefined || Object.keys(mistakes).length > 0) return mistakes
  const switches = Object.fromEntries(SWITCHES.map((name) => [name, body[name] === true]))
  settings.notifications = { ...settings.notifications, ...switches, digest, quietFrom, quietUntil }
  return mistakes
}
