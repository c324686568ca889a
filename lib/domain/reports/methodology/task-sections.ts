import type { VerifierSandbox } from '../../record/environment.ts'
import type { Settings } from '../../record/plan.ts'
import type { MethodologyInput } from './methodology-constants.ts'
import { formula, type MethodologySection, terms, text } from './methodology-constants.ts'

/** How often the verifier itself is wrong. */
export function verifierErrorsSection(): MethodologySection {
  return {
    id: 'verifier-errors',
    title: 'Verifier error rate',
    blocks: [
      text(
        'A rate is only as good as what judges it. Each suite’s page shows both kinds of error, as far as they can be measured ' +
          'without people.',
      ),
      terms('verifier-error', [
        {
          key: 'false-negative',
          term: 'False negatives',
          text:
            'A correct solution that is not passed. Measured by runs of the tasks’ own references on this server, the control ' +
            '“reference”: every one that was not solved is an error of the verifier, the harness or the task. The page gives the ' +
            'count, the number of runs and the exact interval of Clopper and Pearson, which still says something after no ' +
            'failure at all.',
        },
        {
          key: 'false-positive',
          term: 'False positives',
          text:
            'A wrong solution that is passed. Nobody can list all wrong solutions; mutants stand in for them. Their surviving ' +
            'share is a proxy: some survivors behave exactly like the reference, and an agent’s mistakes are not small edits.',
        },
        {
          key: 'honest',
          term: 'Honest solutions',
          text: 'Solutions written without sight of tests and reference have to pass before a suite is shipped; they are a second check on false negatives.',
        },
      ]),
    ],
  }
}

/** How much a rate rests on single tasks, and what the tasks are worth. */
export function tasksSection({ constants: { fewestRows } }: MethodologyInput): MethodologySection {
  return {
    id: 'tasks',
    title: 'What rests on single tasks',
    blocks: [
      terms('tasks', [
        {
          key: 'leave-one-out',
          term: 'One task or category left out',
          text:
            'An open row shows the lowest and the highest rate that it would have without one task, and without one whole ' +
            'category, and names them. It is a range of what was measured, not an interval: a wide one says that the rate hangs on few tasks.',
        },
        {
          key: 'dead',
          term: 'Dead tasks',
          text: 'Solved by every row every time, or by no row ever: they tell no rows apart. Ranked rows count, and rows of models that this server ran.',
        },
        {
          key: 'discrimination',
          term: 'Discrimination',
          text:
            'The correlation, over rows, of success on the task with the mean success on all other tasks. Below zero, weak rows ' +
            `solve the task more often than strong ones, which is worth a look at the task. With fewer than ${fewestRows} rows nothing is said.`,
        },
      ]),
      formula('discrimination_{t} = corr( m_{t}, mean of m_{u} over all u ≠ t )   over rows'),
    ],
  }
}

/** Tasks that a model may have seen in training. */
export function exposureSection({
  constants: { knownCutoffs },
}: MethodologyInput): MethodologySection {
  return {
    id: 'exposure',
    title: 'Tasks and training data',
    blocks: [
      text(
        'A task that was public before a model’s training ended may have been learnt. Where both dates are known, a row says ' +
          'how many of its tasks were public by then; where one is missing, it says so. No rule refuses a row for it: being ' +
          'public is not the same as having been learnt.',
      ),
      terms('exposure', [
        {
          key: 'released',
          term: 'Release date',
          text:
            'The day since which a task has been public: of a suite here, the day its first version was committed; of an imported ' +
            'track, the first commit of the exercise’s folder, or unknown where the history is missing. It is no part of a task’s digest.',
        },
        {
          key: 'cutoff',
          term: 'Cut-off',
          text:
            `What the model’s vendor says, with its source, for ${knownCutoffs} models by exact name. More can be put into the file ` +
            'model-cutoffs.json of the data folder. A model that is in neither has an unknown cut-off.',
        },
        {
          key: 'kind',
          term: 'Training and knowledge cut-off',
          text:
            'A knowledge cut-off is the date up to which knowledge is called reliable. Training data may reach beyond it, and ' +
            'later training may have seen the tasks, so “newer than the cut-off” is weaker than “never seen”.',
        },
        {
          key: 'month',
          term: 'Months',
          text: 'A cut-off that names a month means its last day, so a task of that month counts as public before it.',
        },
      ]),
    ],
  }
}

