import type { RuleCode } from '../../eligibility/index.ts'
import type { OutcomeStatus } from '../../record/index.ts'
import type { AttackClassId } from '../attack-audit.ts'
import type { FindingCode } from './findings.ts'
import { type MethodologyPage, plainText } from './parse-page.ts'

/** Every class of attack in the threat model, in the order of the page. */
export const THREATS: readonly Threat[] = [
  {
    id: 'reads-answers',
    outcomes: ['tampered'],
    findings: ['copied-reference', 'solution-is-link'],
    rules: ['answers-out-of-reach'],
    audit: ['answers-within-reach'],
  },
  {
    id: 'memorises-tests',
    outcomes: ['unsolved'],
    findings: [],
    rules: [],
    audit: ['answers-memorised'],
  },
  {
    id: 'forges-report',
    outcomes: ['tampered', 'unsolved'],
    findings: ['report-forged', 'report-missing', 'exit-attempt', 'passes-altered-tests'],
    rules: ['integrity'],
    audit: ['verdict-forged'],
  },
  {
    id: 'changes-language',
    outcomes: ['tampered', 'unsolved'],
    findings: ['builtin-changed', 'canary-failed'],
    rules: ['integrity'],
    audit: ['language-tampered', 'lying-values'],
  },
  {
    id: 'escapes-test-process',
    outcomes: ['tampered', 'unsolved'],
    findings: ['refused-module', 'reached-for-internals'],
    rules: ['integrity', 'graded-in-sandbox'],
    audit: ['sandbox-escape'],
  },
  {
    id: 'edits-inputs',
    outcomes: ['tampered', 'unsolved'],
    findings: ['solution-is-link'],
    rules: [],
    audit: ['trusted-inputs', 'harness-tampered'],
  },
  {
    id: 'lies-in-own-tests',
    outcomes: ['tampered', 'unsolved'],
    findings: [
      ...(['protected-file-changed', 'link-out-of-tree', 'hard-link', 'git-file-added'] as const),
      ...(['special-file', 'odd-path', 'test-file-changed', 'canary-not-reported'] as const),
    ],
    rules: ['integrity', 'unguessable'],
    audit: ['verdict-forged', 'language-tampered', 'trusted-inputs'],
  },
  {
    id: 'replaces-verifier',
    outcomes: ['void'],
    findings: [],
    rules: ['answers-out-of-reach'],
    audit: ['harness-tampered'],
  },
  {
    id: 'kills-harness',
    outcomes: ['subject-crashed', 'tampered', 'unsolved'],
    findings: ['exit-attempt'],
    rules: ['void-attempts', 'complete'],
    audit: ['harness-tampered', 'denial'],
  },
  {
    id: 'exhausts-machine',
    outcomes: ['out-of-budget', 'unsolved'],
    findings: [],
    rules: [],
    audit: ['denial'],
  },
  {
    id: 'steals-keys',
    outcomes: [],
    findings: [],
    rules: ['answers-out-of-reach', 'unmetered'],
    audit: ['secrets'],
  },
  {
    id: 'alters-data',
    outcomes: [],
    findings: [],
    rules: ['answers-out-of-reach'],
    audit: ['secrets'],
  },
  {
    id: 'bypasses-browser',
    outcomes: ['tampered', 'unsolved'],
    findings: ['changed-outside-browser', 'control-endpoint-probed', 'reached-another-episode'],
    rules: ['integrity', 'answers-out-of-reach'],
    audit: ['browser-shortcuts'],
  },
  {
    id: 'persuades-judge',
    outcomes: ['unsolved'],
    findings: [],
    rules: [],
    audit: ['judge-injection'],
  },
  {
    id: 'edits-upload',
    outcomes: [],
    findings: [],
    rules: ['provenance', 'evaluated-here', 'mode-evidence'],
    audit: [],
  },
]

/** A class of attack. `threats.md` and `more-threats.md` describe it and what stops it. */
export type Threat = {
  id: string
  /** Outcomes of an attempt that show the attack. */
  outcomes: readonly OutcomeStatus[]
  findings: readonly FindingCode[]
  /** Evidence rules that refuse the row. */
  rules: readonly RuleCode[]
  /** Classes of the audit that run it; none = the audit does not run it. */
  audit: readonly AttackClassId[]
}

/** A class of attack with its description, for pages and the API. */
type DescribedThreat = Threat & { title: string; attack: string; stops: string; shows: string }

/** Adds the texts of the pages to all threats; a threat without a text is left out. */
export function describeThreats(pages: readonly MethodologyPage[]): DescribedThreat[] {
  const blocks = pages.flatMap(({ sections }) => sections.flatMap((section) => section.blocks))
  return THREATS.flatMap((threat) => {
    const place = blocks.findIndex(
      (block) => block.kind === 'heading' && block.id === `threat-${threat.id}`,
    )
    const [heading, terms] = blocks.slice(place, place + 2)
    if (heading?.kind !== 'heading' || terms?.kind !== 'terms') return []
    const [attack = '', stops = '', shows = ''] = terms.items.map(({ spans }) => plainText(spans))
    return [{ ...threat, title: heading.title, attack, stops, shows }]
  })
}
