import type { NoProgressSignal } from '../../record/index.ts'
import {
  ASSERTION_LABELS,
  formatRung,
  INJECTOR_LABELS,
  RUNG_LABELS,
  TARGETING_LABELS,
} from '../../tasks/index.ts'
import { AXES, AXIS_ROLES } from '../axis-report.ts'
import type { MethodologyInput } from './methodology-constants.ts'
import {
  type CaseItem,
  type MethodologySection,
  paragraph,
  terms,
} from './methodology-constants.ts'
import type { Threat } from './threats.ts'

/** Browser workflows: drivers, verification and injected faults. */
export function browserSection({ constants: { browser } }: MethodologyInput): MethodologySection {
  return {
    id: 'browser',
    title: 'Browser workflows',
    blocks: [
      paragraph(
        'A browser library runs in a Chromium that the harness owns, on an app with fresh state and its own origin for ' +
          'every episode. Either a scripted driver performs a task step by step through an action interface that is the ' +
          'same for every library, or a language model performs it with the library’s tools and only the instruction. ' +
          'Scripted and model-driven entries are never ranked together.',
      ),
      paragraph(
        'The success criteria are evaluated through the harness’s own connection and the state of the app server, never ' +
          'from what the library reports. An assertion that cannot be determined is inconclusive, also when negated. ' +
          'The library’s report is stored for comparison: no error although the criteria are not met is a false success, ' +
          'an error although they are met is a success with an error. Both are diagnostic.',
      ),
      paragraph(REACH),
      terms(
        'assertion',
        browser.assertions.map((kind) => ({ key: kind, text: ASSERTION_LABELS[kind] })),
      ),
      paragraph(
        'The locator strategy is part of a library’s identity. Page output is compared only among entries with the same ' +
          'locator strategy and the same kind of driver.',
      ),
      terms(
        'targeting',
        browser.targetings.map((targeting) => ({
          key: targeting,
          text: `Elements are located by ${TARGETING_LABELS[targeting]}.`,
        })),
      ),
      paragraph(
        'The browser is either launched for each episode or reset, verified and reused; the two modes are separate ' +
          'entries. Memory is the proportional set size of the process trees, so shared pages count once.',
      ),
      paragraph(
        'A fault is injected once per episode, at the first request that matches the task’s definition, in the same way ' +
          'for every library. A stress entry also needs a success of the same library without the fault.',
      ),
      terms(
        'fault',
        Object.entries(browser.faults).map(([kind, { what, by }]) => ({
          key: kind,
          text: what,
          mark: INJECTOR_LABELS[by],
        })),
      ),
      paragraph(
        'After a fault or a failed action, every library goes through the same recovery levels. The lowest level that ' +
          'helped is recorded, with the time from the fault to the library’s first error.',
      ),
      terms(
        'rung',
        browser.rungs.map((rung) => ({
          key: rung,
          term: formatRung(rung),
          text: RUNG_LABELS[rung].meaning,
        })),
      ),
    ],
  }
}

const REACH =
  'Where bubblewrap is available, a library can access only its browser, and the browser can read only its own files. ' +
  'On Linux the app asks the kernel which process opened each connection and serves only that browser; other requests ' +
  'are refused and recorded, and a request that would change state is a finding. Scripts that the library runs inside ' +
  'the page count as using the browser. If the browser exits while the library runs, the episode counts as a failure.'

/** Faults and recovery, with the evidence rules for them. */
export function faultsSection({
  constants: { policy, rules },
}: MethodologyInput): MethodologySection {
  const own = rules.filter(({ code }) => code.startsWith('fault-'))
  return {
    id: 'faults',
    title: 'Faults and recovery',
    blocks: [
      paragraph(
        'A fault is planned at a named point of an episode. Recovery means that the fault was injected and the same success ' +
          'criteria were still met within the same limits. Episodes with a planned fault form separate entries. The ' +
          'recovery rate is the mean over tasks of recovered among injected faults, with the same interval as other rates.',
      ),
      terms(
        'fault-rule',
        own.map(({ code, demand, fromSeed }) => ({
          key: code,
          text: demand(policy),
          mark: fromSeed ? 'seed' : null,
        })),
      ),
    ],
  }
}

