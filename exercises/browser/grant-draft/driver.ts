import type { BrowserActions } from '#runner/libraries/action-surface.ts'
import type { Driver, DriverStep } from '#runner/libraries/driver.ts'

const CONTINUE = { css: '#continue', role: 'button', name: 'Save and continue' }
const DRAFT = 'li.draft'

const text = (css: string, name: string) => ({ css, role: 'textbox', name })

/** Goes on with the draft that is there, if a try before has begun one. */
const start: DriverStep = {
  name: 'start an application',
  checkpoint: true,
  run: async (page, { origin }) => {
    await page.open(`${origin}/`)
    await page.waitText('My applications')
    if (await page.sees({ css: DRAFT })) {
      const title = await page.readText({ css: `${DRAFT} strong` })
      const id = await page.readText({ css: `${DRAFT} .quiet` })
      const name = `Continue ${title} ${id}`
      await page.click({ css: `${DRAFT} a.open`, role: 'link', name })
    } else {
      await page.click({ css: '#start', role: 'button', name: 'Start a new application' })
    }
    await page.waitText('Who applies?')
  },
}

const startAgain: DriverStep = {
  name: 'start another one',
  run: async (page, { origin }) => {
    await page.open(`${origin}/`)
    await page.click({ css: '#start', role: 'button', name: 'Start a new application' })
    await page.waitText('Who applies?')
  },
}

/** Every step has its page; the way there is the list of steps. */
async function goTo(page: BrowserActions, step: string, name: string) {
  if ((await page.url()).endsWith(`/${step}`)) return
  await page.click({ css: `#to-${step}`, role: 'link', name })
  await page.waitText(name, { css: 'h1' })
}

const applicant = (organisation: string): DriverStep => ({
  name: 'fill in who applies',
  run: async (page) => {
    await goTo(page, 'applicant', 'Applicant')
    await page.check({ css: '#kind-organisation', role: 'radio', name: 'An organisation' }, true)
    const field = { css: '#organisation', role: 'combobox', name: 'Organisation' }
    await page.fill(field, 'Nordlys')
    const option = `#organisation-list [data-label="${organisation}"]`
    await page.waitText(organisation, { css: '#organisation-list' })
    await page.click({ css: option, role: 'option', name: organisation })
    await page.fill(text('#role', 'Your role there'), 'Treasurer')
    await page.fill(text('#fullName', 'Full name'), 'Mira Solberg')
    await page.fill(text('#birthDay', 'Day of birth'), '17')
    await page.fill(text('#birthMonth', 'Month of birth'), '8')
    await page.fill(text('#birthYear', 'Year of birth'), '1987')
    await page.fill(text('#email', 'E-mail'), 'mira@nordlys.example')
    await page.click(CONTINUE)
    await page.waitText('Find your address')
  },
})

const address = (choice: string): DriverStep => ({
  name: 'fill in the address',
  run: async (page) => {
    await goTo(page, 'address', 'Address')
    await page.fill({ css: '#find', role: 'combobox', name: 'Find your address' }, 'Storgata 4')
    await page.waitText(choice, { css: '#find-list' })
    const option = `#find-list [data-label="${choice}"]`
    await page.click({ css: option, role: 'option', name: choice })
    await page.click(CONTINUE)
    await page.waitText('Project title')
  },
})

/** The page stays open until it says that it has saved. */
const project: DriverStep = {
  name: 'begin to describe the project',
  run: async (page) => {
    await goTo(page, 'project', 'Project')
    await page.fill(text('#title', 'Project title'), 'Midnight Sun Library')
    await page.select({ css: '#theme', role: 'combobox', name: 'Theme' }, 'Reading')
    await page.waitText('Saved at', { css: '#saved' })
    await page.open(await page.url())
    await page.waitText('Project title')
    const kept = await page.readText(text('#title', 'Project title'))
    if (kept !== 'Midnight Sun Library') throw new Error(`the draft kept “${kept}” as its title`)
  },
}

const typeOnly: DriverStep = {
  name: 'type the title and leave at once',
  run: async (page, { origin }) => {
    await goTo(page, 'project', 'Project')
    await page.fill(text('#title', 'Project title'), 'Midnight Sun Library')
    await page.open(`${origin}/`)
  },
}

const TROMSO = 'Nordlys Kulturforening, Tromsø'
const HOME = 'Storgata 4, 8006 Bodø, Norway'

export const driver: Driver = {
  steps: [start, applicant(TROMSO), address(HOME), project],
  wrong: {
    'first-organisation-of-the-list': [
      start,
      applicant('Nordlys Kulturforening, Bodø'),
      address(HOME),
      project,
    ],
    'first-address-of-the-list': [
      start,
      applicant(TROMSO),
      address('Storgata 4, 9008 Tromsø, Norway'),
      project,
    ],
    'two-drafts': [start, startAgain, applicant(TROMSO), address(HOME), project],
    'left-before-it-was-saved': [start, applicant(TROMSO), address(HOME), typeOnly],
    'project-forgotten': [start, applicant(TROMSO), address(HOME)],
  },
}
