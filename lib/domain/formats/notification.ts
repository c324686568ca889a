import { cutText, escapeMarkup } from '../text/index.ts'

/** A message of a board to a webhook. Its texts are plain and untrusted. */
export type Notification = {
  /** The same each time that it is sent. */
  id: string
  kind: 'run-ended' | 'run-paused' | 'entry-changed'
  at: string
  title: string
  text: string
  /** The page of the board that says more. */
  url: string
}

const MAX_CHARACTERS = 1000

/** The body of a notification: its members as JSON, or a message as Slack reads it. */
export function notificationBody(notification: Notification, isSlack: boolean): string {
  const title = plain(notification.title)
  const text = plain(notification.text)
  if (!isSlack) return JSON.stringify({ version: 1, ...notification, title, text })
  const link = `<${notification.url}|${slackText(title)}>`
  return JSON.stringify({ text: [link, slackText(text)].filter(Boolean).join('\n') })
}

/** One line without characters that hide or reorder text. */
function plain(text: string): string {
  return cutText(text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' '), MAX_CHARACTERS)
}

/** Slack reads these three as markup. */
function slackText(text: string): string {
  return text.replace(/[&<>]/g, escapeMarkup)
}
