import type { BrowserActions, Target } from '../../../../runner/libraries/action-surface.ts'
import type { Facts } from '../../../../runner/libraries/driver.ts'

/** What a driver of the helpdesk points at, by the page's own markup and by what a screen reader calls it. */
export const EMAIL: Target = { css: '#email', role: 'textbox', name: 'E-mail address' }
const PASSWORD: Target = { css: '#password', role: 'textbox', name: 'Password' }
export const SEARCH: Target = { css: '#search', role: 'searchbox', name: 'Search tickets' }
export const FOUND: Target = { css: '#found' }
export const HEADING: Target = { css: '#heading' }
export const SUMMARY: Target = { css: '#summary' }
export const TAGS: Target = { css: '#tags' }
export const CONVERSATION: Target = { css: '#conversation' }
export const MESSAGE: Target = { css: '#message', role: 'textbox', name: 'Your reply' }
export const SEND: Target = { css: '#send', role: 'button', name: 'Send reply' }
export const STATUS: Target = { css: '#status', role: 'combobox', name: 'Status' }

export const link = (css: string, name: string): Target => ({ css, role: 'link', name })
export const button = (css: string, name: string): Target => ({ css, role: 'button', name })
export const field = (css: string, name: string): Target => ({ css, role: 'textbox', name })
export const choice = (css: string, name: string): Target => ({ css, role: 'combobox', name })

/** Opens the helpdesk where the task begins and signs in as Nora if it asks for that. */
export async function enter(page: BrowserActions, { origin }: Facts, start = '/inbox') {
  await page.open(`${origin}${start}`)
  const { pathname } = new URL(await page.url())
  if (pathname === '/signin') {
    await page.fill(EMAIL, 'nora@relaydesk.example')
    await page.fill(PASSWORD, 'maple-quartz-41')
    await page.click(button('#sign-in', 'Sign in'))
  }
  if (pathname.startsWith('/signin')) await chooseWorkspace(page)
  await page.waitText('Relay', { css: 'body > header' })
}

async function chooseWorkspace(page: BrowserActions) {
  const harrow = { css: '#workspace-harrow', role: 'radio', name: 'Harrow & Pine' }
  await page.check(harrow, true)
  await page.click(button('#continue', 'Continue'))
}

/** A ticket as the inbox names it: its number and subject. */
export type Found = { id: number; words: string }

/** Searches in the inbox and reads what is found, newest change first. */
export async function search(page: BrowserActions, words: string): Promise<Found[]> {
  await page.fill(SEARCH, words)
  await page.waitText(`for “${words}”`, FOUND)
  const total = Number.parseInt(await page.readText(FOUND), 10)
  const found: Found[] = []
  for (let place = 1; place <= Math.min(total, 12); place++) {
    const text = await page.readText({ css: `#tickets li:nth-child(${place}) a` })
    found.push({ id: Number(/^#(\d+)/.exec(text)?.[1]), words: text })
  }
  return found
}

/** Opens a ticket from the inbox and waits for its conversation. */
export async function openTicket(page: BrowserActions, { id, words }: Found) {
  await page.click(link(`#ticket-${id}`, words))
  await page.waitText(`Ticket #${id}`, HEADING)
  await page.waitText('wrote', CONVERSATION)
}

/** The only ticket that fits, or the one of several that `choose` takes. */
export async function findTicket(
  page: BrowserActions,
  facts: Facts,
  words: string,
  choose: (found: Found[]) => Found | undefined = ([first]) => first,
) {
  await enter(page, facts)
  const found = choose(await search(page, words))
  if (found === undefined) throw new Error(`no ticket was found for “${words}”`)
  await openTicket(page, found)
  return found
}
