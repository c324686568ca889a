import { describe, expect, it } from 'vitest'
import {
  EXAMPLE,
  MARKDOWN,
  openPages,
  placeholdersOf,
} from '#lib/testing/factories/methodology-pages.ts'
import {
  evidenceLabelSchema,
  POLICY,
  RULE_CODES,
  type Rule,
  type RuleCode,
  tightenPolicy,
} from '../../eligibility/index.ts'
import { ledgerActionSchema } from '../../ledger/index.ts'
import { failureCategorySchema, OUTCOME_STATUSES, PROVENANCE_LEVELS } from '../../record/index.ts'
import { SETTING_LIST } from '../../settings/index.ts'
import { AXIS_SLUGS } from '../axis-report.ts'
import { FINDINGS } from './findings.ts'
import { METHODOLOGY_CONSTANTS, type MethodologyConstants } from './methodology-constants.ts'
import {
  type Block,
  METHODOLOGY_SLUGS,
  type MethodologySection,
  parsePage,
  plainText,
} from './parse-page.ts'
import { THREATS } from './threats.ts'

const build = (...input: Parameters<typeof openPages>) =>
  [...openPages(...input).values()].flatMap(({ sections }) => sections)

/** Returns the visible text without formulas, which contain the numbers of algebra. */
function proseOf(block: Block): string[] {
  switch (block.kind) {
    case 'text':
      return [plainText(block.spans)]
    case 'heading':
      return [block.title]
    case 'formula':
      return []
    case 'terms':
      return block.items.flatMap(({ term, spans, mark }) => [term, plainText(spans), mark ?? ''])
    case 'table':
      return [block.caption, ...block.head, ...block.rows.flat()]
  }
}
const linesOf = (sections: readonly MethodologySection[]) =>
  sections.flatMap(({ title, blocks }) => [title, ...blocks.flatMap(proseOf)])
const idsOf = (sections: readonly MethodologySection[]) =>
  sections.flatMap(({ id, blocks }) => [
    id,
    ...blocks.flatMap((block) => {
      if (block.kind === 'heading') return [block.id]
      return block.kind === 'terms' ? block.items.flatMap((item) => item.id ?? []) : []
    }),
  ])
const section = (sections: readonly MethodologySection[], id: string) =>
  linesOf(sections.filter((one) => one.id === id)).join('\n')

/** Replaces every number within a value, also in texts; values that are not plain data stay. */
function withOtherNumbers<T>(value: T): T {
  const change = (inner: unknown): unknown => {
    if (typeof inner === 'number') return Number.isInteger(inner) ? inner + 3 : inner * 0.3
    if (typeof inner === 'string')
      return inner.replace(/\d+(?:,\d{3})*/g, (digits) =>
        String(Number(digits.replaceAll(',', '')) + 3),
      )
    if (Array.isArray(inner)) return inner.map(change)
    if (inner === null || typeof inner !== 'object') return inner
    return Object.fromEntries(Object.entries(inner).map(([key, member]) => [key, change(member)]))
  }
  return change(value) as T
}

/** Names with a digit, and terms of a formula, are not settings. */
const NAMES = /SHA-256|\bL\d\b|\bT − 1\b|\bn \+ 1\b/g
/** The pages describe each of these in a text of its own, with an anchor. */
const NAMED = ['threats', 'isolationLevels', 'verifierSandboxes']
const numbersOf = (line: string) => line.replace(NAMES, '').match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? []

