import type { NoProgressSignal } from '../../record/no-progress.ts'
import {
  ASSERTION_WORDS,
  formatRung,
  INJECTOR_WORDS,
  RUNG_WORDS,
  TARGETING_WORDS,
} from '../../tasks/browser-labels.ts'
import { AXES, AXIS_ROLES } from '../axis-report.ts'
import type { MethodologyInput } from './methodology-constants.ts'
import { type CaseItem, type MethodologySection, terms, text } from './methodology-constants.ts'
import type { Threat } from './threats.ts'

/** Browser workflows: who drives, who judges, what is broken on purpose. */
export function browserSection({ constants: { browser } }: MethodologyInput): MethodologySection {
  return {
    id: 'browser',
    title: 'Browser workflows',
    blocks: [
      text(
        'A browser library works in a Chromium that the harness owns, on an app whose state is made anew for every ' +
          'episode, at an origin that no other episode uses. A scripted driver plays a task step by step over one action ' +
          'surface, the same for every library; or a language model plays it with the library’s own tools and is told ' +
          'the instruction alone. Scripted and model-driven rows are never ranked together.',
      ),
      text(
        'The final contract is evaluated by the harness’s own connection and by what the app’s server holds, never by ' +
          'what the library says. An assertion that cannot be known is inconclusive, and stays so when it is negated. ' +
          'What the library says is kept beside it: no error and a failed contract is a false success, an error and a ' +
          'contract that passed is a success with an error. Both are diagnostic.',
      ),
      text(REACH),
      terms(
        'assertion',
        browser.assertions.map((kind) => ({ key: kind, text: ASSERTION_WORDS[kind] })),
      ),
      text(
        'How a library points at elements is part of its identity. What it shows of a page to whoever drives it is ' +
          'compared only among rows that point alike and are driven alike.',
      ),
      terms(
        'targeting',
        browser.targetings.map((targeting) => ({
          key: targeting,
          text: `Elements are found by ${TARGETING_WORDS[targeting]}.`,
        })),
      ),
      text(
        'A row’s browser is either launched for each episode or reset, shown to be empty and used again; the two make ' +
          'rows of their own. Memory is the proportional set size of the process trees, so that shared pages count once.',
      ),
      text(
        'A fault is injected once, at the first request of the kind that the task names for it, in the same way for ' +
          'every library. A stress row needs the same subject’s pass without the fault.',
      ),
      terms(
        'fault',
        Object.entries(browser.faults).map(([kind, { what, by }]) => ({
          key: kind,
          text: what,
          mark: INJECTOR_WORDS[by],
        })),
      ),
      text(
        'After a fault, or after an action that failed, every library climbs the same ladder; the lowest rung after ' +
          'which the work went on is recorded, with the time from the fault’s firing to the library’s first error.',
      ),
      terms(
        'rung',
        browser.rungs.map((rung) => ({
          key: rung,
          term: formatRung(rung),
          text: RUNG_WORDS[rung].meaning,
        })),
      ),
    ],
  }
}

const REACH =
  'Where bubblewrap works, a library’s process reaches its leased browser and nothing else, and the browser reads no ' +
  'file but its own. On Linux the app asks the kernel which process opened each connection and serves only the leased ' +
  'browser; other requests are refused and recorded, and one that would change something is a finding. A script that ' +
  'the library runs inside the page counts as using the browser. A browser that ends while the library works counts ' +
  'against the library.'

/** Faults and recovery; the rules are the gate's own. */
export function faultsSection({
  constants: { policy, rules },
}: MethodologyInput): MethodologySection {
  const own = rules.filter(({ code }) => code.startsWith('fault-'))
  return {
    id: 'faults',
    title: 'Faults and recovery',
    blocks: [
      text(
        'A fault is planned at a named point of an episode. Recovery means that the fault fired and the same final contract ' +
          'still passed within the same limits. Episodes with a planned fault make rows of their own and are never mixed ' +
          'with plain ones. The recovery rate is taken over fired faults, task by task, with the interval of any rate.',
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
      text(
        'Task completion comes first; the other axes explain it and do not replace it. While a suite has no primary ' +
          'task-completion claim, all its reports are supporting diagnostics and say so.',
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

/** Signals that an agent did not get on. */
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
    title: 'No progress',
    blocks: [
      text(
        'For an agent behind the gateway an episode tells how often it did not get on. A streak counts once, however long ' +
          'it is. The signals are diagnostic and never scored.',
      ),
      terms(
        'no-progress',
        Object.entries(meanings).map(([key, meaning]) => ({ key, text: meaning })),
      ),
      text(
        'Whether a call failed is what the agent tells its model: Anthropic’s is_error, an error in Gemini’s function ' +
          'response, a failed status or an exit code in OpenAI Responses. Chat Completions has no word for it, nor has a plain ' +
          'function output in Responses; there the outcome is unknown. What is unknown neither breaks a streak nor makes it longer. ' +
          'In the workspace, what the agent’s own program leaves, .git and node_modules are passed over, and a workspace of ' +
          'too many files is unknown.',
      ),
    ],
  }
}

/** Who attacks, what is out of scope, and what becomes of each class of attack. */
export function threatModelSection({ constants, words }: MethodologyInput): MethodologySection {
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
}: MethodologyInput): MethodologySection {
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
