import { evidenceLabelSchema } from '../../eligibility/index.ts'
import {
  isScored,
  OUTCOME_STATUSES,
  type OutcomeStatus,
  outcomeSchema,
  PROVENANCE_LEVELS,
} from '../../record/index.ts'
import {
  ASSERTION_LABELS,
  formatRung,
  INJECTOR_LABELS,
  RUNG_LABELS,
  TARGETING_LABELS,
  type Thresholds,
} from '../../tasks/index.ts'
import { AXES, AXIS_ROLES } from '../axis-report.ts'
import {
  listStricter,
  METHODOLOGY_CONSTANTS,
  type MethodologyConstants,
  type MethodologyInput,
} from './methodology-constants.ts'
import { pageTexts, percentText } from './page-texts.ts'
import {
  type Block,
  METHODOLOGY_SLUGS,
  type MethodologyPage,
  type MethodologySlug,
  type Placeholders,
  parsePage,
} from './parse-page.ts'
import { simulationBlocks } from './simulation-tables.ts'
import type { Threat } from './threats.ts'

/** Reads the Markdown of a page. */
export type ReadMethodologyText = (name: MethodologySlug | 'index') => string

/** Returns the pages of the methodology by slug, in the order of the index, with constants and suites filled in. */
export function openMethodology(
  read: ReadMethodologyText,
  given: Pick<MethodologyInput, 'words' | 'suites'>,
): Map<MethodologySlug, MethodologyPage> {
  const input = { ...given, constants: METHODOLOGY_CONSTANTS }
  const placeholders = { texts: pageTexts(input), blocks: pageBlocks(input) }
  return new Map(METHODOLOGY_SLUGS.map((slug) => [slug, parsePage(read(slug), placeholders)]))
}

/** Returns the introduction to the methodology. `row` = placeholders of the example. */
export function openMethodologyIndex(
  read: ReadMethodologyText,
  words: MethodologyInput['words'],
  row: Record<string, string>,
): MethodologyPage {
  const texts = pageTexts({ constants: METHODOLOGY_CONSTANTS, words, suites: [] })
  return parsePage(read('index'), { texts: { ...texts, ...row }, blocks: {} })
}

/** Builds the lists and tables for the pages' placeholders from the values that the code uses. */
export function pageBlocks(input: MethodologyInput): Placeholders['blocks'] {
  const { constants, words } = input
  return {
    ...simulationBlocks(constants),
    ...threatBlocks(constants, words),
    ...ruleBlocks(constants),
    ...browserBlocks(constants),
    ...wordBlocks(words),
    settings: settingTerms(constants),
    thresholdTable: thresholdTable(input),
    findings: terms(
      'finding',
      constants.findings.map(({ code, meaning }) => ({ key: code, text: meaning })),
    ),
    axes: terms(
      'axis',
      AXES.map(({ slug, letters, title, role, why }) => ({
        key: slug,
        term: [letters.join('/'), title].filter(Boolean).join(' · '),
        text: why,
        mark: AXIS_ROLES[role],
      })),
    ),
  }
}

function settingTerms({ settings: { list, nearShare } }: MethodologyConstants): Block {
  const separates = {
    exact: 'Another value is another entry.',
    near: `Values that differ by more than ${percentText(nearShare)} are different entries.`,
    none: 'Any value may share an entry.',
  }
  return terms(
    'setting',
    list.map(({ key, name, sameRow }) => ({ key, term: name, text: separates[sameRow ?? 'none'] })),
  )
}

/** All evidence rules, and subsets for some sections. */
function ruleBlocks({ policy, rules }: MethodologyConstants): Record<string, Block> {
  const list = (prefix: string, isIn: (code: string) => boolean) =>
    terms(
      prefix,
      rules
        .filter(({ code }) => isIn(code))
        .map(({ code, demand, fromSeed }) => ({
          key: code,
          text: demand(policy),
          mark: fromSeed ? 'seed' : null,
        })),
    )
  return {
    rules: list('gate', () => true),
    isolationRules: list('isolation-rule', (code) => code === 'answers-out-of-reach'),
    findingRules: list('finding-rule', (code) => code === 'integrity'),
    faultRules: list('fault-rule', (code) => code.startsWith('fault-')),
  }
}