describe('the methodology', () => {
  it('speaks no number that is not read from a constant', () => {
    const { rules, ...numbers } = METHODOLOGY_CONSTANTS
    const plain = linesOf(build())
    const other = linesOf(build({ ...withOtherNumbers(numbers), rules }))
    expect(other).toHaveLength(plain.length)
    const stuck = plain.flatMap((line, index) => {
      const [before, after] = [numbersOf(line), numbersOf(other[index] ?? '')]
      return before.filter((value, place) => value === after[place]).map((value) => [value, line])
    })
    expect(stuck).toEqual([])
    expect(plain.flatMap(numbersOf).length).toBeGreaterThan(50)
  })

  it('has no marks of a formula in its prose, which shows them as they are', () => {
    expect(linesOf(build()).filter((line) => /[_^]\{/.test(line))).toEqual([])
  })

  const keys = Object.keys(METHODOLOGY_CONSTANTS) as (keyof MethodologyConstants)[]
  it.each(keys.filter((key) => !NAMED.includes(key)))('changes when %s change', (key) => {
    const value: unknown = METHODOLOGY_CONSTANTS[key]
    const changed = Array.isArray(value) ? value.slice(1) : withOtherNumbers(value)
    expect(build({ [key]: changed })).not.toEqual(build())
  })

  it('shows every rule with its demand under the policy given', () => {
    const strict = tightenPolicy(POLICY, { aggregateEpisodes: 77, voidShare: 0.0123 })
    const gate = section(build({ policy: strict }), 'gate')
    for (const { demand } of METHODOLOGY_CONSTANTS.rules) expect(gate).toContain(demand(strict))
    expect(gate).toContain('77 independent scored episodes')
    expect(gate).toContain('1.23 %')
    expect(section(build({ policy: strict }), 'thresholds')).toContain('77')
  })

  it('shows a rule as soon as there is one more', () => {
    const [first] = METHODOLOGY_CONSTANTS.rules
    const added = {
      ...first,
      code: 'new-rule',
      demand: () => 'Something new.',
    } as unknown as Rule<RuleCode>
    const sections = build({ rules: [...METHODOLOGY_CONSTANTS.rules, added] })
    expect(idsOf(sections)).toContain('gate-new-rule')
    expect(section(sections, 'gate')).toContain('Something new.')
  })

  it('says of every setting, a new one too, whether it separates entries', () => {
    const { list, nearShare } = METHODOLOGY_CONSTANTS.settings
    const added = { key: 'fault', name: 'a new setting', sameRow: 'near' } as const
    const sections = build({ settings: { list: [...list, added], nearShare } })
    for (const { name } of SETTING_LIST) expect(section(sections, 'measured')).toContain(name)
    expect(section(sections, 'measured')).toContain('a new setting')
    expect(section(sections, 'measured')).toContain('differ by more than 10\u00a0%')
  })

  it('names the suites that are stricter than the policy, and no other', () => {
    const { thresholds } = POLICY
    const suites = [
      { suiteId: 'plain', title: 'Plain suite', thresholds },
      {
        suiteId: 'strict',
        title: 'Strict suite',
        thresholds: { ...thresholds, perTaskEpisodes: 41 },
      },
    ]
    const shown = section(build({}, suites), 'thresholds')
    expect(shown).toContain('Strict suite')
    expect(shown).toContain('41')
    expect(shown).not.toContain('Plain suite')
  })

  it('has an anchor for everything that has a name in the code', () => {
    const ids = idsOf(build())
    const named = [
      ...RULE_CODES.map((code) => `gate-${code}`),
      ...OUTCOME_STATUSES.map((status) => `outcome-${status}`),
      ...evidenceLabelSchema.options.map((label) => `label-${label}`),
      ...PROVENANCE_LEVELS.map((level) => `provenance-${level}`),
      ...['failing-calls', 'identical-calls', 'unchanged-workspace'].map(
        (signal) => `no-progress-${signal}`,
      ),
      ...AXIS_SLUGS.map((slug) => `axis-${slug}`),
      ...METHODOLOGY_CONSTANTS.browser.assertions.map((kind) => `assertion-${kind}`),
      ...THREATS.map(({ id }) => `threat-${id}`),
      ...FINDINGS.map(({ code }) => `finding-${code}`),
      ...METHODOLOGY_CONSTANTS.isolationLevels.map((level) => `isolation-${level}`),
      ...METHODOLOGY_CONSTANTS.verifierSandboxes.map((name) => `verifier-sandbox-${name}`),
      ...Object.keys(METHODOLOGY_CONSTANTS.browser.faults).map((kind) => `fault-${kind}`),
      ...METHODOLOGY_CONSTANTS.browser.rungs.map((rung) => `rung-${rung}`),
      ...ledgerActionSchema.options.map(({ shape }) => `ledger-${shape.kind.value}`),
    ]
    expect(named.filter((id) => !ids.includes(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    const outcomes = section(build(), 'outcomes')
    for (const category of failureCategorySchema.options) expect(outcomes).toContain(category)
  })
})

describe('the pages of the methodology', () => {
  const pages = openPages()

  it('are those of the index, each with a title', () => {
    expect([...MARKDOWN.keys()].sort()).toEqual(['index', ...METHODOLOGY_SLUGS].sort())
    for (const [slug, { title }] of pages) expect(title, slug).not.toBe('')
  })

  it('have 1,500 words at most, without tables, and the introduction 200', () => {
    const prose = (blocks: readonly Block[]) =>
      blocks.filter(({ kind }) => kind !== 'table').flatMap(proseOf)
    const counts = [...pages].map(([slug, { sections }]) => {
      const words = sections
        .flatMap(({ blocks }) => prose(blocks))
        .join(' ')
        .split(/\s+/)
      return [slug, words.length] as const
    })
    expect(counts.filter(([slug, words]) => words > (slug === 'index' ? 210 : 1500))).toEqual([])
  })

  it('use every placeholder that there is, and no other', () => {
    const { texts, blocks } = placeholdersOf()
    const used = [...MARKDOWN.values()].flatMap(
      (text) => text.match(/(?<=\{\{)[\w-]+(?=\}\})/g) ?? [],
    )
    const known = [...Object.keys(texts), ...Object.keys(blocks)]
    expect(known.filter((name) => !used.includes(name))).toEqual([])
    expect([...new Set(used)].filter((name) => !known.includes(name))).toEqual([])
    expect(used).toEqual(expect.arrayContaining(Object.keys(EXAMPLE)))
  })

  it('cannot be read with a placeholder that is unknown', () => {
    const read = () => parsePage('# A\n\n## B {#b}\n\nIt is {{nothing}}.', placeholdersOf())
    expect(read).toThrow('unknown placeholder {{nothing}}')
  })
})
