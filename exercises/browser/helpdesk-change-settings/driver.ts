import type { BrowserActions } from '../../../runner/libraries/action-surface.ts'
import type { Driver, DriverStep, Facts } from '../../../runner/libraries/driver.ts'
import { button, choice, enter, field, link } from '../apps/helpdesk/desk-steps.ts'

const ZONE = choice('#timeZone', 'Time zone')
const SIGNATURE = field('#signature', 'Signature')
const DIGEST = choice('#digest', 'Summary')
const SAVE = button('#save', 'Save changes')
const SAVED = { css: '#saved' }
const WORDS = 'Best wishes,\nNora from Harrow & Pine'
const tick = (id: string, name: string) => ({ css: `#${id}`, role: 'checkbox', name })

/** Goes to a section of the settings as a user does, signing in where that is asked for. */
async function openSection(page: BrowserActions, facts: Facts, section: string) {
  await enter(page, facts)
  await page.click(link('#nav-settings', 'Settings'))
  await page.waitText('Profile', { css: '#view h2' })
  if (section === 'Profile') return
  await page.click(link('#tab-notifications', 'Notifications'))
  await page.waitText('Notifications', { css: '#view h2' })
}

async function save(page: BrowserActions) {
  await page.click(SAVE)
  await page.waitText('All changes saved', SAVED)
}

const signIn: DriverStep = {
  name: 'sign in',
  checkpoint: true,
  run: (page, facts) => enter(page, facts),
}

const changeProfile = (zone = 'Europe/Lisbon', isSaved = true): DriverStep => ({
  name: 'change the profile',
  checkpoint: true,
  run: async (page, facts) => {
    await openSection(page, facts, 'Profile')
    await page.select(ZONE, zone)
    await page.fill(SIGNATURE, WORDS)
    if (isSaved) await save(page)
  },
  done: async (page, facts) => {
    await openSection(page, facts, 'Profile')
    const lines = await page.readText(SIGNATURE)
    return lines.startsWith('Best wishes') && (await page.readText(ZONE)).includes(zone)
  },
})

const changeNotifications = (
  off = tick('newTickets', 'New tickets'),
  isSaved = true,
): DriverStep => ({
  name: 'change the notifications',
  checkpoint: true,
  run: async (page, facts) => {
    await openSection(page, facts, 'Notifications')
    await page.check(off, false)
    await page.check(tick('overdue', 'Overdue tickets'), true)
    await page.select(DIGEST, 'Every Monday')
    if (isSaved) await save(page)
  },
  done: async (page, facts) => {
    await openSection(page, facts, 'Notifications')
    return /weekly|Every Monday$/.test(await page.readText(DIGEST))
  },
})

export const driver: Driver = {
  steps: [signIn, changeProfile(), changeNotifications()],
  wrong: {
    'saves only the profile': [signIn, changeProfile(), changeNotifications(undefined, false)],
    'never saves': [signIn, changeProfile(undefined, false), changeNotifications(undefined, false)],
    'takes the neighbouring time zone': [
      signIn,
      changeProfile('Europe/London'),
      changeNotifications(),
    ],
    'switches the wrong notification off': [
      signIn,
      changeProfile(),
      changeNotifications(tick('mentions', 'Mentions')),
    ],
  },
}
