import type { BROWSER_FAULTS, BrowserRecord, Rung, Targeting } from '../record/browser.ts'
import type { AssertionSpec } from './contract.ts'
import type { Ability } from './workflow.ts'

type Injector = (typeof BROWSER_FAULTS)[keyof typeof BROWSER_FAULTS]['by']

export const INJECTOR_WORDS: Record<Injector, string> = {
  app: 'the app’s server',
  browser: 'the harness, through its own connection',
  proxy: 'the proxy before the debugging port',
}

/** The ladder, lowest rung first: short for a cell, and in a sentence. */
export const RUNG_WORDS: Record<Rung, { short: string; word: string; meaning: string }> = {
  automatic: { short: 'L0', word: 'automatic', meaning: 'The library got over it by itself.' },
  retry: { short: 'L1', word: 'retry', meaning: 'The step was done again.' },
  'new-page': { short: 'L2', word: 'new page', meaning: 'Work went on in a new tab.' },
  reconnect: { short: 'L3', word: 'reconnect', meaning: 'The library was connected anew.' },
  'given-up': { short: 'given up', word: 'given up', meaning: 'No rung helped.' },
}

/** A rung with its number: `L1 retry`. */
export function formatRung(rung: Rung): string {
  const { short, word } = RUNG_WORDS[rung]
  return short === word ? word : `${short} ${word}`
}

export const TARGETING_WORDS: Record<Targeting, string> = {
  css: 'CSS selectors',
  role: 'ARIA role and accessible name',
  ref: 'references of the library’s own page snapshot',
}

export const DRIVEN_WORDS: Record<BrowserRecord['driven'], string> = {
  scripted: 'scripted',
  llm: 'model-driven',
}

export const REUSE_WORDS: Record<BrowserRecord['reuse'], { word: string; meaning: string }> = {
  cold: { word: 'cold', meaning: 'launched for this episode alone' },
  reused: { word: 'reused', meaning: 'reset and used again' },
}

export const ABILITY_WORDS: Record<Ability, string> = {
  upload: 'give a file to a page',
  download: 'save a file',
  drag: 'drag and drop',
  iframe: 'act inside an iframe',
  dialog: 'answer a dialog',
}

/** What each kind of assertion looks at. */
export const ASSERTION_WORDS: Record<AssertionSpec['kind'], string> = {
  state: 'What the app’s server holds at the end. It decides; the others corroborate.',
  url: 'The address of the final page.',
  text: 'Words that can be seen on the final page, or the value of a field.',
  count: 'How many elements the final page shows.',
  attribute: 'An attribute of an element of the final page.',
  network: 'Requests that reached the app’s server.',
  download: 'A file that was saved, by the digest of its bytes.',
  storage: 'A cookie, or an entry of the page’s local or session storage.',
  'no-dialog': 'No JavaScript dialog is left open.',
  all: 'Every part passes.',
  any: 'At least one part passes.',
  not: 'The part fails; an inconclusive part stays inconclusive.',
}

/** How a browser library's row was driven and how it points at elements: `scripted · css`; null for other subjects. */
export function formatWay(row: {
  driven: BrowserRecord['driven']
  subject: { targeting?: Targeting | undefined }
}): string | null {
  const { targeting } = row.subject
  return targeting === undefined ? null : `${DRIVEN_WORDS[row.driven]} · ${targeting}`
}