function wordBlocks(words: MethodologyInput['words']): Record<string, Block> {
  return {
    outcomes: terms(
      'outcome',
      OUTCOME_STATUSES.map((status) => ({
        key: status,
        term: words.outcomes[status].word,
        text: meaningOf(status, words),
        mark: counts(status),
      })),
    ),
    labels: terms(
      'label',
      evidenceLabelSchema.options.map((label) => ({
        key: label,
        term: words.labels[label].word,
        text: words.labels[label].meaning,
      })),
    ),
    provenance: terms(
      'provenance',
      PROVENANCE_LEVELS.map((name) => {
        const { level, word, meaning } = words.provenance[name]
        return { key: name, term: `${level} ${word}`, text: meaning }
      }),
    ),
  }
}

function counts(status: OutcomeStatus): string {
  if (status === 'solved') return 'a success'
  return isScored(status) ? 'a failure' : 'excluded from scoring'
}

/** Lists the causes of an outcome if they are a closed list, otherwise describes it. */
function meaningOf(status: OutcomeStatus, words: MethodologyInput['words']): string {
  for (const { shape } of outcomeSchema.options) {
    if (shape.status.value !== status) continue
    if ('budget' in shape) return `A limit was reached: ${shape.budget.options.join(', ')}.`
    if ('fault' in shape) return `One of these failed: ${shape.fault.options.join(', ')}.`
  }
  return words.outcomes[status].meaning
}

function browserBlocks({ browser }: MethodologyConstants): Record<string, Block> {
  return {
    assertions: terms(
      'assertion',
      browser.assertions.map((kind) => ({ key: kind, text: ASSERTION_LABELS[kind] })),
    ),
    targetings: terms(
      'targeting',
      browser.targetings.map((targeting) => ({
        key: targeting,
        text: `Elements are located by ${TARGETING_LABELS[targeting]}.`,
      })),
    ),
    faults: terms(
      'fault',
      Object.entries(browser.faults).map(([kind, { what, by }]) => ({
        key: kind,
        text: what,
        mark: INJECTOR_LABELS[by],
      })),
    ),
    rungs: terms(
      'rung',
      browser.rungs.map((rung) => ({
        key: rung,
        term: formatRung(rung),
        text: RUNG_LABELS[rung].meaning,
      })),
    ),
  }
}

const THRESHOLD_WORDS: Record<keyof Thresholds, string> = {
  aggregateEpisodes: 'Minimum scored episodes for an aggregate',
  perTaskEpisodes: 'Minimum scored episodes for a claim or chart about one task',
  voidShare: 'Maximum share of excluded episodes',
}

/** Thresholds of the policy, and of suites with stricter ones. */
function thresholdTable(input: MethodologyInput): Block {
  const { thresholds } = input.constants.policy
  const stricter = listStricter(input)
  const show = (name: keyof Thresholds, value: number) =>
    name === 'voidShare' ? percentText(value) : String(value)
  const names = Object.keys(THRESHOLD_WORDS) as (keyof Thresholds)[]
  return {
    kind: 'table',
    caption: 'Thresholds of the policy and of stricter suites',
    head: ['Threshold', 'Policy', ...stricter.map(({ title }) => title)],
    rows: names.map((name) => [
      THRESHOLD_WORDS[name],
      ...[{ thresholds }, ...stricter].map((one) => show(name, one.thresholds[name])),
    ]),
  }
}

/** Outcomes, findings and rules that show each class of attack. */
function threatBlocks(
  { threats }: MethodologyConstants,
  words: MethodologyInput['words'],
): Record<string, Block> {
  return Object.fromEntries(
    threats.map((threat) => [`threat-${threat.id}`, text(factsOf(threat, words))]),
  )
}

function factsOf(
  { outcomes, findings, rules, audit }: Threat,
  words: MethodologyInput['words'],
): string {
  const listed = (label: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${label}: ${names.join(', ')}.`]
  const outcomeWords = outcomes.map((status) => words.outcomes[status].word)
  return [
    ...listed('Outcome', outcomeWords),
    ...listed('Findings', findings),
    ...listed('Evidence rules', rules),
    audit.length === 0 ? 'Not covered by the audit.' : `Covered by the audit: ${audit.join(', ')}.`,
  ].join(' ')
}

function text(value: string): Block {
  return { kind: 'text', spans: [{ kind: 'plain', text: value }] }
}

type Term = { key: string; term?: string; text: string; mark?: string | null }

/** Builds a list of terms with the ids `prefix-key`. */
function terms(prefix: string, items: readonly Term[]): Block {
  return {
    kind: 'terms',
    items: items.map(({ key, term = key, text: meaning, mark = null }) => ({
      id: `${prefix}-${key}`,
      term,
      mark,
      spans: [{ kind: 'plain', text: meaning }],
    })),
  }
}
