import type { Settings, VerifierSandbox } from '../../record/index.ts'
import type { MethodologyInput } from './methodology-constants.ts'
import { formula, type MethodologySection, paragraph, terms } from './methodology-constants.ts'

/** Error rates of the verifier. */
export function verifierErrorsSection(): MethodologySection {
  return {
    id: 'verifier-errors',
    title: 'Verifier error rate',
    blocks: [
      paragraph(
        'A success rate is only as good as its verifier. Each suite’s page shows both kinds of error, as far as they can be ' +
          'measured automatically.',
      ),
      terms('verifier-error', [
        {
          key: 'false-negative',
          term: 'False negatives',
          text:
            'Correct solutions that are rejected. Measured with runs of the reference solutions on this server (control ' +
            '“reference”): every unsolved one is an error of the verifier, the harness or the task. The page shows the count, ' +
            'the number of runs and the exact Clopper–Pearson interval, which is informative even without failures.',
        },
        {
          key: 'false-positive',
          term: 'False positives',
          text:
            'Wrong solutions that are accepted. Estimated with mutants. The share of survivors is only a proxy: some behave ' +
            'exactly like the reference, and the mistakes of agents are not small edits.',
        },
        {
          key: 'honest',
          term: 'Honest solutions',
          text: 'Solutions written without access to tests and reference have to pass before a suite is released, as a second check for false negatives.',
        },
      ]),
    ],
  }
}

/** Influence of single tasks, and task statistics. */
export function tasksSection({ constants: { fewestRows } }: MethodologyInput): MethodologySection {
  return {
    id: 'tasks',
    title: 'Influence of single tasks',
    blocks: [
      terms('tasks', [
        {
          key: 'leave-one-out',
          term: 'Leave one task or category out',
          text:
            'The details of an entry show its lowest and highest success rate without any one task and without any one ' +
            'category. This is not a confidence interval; a wide range means that the rate depends on few tasks.',
        },
        {
          key: 'dead',
          term: 'Non-discriminating tasks',
          text: 'Tasks that every entry always solves or no entry ever solves. Ranked entries and models run on this server count.',
        },
        {
          key: 'discrimination',
          term: 'Discrimination',
          text:
            'The correlation over entries between success on the task and mean success on all other tasks. Below zero, weak ' +
            `entries solve the task more often than strong ones, so review the task. Not shown with fewer than ${fewestRows} entries.`,
        },
      ]),
      formula('discrimination_{t} = corr( m_{t}, mean of m_{u} over all u ≠ t )   over entries'),
    ],
  }
}

/** Tasks that a model could have seen in training. */
export function exposureSection({
  constants: { knownCutoffs },
}: MethodologyInput): MethodologySection {
  return {
    id: 'exposure',
    title: 'Tasks and training data',
    blocks: [
      paragraph(
        'A task that was public before a model’s training ended can be part of its training data. If both dates are known, ' +
          'an entry shows how many of its tasks were public by then. No evidence rule depends on it: being public is not ' +
          'the same as being in the training data.',
      ),
      terms('exposure', [
        {
          key: 'released',
          term: 'Release date',
          text:
            'The day on which a task became public: the commit date of its first version, or for imported tracks the first ' +
            'commit of the exercise’s folder; unknown without history. It is not part of a task’s digest.',
        },
        {
          key: 'cutoff',
          term: 'Cut-off',
          text:
            `The date published by the model’s vendor, with its source, for ${knownCutoffs} models by exact name. Add others to the ` +
            'file model-cutoffs.json in the data folder. Other models have an unknown cut-off.',
        },
        {
          key: 'kind',
          term: 'Training and knowledge cut-off',
          text:
            'A knowledge cut-off is the date up to which the vendor calls the model’s knowledge reliable. Training data can ' +
            'extend past it, so “newer than the cut-off” is weaker than “never seen”.',
        },
        {
          key: 'month',
          term: 'Months',
          text: 'A cut-off given as a month means its last day, so tasks released in that month count as public before it.',
        },
      ]),
    ],
  }
}

/** How a solution of an exercise is verified: checks, guarantees and sandboxes. */
export function verificationSection({ constants }: MethodologyInput): MethodologySection {
  return {
    id: 'verification',
    title: 'Exercise verification',
    blocks: [
      paragraph(
        'After the agent’s processes have ended, the verifier reads only the declared solution files, as text. ' +
          'An exercise is solved only if every check passes and there are no findings.',
      ),
      terms('verification', CHECKS),
      paragraph('Guarantees of these checks:'),
      terms('verification', GUARANTEES),
      paragraph(
        'Solutions run in the strongest sandbox that the machine has, independent of the agent’s isolation, with an empty ' +
          'environment and node’s permission model. If bubblewrap is installed and cannot be entered, the run ends before its ' +
          'first episode, unless its operator allowed a weaker sandbox. The episode records the sandbox, network access, and the digest of the ' +
          'verifier’s programs.',
      ),
      terms(
        'verifier-sandbox',
        constants.verifierSandboxes.map((key) => ({ key, text: SANDBOXES[key] })),
      ),
    ],
  }
}

