import type { BrowserActions } from '../../../runner/libraries/action-surface.ts'
import type { Driver, DriverStep, Facts } from '../../../runner/libraries/driver.ts'

const TITLE = 'Leek sowing plan'
const TEXT = 'Sow in trays on 9 March, plant out in June.\n\nSee [[Seed order]].'
const NEW = { css: 'button[aria-label="new tiddler"]', role: 'button', name: 'new tiddler' }
const TITLE_FIELD = { css: '.tc-tiddler-edit-frame input.tc-titlebar' }
const TEXT_FIELD = { css: 'textarea', frame: '.tc-tiddler-edit-frame iframe' }
const TAG_FIELD = { css: '.tc-edit-add-tag-ui .tc-add-tag-name input' }
const TAGS = { css: '.tc-tiddler-edit-frame .tc-edit-tags' }
const SEARCH = { css: '.tc-sidebar-search input[type="search"]' }
const CONFIRM = {
  css: '.tc-tiddler-edit-frame button[aria-label="Confirm changes to this tiddler"]',
  role: 'button',
  name: 'Confirm changes to this tiddler',
}
/** The note as it is read, once the wiki has nothing left to send to its server. */
const KEPT = { css: `body:not(.tc-dirty) [data-tiddler-title="${TITLE}"].tc-tiddler-view-frame` }

async function openWiki(page: BrowserActions, { origin }: Facts) {
  await page.open(`${origin}/`)
  await page.waitText('Allotment notes', { css: '.tc-site-title' })
}

const open: DriverStep = { name: 'open the wiki', checkpoint: true, run: openWiki }

const begin: DriverStep = {
  name: 'begin a new note',
  run: async (page) => {
    if (!(await page.sees(TITLE_FIELD))) await page.click(NEW)
    await page.fill(TITLE_FIELD, TITLE)
  },
}

const write = (text = TEXT): DriverStep => ({
  name: 'write the text',
  run: (page) => page.fill(TEXT_FIELD, text),
})

const tag = (words: string): DriverStep => ({
  name: `tag it ${words}`,
  run: async (page) => {
    await page.fill(TAG_FIELD, words)
    // The button beside it is called “add” like others on the page: no role and name points at it alone.
    await page.press('Enter', TAG_FIELD)
    await page.waitText(words, TAGS)
  },
})

const save: DriverStep = {
  name: 'save the note',
  run: async (page) => {
    await page.click(CONFIRM)
    await page.waitText(TITLE, KEPT)
  },
  done: async (page, facts) => {
    await openWiki(page, facts)
    await page.fill(SEARCH, TITLE)
    await page.waitText('matches', { css: '.tc-search-results' })
    return (await page.readText({ css: '.tc-search-results' })).includes(TITLE)
  },
}

const tags = [tag('crop'), tag('late summer')]

export const driver: Driver = {
  steps: [open, begin, write(), ...tags, save],
  wrong: {
    'leaves it a draft': [open, begin, write(), ...tags],
    'forgets a tag': [open, begin, write(), tag('crop'), save],
    'makes two tags of one': [open, begin, write(), tag('crop'), tag('late'), tag('summer'), save],
    'leaves the link out': [
      open,
      begin,
      write('Sow in trays on 9 March, plant out in June.'),
      ...tags,
      save,
    ],
  },
}
