import type { MethodologyInput } from '../methodology-constants.ts'
import { type CaseItem, type Section, terms, text } from '../methodology-section.ts'
import type { Threat } from '../threat.ts'

/** Who attacks, what is out of scope, and what becomes of each class of attack. */
export function threatModelSection({ constants, words }: MethodologyInput): Section {
  return {
    id: 'threat-model',
    title: 'Threat model',
    blocks: [
      text(
        'The adversary is the agent or library under test, and the solution it leaves. It knows this source code and may be run ' +
          'a thousand times. It wants “solved” on a task it cannot do, a failure that is excluded or blamed on something else, a ' +
          'key, or other people’s data.',
      ),
      text('Out of scope, and not prevented:'),
      terms('out-of-scope', OUT_OF_SCOPE),
      {
        kind: 'cases',
        caption: 'Attacks, what stops them, and what the evidence says afterwards',
        head: ['Attack', 'What stops it', 'What the evidence says'],
        items: constants.threats.map((threat) => toCase(threat, words)),
      },
      text(
        'Known attacks of these classes are programs that are played through the same pipeline as any agent.',
      ),
      { kind: 'link', text: 'Results of the latest audit of each suite', href: '/audit' },
    ],
  }
}

const OUT_OF_SCOPE = [
  {
    key: 'administrator',
    term: 'A hostile administrator',
    text: 'Whoever owns the server’s account can change anything it stores. Only a copy made earlier shows it.',
  },
  {
    key: 'kernel',
    term: 'A hostile kernel',
    text: 'A sandbox is as strong as the kernel, the container runtime and the hardware that enforce it.',
  },
  {
    key: 'local',
    term: 'local as a plain user',
    text: 'Almost nothing holds against a program that runs as the harness’s own user. Such runs are for development.',
  },
  {
    key: 'training',
    term: 'Training data',
    text: 'The exercises and their references are public. A model that learned a reference in training gives a right answer.',
  },
]

function toCase(threat: Threat, words: MethodologyInput['words']): CaseItem {
  const { id, title, attack, stops, shows, outcomes, findings, rules, audit } = threat
  const facts = [
    listed(
      'Outcome',
      outcomes.map((status) => words.outcomes[status].word),
    ),
    listed('Findings', findings),
    listed('Evidence rules', rules),
    audit.length === 0 ? 'Not played by the audit.' : '',
  ]
  return {
    id: `threat-${id}`,
    title,
    cells: [[attack], [stops], [shows, ...facts.filter(Boolean)]],
  }
}

function listed(label: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${label}: ${names.join(', ')}.`
}

/** Every finding, and what it does to an episode and its row. */
export function findingsSection({
  constants: { findings, policy, rules },
}: MethodologyInput): Section {
  return {
    id: 'findings',
    title: 'Findings',
    blocks: [
      text(
        'A finding is something that no honest solution does. One is enough to make an episode tampered, which is a failure, ' +
          'whatever else it passed. An administrator can resolve a finding in the public ledger, with a reason.',
      ),
      terms(
        'finding-rule',
        rules
          .filter(({ code }) => code === 'integrity')
          .map(({ code, demand }) => ({ key: code, text: demand(policy) })),
      ),
      terms(
        'finding',
        findings.map(({ code, meaning }) => ({ key: code, text: meaning })),
      ),
    ],
  }
}