/** The axes of the reports. */
export function reportsSection(): MethodologySection {
  return {
    id: 'reports',
    title: 'Reports',
    blocks: [
      paragraph(
        'Task completion is the primary axis; the other axes explain it and do not replace it. If a suite has no entry ' +
          'ranked for task completion, all its reports are marked as supporting diagnostics.',
      ),
      terms(
        'axis',
        AXES.map(({ slug, letters, title, role, why }) => ({
          key: slug,
          term: [letters.join('/'), title].filter(Boolean).join(' · '),
          text: why,
          mark: AXIS_ROLES[role],
        })),
      ),
    ],
  }
}

/** Signals that an agent made no progress. */
export function progressSection({
  constants: { noProgress },
}: MethodologyInput): MethodologySection {
  const { failingCalls, identicalCalls, unchangedSteps } = noProgress
  const meanings: Record<NoProgressSignal, string> = {
    'failing-calls': `At least ${failingCalls} tool calls in a row failed.`,
    'identical-calls': `The same tool was called with the same arguments and succeeded, at least ${identicalCalls} times in a row.`,
    'unchanged-workspace': `At least ${unchangedSteps} steps in a row changed no path, size or time of a file in the workspace.`,
  }
  return {
    id: 'no-progress',
    title: 'Stalled steps',
    blocks: [
      paragraph(
        'For metered agents, an episode records how often the agent made no progress. A streak counts once, regardless of ' +
          'its length. The signals are diagnostic and never scored.',
      ),
      terms(
        'no-progress',
        Object.entries(meanings).map(([key, meaning]) => ({ key, text: meaning })),
      ),
      paragraph(
        'Whether a call failed is read from what the agent sends to its model: Anthropic’s is_error, an error in Gemini’s ' +
          'function response, a failed status or an exit code in OpenAI Responses. Chat Completions and plain function outputs ' +
          'in Responses have no such field, so the outcome is unknown. Unknown outcomes neither end nor extend a streak. ' +
          'In the workspace, files of the agent program, .git and node_modules are ignored; a workspace with too many files ' +
          'is unknown.',
      ),
    ],
  }
}

/** The adversary, what is out of scope, and the defence against each class of attack. */
export function threatModelSection({ constants, words }: MethodologyInput): MethodologySection {
  return {
    id: 'threat-model',
    title: 'Threat model',
    blocks: [
      paragraph(
        'The adversary is the agent or library under test and its solution. It knows this source code and can be run a ' +
          'thousand times. Its goals: “solved” on a task it cannot do, a failure that is excluded or attributed to something ' +
          'else, a key, or other users’ data.',
      ),
      paragraph('Out of scope, and not prevented:'),
      terms('out-of-scope', OUT_OF_SCOPE),
      {
        kind: 'cases',
        caption: 'Attacks, defences and evidence',
        head: ['Attack', 'Defence', 'Evidence'],
        items: constants.threats.map((threat) => toCase(threat, words)),
      },
      paragraph(
        'Known attacks of these classes are programs that run through the same pipeline as agents.',
      ),
      { kind: 'link', text: 'Results of the latest audit of each suite', href: '/audit' },
    ],
  }
}

const OUT_OF_SCOPE = [
  {
    key: 'administrator',
    term: 'A hostile administrator',
    text: 'The owner of the server’s account can change anything it stores. Only an earlier copy reveals such changes.',
  },
  {
    key: 'kernel',
    term: 'A hostile kernel',
    text: 'A sandbox is as strong as the kernel, the container runtime and the hardware that enforce it.',
  },
  {
    key: 'local',
    term: 'local as a plain user',
    text: 'There is almost no protection against a program that runs as the harness’s own user. Such runs are for development.',
  },
  {
    key: 'training',
    term: 'Training data',
    text: 'The exercises and their references are public. A model that learned a reference in training solves the task.',
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
    audit.length === 0 ? 'Not covered by the audit.' : '',
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

/** Every finding and its effect on an episode and its row. */
export function findingsSection({
  constants: { findings, policy, rules },
}: MethodologyInput): MethodologySection {
  return {
    id: 'findings',
    title: 'Findings',
    blocks: [
      paragraph(
        'A finding is something that no honest solution does. One finding makes an episode tampered, which is a failure ' +
          'regardless of other checks. An administrator can resolve a finding in the public ledger, with a reason.',
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
