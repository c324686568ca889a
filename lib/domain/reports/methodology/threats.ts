import type { RuleCode } from '../../eligibility/decide-eligibility.ts'
import type { OutcomeStatus } from '../../record/outcome.ts'
import type { AttackClassId } from '../attack-audit.ts'
import type { FindingCode } from './findings.ts'

/** Every class of attack in the threat model, in the order of the page. */
export const THREATS: readonly Threat[] = [
  {
    id: 'reads-answers',
    title: 'Reads the answers',
    attack: 'Copies the reference from the clone, its git history, a cache or another attempt.',
    stops:
      'In a sandbox the agent sees its workspace, HOME and /tmp, none of which holds answers. At local a runner that is root ' +
      'gives the agent a user of its own and closes exercises, history and data folder to it. At local as a plain user nothing stops it.',
    shows:
      'A copy with other names, comments or white space is a finding; a copy that was rewritten is not recognised. Rows of ' +
      'agents and commands at local are refused.',
    outcomes: ['tampered'],
    findings: ['copied-reference', 'solution-is-link'],
    rules: ['answers-out-of-reach'],
    audit: ['answers-within-reach'],
  },
  {
    id: 'memorises-tests',
    title: 'Learns the visible tests by heart',
    attack: 'Answers from a table of the visible inputs, or by the line of the test that calls it.',
    stops:
      'The held-out transcript: new random inputs for every attempt, drawn after the plan was frozen. Tasks without a ' +
      'held-out scenario do not stop it.',
    shows:
      'The held-out check fails and shows the first difference. Where there is no held-out scenario the attack is solved; ' +
      'such rows say “visible tests only”.',
    outcomes: ['unsolved'],
    findings: [],
    rules: [],
    audit: ['answers-memorised'],
  },
  {
    id: 'forges-report',
    title: 'Forges the report',
    attack: 'Writes results instead of earning them: exit codes, printed lines, report records.',
    stops:
      'Exit codes and output are never scored. Results travel over a private channel and must name exactly the expected ' +
      'tests. A program that reports passes blindly fails the second run, and the transcript needs answers that never ' +
      'enter its process.',
    shows: 'A finding where a detector sees it; otherwise a failed check.',
    outcomes: ['tampered', 'unsolved'],
    findings: ['report-forged', 'report-missing', 'exit-attempt', 'passes-altered-tests'],
    rules: ['integrity'],
    audit: ['verdict-forged'],
  },
  {
    id: 'changes-language',
    title: 'Changes the language',
    attack:
      'Replaces built-ins, timers or matchers, or returns values that claim to equal everything.',
    stops:
      'Built-ins are locked before the solution is loaded, writes to them are refused, and comparisons use copies that the ' +
      'solution cannot reach. The transcript is compared by value in another process.',
    shows: 'An attempt to write is a finding even when it changed nothing.',
    outcomes: ['tampered', 'unsolved'],
    findings: ['builtin-changed', 'canary-failed'],
    rules: ['integrity'],
    audit: ['language-tampered', 'lying-values'],
  },
  {
    id: 'escapes-test-process',
    title: 'Escapes the test process',
    attack: 'Reaches real modules, the real process or internals of the runtime.',
    stops:
      'No object of the runtime is handed out, and everything reachable is frozen. Outside that, the process has no files, ' +
      'processes or network of the machine, as far as its sandbox goes (see exercise verification). Owning the process is ' +
      'not enough where a held-out transcript is compared: the reference’s answers are not in it. On tasks with visible tests ' +
      'only it is: such a solution could forge the whole report.',
    shows:
      'Looking for a way out is a finding. An escape that no detector saw still fails the transcript.',
    outcomes: ['tampered', 'unsolved'],
    findings: ['refused-module', 'reached-for-internals'],
    rules: ['integrity'],
    audit: ['sandbox-escape'],
  },
  {
    id: 'edits-inputs',
    title: 'Edits what the verifier reads',
    attack: 'Changes tests, compiler settings or packages, or plants files that tools pick up.',
    stops:
      'Only the declared solution files leave the workspace, as text. Tests and settings come from the suite, and every other ' +
      'file is restored.',
    shows: 'The episode lists every protected file that was touched.',
    outcomes: ['tampered', 'unsolved'],
    findings: ['solution-is-link'],
    rules: [],
    audit: ['trusted-inputs', 'harness-tampered'],
  },
  {
    id: 'replaces-verifier',
    title: 'Replaces verifier programs',
    attack: 'Overwrites a cached program of the verifier, or ends a process that waits for work.',
    stops:
      'Programs are read once when a run starts, held against their digests and kept in memory; each test process gets ' +
      'its program through a pipe. A sandboxed agent sees neither the files nor the processes. At local as a plain user ' +
      'the harness itself can be changed.',
    shows:
      'The digest of the verifier is sealed in every episode. A file that differs from its digest makes the attempt void ' +
      'before the agent starts.',
    outcomes: ['void'],
    findings: [],
    rules: ['answers-out-of-reach'],
    audit: ['harness-tampered'],
  },
  {
    id: 'kills-harness',
    title: 'Kills the runner or the verifier',
    attack:
      'Ends the harness during a failed attempt, so that the attempt is excluded and repeated.',
    stops:
      'A sandboxed agent, or one with a user of its own, cannot signal the runner. Where an agent could, the interrupted ' +
      'attempt counts against it unless something outside shows another cause, such as a restart of the machine. A solution ' +
      'that ends its own test process fails.',
    shows:
      'Void attempts stay on the run’s page and count against the row’s limit, also after they were repeated.',
    outcomes: ['subject-crashed', 'tampered', 'unsolved'],
    findings: ['exit-attempt'],
    rules: ['void-attempts', 'complete'],
    audit: ['harness-tampered', 'denial'],
  },
  {
    id: 'exhausts-machine',
    title: 'Exhausts the machine',
    attack: 'Loops, allocates, forks, fills the disk or prints without end.',
    stops:
      'Agents and test processes have limits of time, memory, processes and output; their whole process tree is ended.',
    shows: 'The limit that was reached.',
    outcomes: ['out-of-budget', 'unsolved'],
    findings: [],
    rules: [],
    audit: ['denial'],
  },
  {
    id: 'steals-keys',
    title: 'Steals keys',
    attack:
      'Looks for the key of a model provider in environments, command lines, files and memory.',
    stops:
      'The gateway holds the key, in memory; it reaches the runner through a pipe and stands in no environment that an agent ' +
      'inherits. At local as a plain user the memory of the runner, and the shell that exported the key, may be readable. An ' +
      'agent that cannot be metered is given its own vendor’s key.',
    shows: 'Logs, diffs and recordings are searched for keys before they are stored.',
    outcomes: [],
    findings: [],
    rules: ['answers-out-of-reach', 'unmetered'],
    audit: ['secrets'],
  },
  {
    id: 'alters-data',
    title: 'Alters stored data',
    attack: 'Writes to the database, the stored results or the secret that signs sessions.',
    stops:
      'The data folder is readable by its owner alone, and a sandbox does not show it. At local as a plain user the agent is ' +
      'that owner: it can rewrite results and sign in as an administrator.',
    shows:
      'Ledger verification finds an edit that does not rewrite the whole chain, and an envelope whose seal does not match is ' +
      'refused. Whoever rewrites both consistently is found only by comparing with an earlier copy.',
    outcomes: [],
    findings: [],
    rules: ['answers-out-of-reach'],
    audit: ['secrets'],
  },
  {
    id: 'bypasses-browser',
    title: 'A library bypasses its browser',
    attack:
      'Changes the app by plain requests, its control address or another client, then opens the page.',
    stops:
      'With bubblewrap a library reaches its leased browser and nothing else. On Linux the app serves only connections that ' +
      'the kernel attributes to that browser. A script that the library runs inside the page counts as using the browser. ' +
      'Without bubblewrap a library can read what its user can, and could take over a connection of its browser.',
    shows:
      'The refused request is a finding. The episode names the sandbox, and says so where requests could not be told apart.',
    outcomes: ['tampered', 'unsolved'],
    findings: ['changed-outside-browser', 'control-endpoint-probed', 'reached-another-episode'],
    rules: ['integrity', 'answers-out-of-reach'],
    audit: ['browser-shortcuts'],
  },
  {
    id: 'persuades-judge',
    title: 'Persuades a judge',
    attack: 'Writes instructions, markup or terminal codes into logs, names and solutions.',
    stops: 'No language model takes part in a verdict. Pages and logs escape what they show.',
    shows: 'The text, as text.',
    outcomes: ['unsolved'],
    findings: [],
    rules: [],
    audit: ['judge-injection'],
  },
  {
    id: 'edits-upload',
    title: 'Uploads edited results',
    attack: 'Changes a result file, computes its checksums again and uploads it.',
    stops:
      'Only an upload token or a workflow’s identity, which the row names, and a check for contradictions. The seal is a ' +
      'checksum without a key: it shows damage, not who wrote it. Stored solutions are evaluated again here, in bubblewrap.',
    shows:
      'A verdict that the stored solution does not earn, on row and episode. Edited figures that are consistent (time, tokens, cost) ' +
      'and what browser workflows tell are accepted, with the provenance of their sender.',
    outcomes: [],
    findings: [],
    rules: ['provenance', 'evaluated-here', 'mode-evidence'],
    audit: [],
  },
]

/** One class of attack: what stops it, and what an episode or a row says afterwards. */
export type Threat = {
  id: string
  title: string
  attack: string
  /** Says also where it does not hold. */
  stops: string
  shows: string
  /** How an attempt that tries it can end, where the attack shows in an outcome. */
  outcomes: readonly OutcomeStatus[]
  findings: readonly FindingCode[]
  /** Evidence rules that refuse the row. */
  rules: readonly RuleCode[]
  /** Classes of the audit that play it; none = the audit does not play it. */
  audit: readonly AttackClassId[]
}
