import type { BROWSER_FAULTS, BrowserRecord, Rung, Targeting } from '../record/index.ts'
import type { AssertionSpec } from './contract.ts'
import type { Ability } from './workflow.ts'

type Injector = (typeof BROWSER_FAULTS)[keyof typeof BROWSER_FAULTS]['by']

export const INJECTOR_LABELS: Record<Injector, string> = {
  app: 'the app server',
  browser: 'the harness, through its own connection',
  proxy: 'the proxy before the debugging port',
}

/** The recovery levels, lowest first: short form, name and description. */
export const RUNG_LABELS: Record<Rung, { short: string; word: string; meaning: string }> = {
  automatic: { short: 'L0', word: 'automatic', meaning: 'The library recovered without help.' },
  retry: { short: 'L1', word: 'retry', meaning: 'The step was retried.' },
  'new-page': { short: 'L2', word: 'new page', meaning: 'The step was retried in a new tab.' },
  reconnect: { short: 'L3', word: 'reconnect', meaning: 'The library was reconnected.' },
  'given-up': { short: 'given up', word: 'given up', meaning: 'No recovery level helped.' },
}

/** A recovery level with its number: `L1 retry`. */
export function formatRung(rung: Rung): string {
  const { short, word } = RUNG_LABELS[rung]
  return short === word ? word : `${short} ${word}`
}

export const TARGETING_LABELS: Record<Targeting, string> = {
  css: 'CSS selectors',
  role: 'ARIA role and accessible name',
  ref: 'element references from the library’s page snapshot',
  coordinates: 'coordinates on a screenshot',
}

export const DRIVEN_LABELS: Record<BrowserRecord['driven'], string> = {
  scripted: 'scripted',
  llm: 'model-driven',
}

export const REUSE_LABELS: Record<BrowserRecord['reuse'], { word: string; meaning: string }> = {
  cold: { word: 'cold', meaning: 'launched for each episode' },
  reused: { word: 'reused', meaning: 'reset between episodes' },
}

export const ABILITY_LABELS: Record<Ability, string> = {
  upload: 'upload a file',
  download: 'download a file',
  drag: 'drag and drop',
  iframe: 'act inside an iframe',
  dialog: 'handle a dialog',
}

/** Description of each kind of assertion. */
export const ASSERTION_LABELS: Record<AssertionSpec['kind'], string> = {
  state: 'Final state of the app server. It decides; other assertions corroborate it.',
  url: 'URL of the final page.',
  text: 'Visible text on the final page, or the value of a field.',
  count: 'Number of elements on the final page.',
  attribute: 'Attribute of an element on the final page.',
  network: 'Requests received by the app server.',
  download: 'Downloaded file, by digest.',
  storage: 'Cookie, or entry in local or session storage.',
  'no-dialog': 'No JavaScript dialog is open.',
  all: 'All parts pass.',
  any: 'At least one part passes.',
  not: 'The part fails; an inconclusive part stays inconclusive.',
}

/** Driver and locator strategy of a browser library: `scripted · css`; null for other subjects. */
export function formatWay(row: {
  driven: BrowserRecord['driven']
  subject: { targeting?: Targeting | undefined }
}): string | null {
  const { targeting } = row.subject
  return targeting === undefined ? null : `${DRIVEN_LABELS[row.driven]} · ${targeting}`
}