/** How a solution of an exercise is judged: every check, why it can be trusted, and where it runs. */
export function verificationSection({ constants }: MethodologyInput): MethodologySection {
  return {
    id: 'verification',
    title: 'Exercise verification',
    blocks: [
      text(
        'When the agent’s processes have ended, the verifier reads the declared solution files, as text, and nothing else. ' +
          'An exercise is solved only when every check passes and no detector found anything.',
      ),
      terms('verification', CHECKS),
      text('What keeps these checks fair and strong:'),
      terms('verification', GUARANTEES),
      text(
        'Solutions run in the strongest sandbox of the machine, whatever sandbox the agent had, with an empty environment ' +
          'and node’s permission model. The episode names the sandbox, whether it had a network, and the digest of the ' +
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
    text: 'Solution and tests compile under the task’s own settings, type-level tests included. It runs no code of the solution.',
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
      'The visible tests run again in a new process with some of their expectations changed, drawn anew for each attempt. ' +
      'The reference shows which tests must fail now; those must fail, and the others must pass again. It catches a program ' +
      'that reports passes blindly. It does not catch a solution that memorised the visible answers, or one that took over the process and reads the altered tests.',
  },
  {
    key: 'held-out',
    term: 'Held-out transcript',
    text:
      'A scenario that the agent is not given calls the solution with random inputs and records what comes back: values, errors, ' +
      'the order of events. Its seed is drawn after the plan was frozen, anew for each attempt. The same seed is played ' +
      'against the reference in another process, and the two transcripts are compared outside both. The reference’s answers ' +
      'never enter the process that runs the solution, so there is nothing in it to steal or to learn by heart.',
  },
]

const GUARANTEES = [
  {
    key: 'visible-tests-only',
    term: 'Visible tests only',
    text:
      'Tasks without a held-out scenario, such as those of imported tracks, are judged by the visible tests alone. There a ' +
      'table of the visible answers is solved. Rows on such tasks say “visible tests only”.',
  },
  {
    key: 'fairness',
    term: 'Honest solutions',
    text:
      'A scenario may ask only what the instructions say. To prove it, solutions written from the instructions and the stub ' +
      'alone, by authors who saw neither tests nor reference, must agree with the reference.',
  },
  {
    key: 'mutants',
    term: 'Mutants',
    text:
      'Small mistakes are made in each reference, one at a time. The suite’s page shows the share of these mutants that no ' +
      'check catches. Mutants that do not compile are left out.',
  },
  {
    key: 'limits',
    term: 'Time limits',
    text:
      'Limits count CPU time: wall time less the time in which the processes were ready and the machine was busy with others, ' +
      'under a much longer limit of wall time. A busy machine does not fail a solution. Where the system does not report ' +
      'this, as on macOS, wall time counts.',
  },
  {
    key: 'readiness',
    term: 'Readiness',
    text:
      'Compiler and sandbox must be ready before the agent starts. A verifier that breaks later is asked once more; if it ' +
      'breaks again, the attempt is void and keeps its usage and cost.',
  },
]

const SANDBOXES: Record<VerifierSandbox['sandbox'], string> = {
  bubblewrap:
    'Namespaces of its own: the system read-only, no files of the harness, no network, no other processes, a user that owns nothing.',
  'own-user':
    'A user of its own that owns nothing, where root has no bubblewrap. No network where the kernel allows it.',
  none: 'The harness’s own user. No network where the kernel allows it. A solution that escapes and also breaks node’s permission model could read what this user can, references included.',
}

const RULES: readonly string[] = ['answers-out-of-reach']

/** What stands around an agent while it works, at each level. */
export function isolationSection({ constants }: MethodologyInput): MethodologySection {
  const { isolationLevels, policy, rules } = constants
  return {
    id: 'isolation',
    title: 'Agent isolation',
    blocks: [
      text(
        'An agent or a command runs at the strongest level of the machine unless another one is asked for. The level is ' +
          'printed with its reason, frozen in the plan and recorded in the episode. A level that is asked for and missing is ' +
          'refused; no other takes its place.',
      ),
      terms(
        'isolation',
        isolationLevels.map((key) => ({
          key,
          term: key === 'local' ? 'local (no sandbox)' : key,
          text: LEVELS[key],
        })),
      ),
      text(
        'Controls are functions of the harness and run at local. Browser libraries run at local too, in a sandbox of their ' +
          'own where bubblewrap works; the episode says which.',
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
    'A fresh HOME, an allow-listed environment, limits, and an end of the whole process tree; the network of the machine. Started by root, ' +
    'the agent is a user of its own that finds no key, database, reference or other attempt, but reads whatever is open to ' +
    'every user. Started by a plain user it is that user: it can read and change references, tests, the database, the secret ' +
    'that signs sessions, other attempts and the harness, and may read keys from the memory of the runner. Its rows are not ranked.',
  bubblewrap:
    'Namespaces of the kernel: only its workspace, HOME and /tmp; the system read-only; no network but the gateway; ended as one.',
  docker:
    'The same in a container, named by the digest of its image, with one memory limit for all its processes.',
}
