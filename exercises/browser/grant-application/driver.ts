import type { BrowserActions } from '#runner/libraries/action-surface.ts'
import type { Driver, DriverStep } from '#runner/libraries/driver.ts'

const CONTINUE = { css: '#continue', role: 'button', name: 'Save and continue' }
const SUBMIT = { css: '#submit', role: 'button', name: 'Submit application' }
const DRAFT = 'li.draft'
const TITLE = 'Winter Kitchen Songs'
const SUMMARY =
  'Twelve evenings on which people of Bodø cook for each other and teach each other the songs of their kitchens.'

const text = (css: string, name: string) => ({ css, role: 'textbox', name })

async function continueDraft(page: BrowserActions) {
  const title = await page.readText({ css: `${DRAFT} strong` })
  const id = await page.readText({ css: `${DRAFT} .quiet` })
  const name = `Continue ${title} ${id}`
  await page.click({ css: `${DRAFT} a.open`, role: 'link', name })
  await page.waitText('Who applies?')
}

/** Goes on with the draft that is there, if a try before has begun one. */
const start: DriverStep = {
  name: 'start an application',
  checkpoint: true,
  run: async (page, { origin }) => {
    await page.open(`${origin}/`)
    await page.waitText('My applications')
    if (await page.sees({ css: DRAFT })) return continueDraft(page)
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

const applicant: DriverStep = {
  name: 'fill in who applies',
  run: async (page) => {
    await goTo(page, 'applicant', 'Applicant')
    await page.check({ css: '#kind-person', role: 'radio', name: 'A person' }, true)
    await page.fill(text('#fullName', 'Full name'), 'Mira Solberg')
    await page.fill(text('#birthDay', 'Day of birth'), '17')
    await page.fill(text('#birthMonth', 'Month of birth'), '8')
    await page.fill(text('#birthYear', 'Year of birth'), '1987')
    await page.fill(text('#email', 'E-mail'), 'mira.solberg@fjordpost.example')
    await page.click(CONTINUE)
    await page.waitText('Find your address')
  },
}

/** The country is chosen with the keyboard. */
const address: DriverStep = {
  name: 'fill in the address',
  run: async (page) => {
    await goTo(page, 'address', 'Address')
    await page.fill(text('#street', 'Street and number'), 'Sjøgata 12')
    await page.fill(text('#postcode', 'Postcode'), '8006')
    await page.fill(text('#city', 'Town'), 'Bodø')
    const country = { css: '#country', role: 'combobox', name: 'Country' }
    await page.fill(country, 'Norw')
    await page.waitText('Norway', { css: '#country-list' })
    await page.press('ArrowDown', country)
    await page.press('Enter', country)
    await page.click(CONTINUE)
    await page.waitText('Project title')
  },
}

const project: DriverStep = {
  name: 'describe the project',
  run: async (page) => {
    await goTo(page, 'project', 'Project')
    await page.fill(text('#title', 'Project title'), TITLE)
    await page.select({ css: '#theme', role: 'combobox', name: 'Theme' }, 'Something else')
    await page.fill(text('#otherTheme', 'Which theme?'), 'Food and song')
    await page.fill(text('#startsOn', 'First day'), '27.04.2026')
    await page.fill(text('#endsOn', 'Last day'), '14.11.2026')
    await page.fill(text('#summary', 'Summary'), SUMMARY)
    await page.click(CONTINUE)
    await page.waitText('Total costs')
  },
}

async function writeBudget(page: BrowserActions, requested: string) {
  await goTo(page, 'budget', 'Budget')
  await page.fill(text('#total', 'Total costs in EUR'), '18400')
  await page.fill(text('#requested', 'Amount you ask for in EUR'), requested)
  await page.fill(text('#coFunder', 'Who pays the rest'), 'Bodø kommune')
  await page.click(CONTINUE)
}

/** Too much is refused; the refusal tells the most there is. */
const budget: DriverStep = {
  name: 'ask for the most that is allowed',
  run: async (page) => {
    await writeBudget(page, '16000')
    await page.waitText('We pay at most', { css: '#requested-problem' })
    const problem = await page.readText({ css: '#requested-problem' })
    const most = /at most (\d+) EUR/.exec(problem)?.[1] ?? ''
    await page.fill(text('#requested', 'Amount you ask for in EUR'), most)
    await page.click(CONTINUE)
    await page.waitText('Attach your project plan')
  },
}

const smallBudget: DriverStep = {
  name: 'ask for less than was possible',
  run: async (page) => {
    await writeBudget(page, '14000')
    await page.waitText('Attach your project plan')
  },
}

/** A plan that is attached already is replaced by the same one: its field has another name then. */
const attach: DriverStep = {
  name: 'attach the plan',
  run: async (page, { files }) => {
    await goTo(page, 'documents', 'Documents')
    const isAttached = await page.sees({ css: '#attached' })
    const name = isAttached ? 'Replace the project plan' : 'Project plan'
    await page.upload({ css: '#document', role: 'button', name }, [files['project-plan.txt'] ?? ''])
    await page.click(CONTINUE)
    await page.waitText('Read the terms')
  },
}

const terms: DriverStep = {
  name: 'read and accept the terms',
  run: async (page) => {
    await goTo(page, 'terms', 'Terms')
    const frame = '#terms'
    await page.click({ css: '#to-end', role: 'button', name: 'Go to the end of the terms', frame })
    const accept = {
      css: '#accept',
      role: 'checkbox',
      name: 'I have read and accept the terms',
      frame,
    }
    await page.check(accept, true)
    await page.waitText('Terms accepted', { css: '#terms-state' })
    await page.click(CONTINUE)
    await page.waitText('Review', { css: 'h1' })
  },
}

const correct: DriverStep = {
  name: 'correct the first day',
  run: async (page) => {
    await goTo(page, 'review', 'Review')
    await page.click({ css: '#change-project', role: 'link', name: 'Change project' })
    await page.waitText('Project', { css: 'h1' })
    await page.fill(text('#startsOn', 'First day'), '04.05.2026')
    await page.click(CONTINUE)
    await page.waitText('Budget', { css: 'h1' })
    await goTo(page, 'review', 'Review')
    await page.waitText('04.05.2026', { css: '#review-startsOn' })
  },
}

const lookOver: DriverStep = {
  name: 'look it over once more',
  checkpoint: true,
  run: async (page, { origin }) => {
    await page.open(`${origin}/`)
    await page.waitText('My applications')
    await continueDraft(page)
    await goTo(page, 'review', 'Review')
    await page.waitText(TITLE, { css: '#review-title' })
  },
}

const submit: DriverStep = {
  name: 'submit',
  run: async (page) => {
    await goTo(page, 'review', 'Review')
    const declared = {
      css: '#declared',
      role: 'checkbox',
      name: 'Everything here is true and complete',
    }
    await page.check(declared, true)
    await page.click(SUBMIT)
    await page.waitText('Reference NF-2026')
  },
  done: async (page, { origin }) => {
    await page.open(`${origin}/`)
    await page.waitText('My applications')
    return (await page.readText({ css: '.applications' })).includes(`${TITLE} NF-2026`)
  },
}

/** What whoever does not look whether it worked does: all of it again. */
const startOver: DriverStep = {
  name: 'start another one',
  run: async (page, { origin }) => {
    await page.open(`${origin}/`)
    await page.click({ css: '#start', role: 'button', name: 'Start a new application' })
    await page.waitText('Who applies?')
  },
}

const form = [start, applicant, address, project, budget, attach, terms]
const again = [startOver, applicant, address, project, budget, attach, terms, correct, submit]

export const driver: Driver = {
  steps: [...form, correct, lookOver, submit],
  wrong: {
    'left-at-review': [...form, correct],
    'first-day-not-corrected': [...form, submit],
    'submitted-twice': [...form, correct, submit, ...again],
    'less-than-allowed': [
      ...[start, applicant, address, project, smallBudget, attach, terms],
      ...[correct, submit],
    ],
    'leftover-draft': [...form, correct, submit, startOver],
  },
}
