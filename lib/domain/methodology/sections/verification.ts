import type { VerifierSandbox } from '../../environment.ts'
import type { MethodologyInput } from '../methodology-constants.ts'
import { type Section, terms, text } from '../methodology-section.ts'

/** How a solution of an exercise is judged: every check, why it can be trusted, and where it runs. */
export function verificationSection({ constants }: MethodologyInput): Section {
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