const CHECKS = [
  {
    key: 'types',
    term: 'Type check',
    text: 'Solution and tests compile with the task’s settings, including type-level tests. This check does not run the solution.',
  },
  {
    key: 'visible-tests',
    term: 'Visible tests',
    text: 'The tests that come with the task, which the agent can read. Exactly the expected tests must run, and all must pass.',
  },
  {
    key: 'altered-tests',
    term: 'Second run with altered expectations',
    text:
      'The visible tests run again in a new process with some expectations changed at random for each attempt. The reference ' +
      'shows which tests must fail; those must fail and the others must pass again. This detects programs that always report ' +
      'passes. It does not detect memorised visible answers, or a solution that took over the process and reads the altered tests.',
  },
  {
    key: 'held-out',
    term: 'Held-out transcript',
    text:
      'A scenario hidden from the agent calls the solution with random inputs and records the results: values, errors and the ' +
      'order of events. Its seed is drawn after the plan was frozen, separately for each attempt. The reference runs with the ' +
      'same seed in another process, and the transcripts are compared outside both. The reference’s answers never enter the ' +
      'process of the solution, so the solution can neither copy nor memorise them.',
  },
]

const GUARANTEES = [
  {
    key: 'visible-tests-only',
    term: 'Visible tests only',
    text:
      'Tasks without a held-out scenario, such as imported ones, are judged by the visible tests only. A solution that ' +
      'memorised the visible answers solves them. Entries on such tasks are marked “visible tests only”.',
  },
  {
    key: 'fairness',
    term: 'Honest solutions',
    text:
      'A scenario can test only what the instructions specify. As a check, solutions written only from the instructions and ' +
      'the stub, by authors who saw neither tests nor reference, must agree with the reference.',
  },
  {
    key: 'mutants',
    term: 'Mutants',
    text:
      'Small bugs are added to each reference, one at a time. The suite’s page shows the share of these mutants that no check ' +
      'detects. Mutants that do not compile are not counted.',
  },
  {
    key: 'limits',
    term: 'Time limits',
    text:
      'Limits count CPU time: wall time minus the time the processes waited for the CPU, with a much longer wall-time limit. ' +
      'A busy machine does not fail a solution. On systems that do not report this, such as macOS, wall time counts.',
  },
  {
    key: 'readiness',
    term: 'Readiness',
    text:
      'Compiler and sandbox must be ready before the agent starts. If the verifier fails later, it is retried once; if it ' +
      'fails again, the attempt is excluded from scoring and keeps its usage and cost.',
  },
]

const SANDBOXES: Record<VerifierSandbox['sandbox'], string> = {
  bubblewrap:
    'Separate namespaces: read-only system, no files of the harness, no network, no other processes, an unprivileged user.',
  'own-user':
    'A separate unprivileged user, if root runs without bubblewrap. No network if the kernel supports it.',
  none: 'The harness’s own user. No network if the kernel supports it. A solution that escapes and also bypasses node’s permission model could read what this user can, including references. Its entries are not ranked.',
}

const RULES: readonly string[] = ['answers-out-of-reach']

/** The isolation levels of agents. */
export function isolationSection({ constants }: MethodologyInput): MethodologySection {
  const { isolationLevels, policy, rules } = constants
  return {
    id: 'isolation',
    title: 'Agent isolation',
    blocks: [
      paragraph(
        'An agent or command runs at the strongest level that the machine supports, unless you request another. The level is ' +
          'printed with its reason, frozen in the plan and recorded in the episode. If a requested level is unavailable, the ' +
          'run is refused; there is no fallback.',
      ),
      terms(
        'isolation',
        isolationLevels.map((key) => ({
          key,
          term: key === 'local' ? 'local (no sandbox)' : key,
          text: LEVELS[key],
        })),
      ),
      paragraph(
        'Controls are functions of the harness and run at local. Browser libraries also run at local, in their own sandbox ' +
          'if bubblewrap is available; the episode records which.',
      ),
      terms(
        'isolation-rule',
        rules
          .filter(({ code }) => RULES.includes(code))
          .map(({ code, demand }) => ({ key: code, text: demand(policy) })),
      ),
    ],
  }
}

const LEVELS: Record<Settings['isolation'], string> = {
  local:
    'A fresh HOME, an allow-listed environment, limits, and termination of the entire process tree; the machine’s network. Started by root, ' +
    'the agent is a separate user that cannot access keys, the database, references or other attempts, but can read files open to ' +
    'every user. Started by a plain user, it is that user: it can read and change references, tests, the database, the session ' +
    'secret, other attempts and the harness, and possibly read keys from the memory of the runner. Its entries are not ranked.',
  bubblewrap:
    'Kernel namespaces: access only to its workspace, HOME and /tmp; read-only system; no network except the gateway; all processes end together.',
  docker:
    'The same in a container, identified by its image digest, with one memory limit for all processes.',
}
