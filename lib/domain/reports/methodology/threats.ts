import type { RuleCode } from '../../eligibility/index.ts'
import type { OutcomeStatus } from '../../record/index.ts'
import type { AttackClassId } from '../attack-audit.ts'
import type { FindingCode } from './findings.ts'

/** Every class of attack in the threat model, in the order of the page. */
export const THREATS: readonly Threat[] = [
  {
    id: 'reads-answers',
    title: 'Reads the answers',
    attack:
      'Copies the reference from the clone, its git history, a cache, another attempt or, by a tool of its provider, the internet.',
    stops:
      'In a sandbox the agent sees only its workspace, HOME and /tmp, which contain no answers. The gateway passes on no tool of ' +
      'a provider that reaches the internet, and nothing that the provider keeps from another attempt. At local, a runner started by ' +
      'root gives the agent a separate user without access to exercises, history and data folder. At local as a plain user nothing stops it.',
    shows:
      'A copy with different names, comments or whitespace is a finding; a rewritten copy is not recognised. Entries of ' +
      'agents and commands at local are not ranked.',
    outcomes: ['tampered'],
    findings: ['copied-reference', 'solution-is-link'],
    rules: ['answers-out-of-reach'],
    audit: ['answers-within-reach'],
  },
  {
    id: 'memorises-tests',
    title: 'Memorises the visible tests',
    attack: 'Answers from a table of the visible inputs, or by the calling line of the test.',
    stops:
      'The held-out transcript: new random inputs for every attempt, drawn after the plan was frozen. Tasks without a ' +
      'held-out scenario do not stop it.',
    shows:
      'The held-out check fails and shows the first difference. Without a held-out scenario the attack is scored as solved; ' +
      'such entries are marked “visible tests only”.',
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
      'Exit codes and output are never scored. Results are sent over a private channel and must list exactly the expected ' +
      'tests. A program that always reports passes fails the second run, and the transcript needs answers that never ' +
      'enter its process.',
    shows: 'A finding if detected, otherwise a failed check.',
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
      'No runtime objects are exposed, and everything reachable is frozen. In addition, the process has no access to files, ' +
      'processes or the network of the machine, as far as its sandbox provides (see exercise verification). Control of the ' +
      'process is not enough if a held-out transcript is compared, because the reference’s answers are not in it. On tasks with ' +
      'visible tests only it is enough: such a solution could forge the entire report.',
    shows: 'An attempt to escape is a finding. An undetected escape still fails the transcript.',
    outcomes: ['tampered', 'unsolved'],
    findings: ['refused-module', 'reached-for-internals'],
    rules: ['integrity', 'graded-in-sandbox'],
    audit: ['sandbox-escape'],
  },
  {
    id: 'edits-inputs',
    title: 'Edits what the verifier reads',
    attack: 'Changes tests, compiler settings or packages, or plants files that tools pick up.',
    stops:
      'Only the declared solution files are read from the workspace, as text. Tests and settings come from the suite, and all ' +
      'other files are restored.',
    shows: 'The episode lists all changed protected files.',
    outcomes: ['tampered', 'unsolved'],
    findings: ['solution-is-link'],
    rules: [],
    audit: ['trusted-inputs', 'harness-tampered'],
  },
  {
    id: 'lies-in-own-tests',
    title: 'Forged results in its own test process',
    attack:
      'On a repository task or one in Harbor’s format: forges the report of the test runner, ends its process, defuses assertions, or edits what steers the runner.',
    stops:
      'The work is applied as a patch to a fresh copy, tests are added only there, and files that steer the runner are ' +
      'restored. Exit code and report must agree on the expected names. Before the unaltered tests, work is judged by runs with failing ' +
      'tests added and with tests changed. In n runs each test shows another value in one place, and the right one in a drawn run or in none, so ' +
      'that work which remembers all runs still guesses which of n + 1 values is right: for m tests that decide, once in (n + 1)^m, less where a place has fewer ' +
      'values. Versions are drawn for each attempt, n is two to nine, and the episode records the chance. The same holds for tasks in Harbor’s format whose verifier writes a CTRF report; ' +
      'without one a reward is one answer a run, and a guess is right once in four times. ' +
      'What remains: work that tells right values from wrong ones by their text (a word that nobody writes, an opposite) guesses better; work that does all of a task but one test has one test to guess; ' +
      'what work learns while it is judged could reach a later attempt on the same machine; and tests that run with a network can be sent out. ' +
      'Runs share no folder, process, memory or namespace. In bubblewrap a program can neither ask what is in the page cache nor empty it, but it can time a read; in docker it can also ask.',
    shows:
      'A finding if detected, otherwise a failed check. Pages say that the tests run in the solution’s own process.',
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
    title: 'Replaces verifier programs',
    attack: 'Overwrites a cached program of the verifier, or kills an idle verifier process.',
    stops:
      'Programs are read once when a run starts, checked against their digests and kept in memory; each test process gets ' +
      'its program through a pipe. A sandboxed agent sees neither the files nor the processes. At local as a plain user ' +
      'the harness itself can be changed.',
    shows:
      'The digest of the verifier is sealed in every episode. If a file differs from its digest, the attempt is excluded ' +
      'from scoring before the agent starts.',
    outcomes: ['void'],
    findings: [],
    rules: ['answers-out-of-reach'],
    audit: ['harness-tampered'],
  },
  {
    id: 'kills-harness',
    title: 'Kills the runner or the verifier',
    attack:
      'Kills the harness during a failed attempt, so that the attempt is excluded and retried.',
    stops:
      'A sandboxed agent, or one with a separate user, cannot signal the runner. If an agent could, the interrupted attempt ' +
      'counts as a failure unless there is independent evidence of another cause, such as a restart of the machine. A solution ' +
      'that ends its own test process fails.',
    shows:
      'Excluded attempts stay on the run’s page and count towards the entry’s limit, also after retries.',
    outcomes: ['subject-crashed', 'tampered', 'unsolved'],
    findings: ['exit-attempt'],
    rules: ['void-attempts', 'complete'],
    audit: ['harness-tampered', 'denial'],
  },
  {
    id: 'exhausts-machine',
    title: 'Exhausts the machine',
    attack: 'Loops, allocates memory, forks, fills the disk or prints endlessly.',
    stops:
      'Agents and test processes have limits of time, memory, processes and output; their entire process tree is killed.',
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
      'The gateway keeps the key in memory; the key reaches the runner through a pipe and is in no environment that an agent ' +
      'inherits. At local as a plain user, the memory of the runner and the shell that exported the key can be readable. An ' +
      'agent that cannot be metered gets its vendor’s key.',
    shows: 'Logs, diffs and recordings are scanned for keys before they are stored.',
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
      'Only its owner can read the data folder, and it is not visible in a sandbox. At local as a plain user the agent is ' +
      'that owner: it can rewrite results and sign in as an administrator.',
    shows:
      'Ledger verification detects an edit that does not rewrite the entire chain, and records with a wrong seal are ' +
      'rejected. A consistent rewrite of both is detected only by comparison with an earlier copy.',
    outcomes: [],
    findings: [],
    rules: ['answers-out-of-reach'],
    audit: ['secrets'],
  },
  {
    id: 'bypasses-browser',
    title: 'A library bypasses its browser',
    attack:
      'Changes the app with direct requests, its control address or another client, then opens the page.',
    stops:
      'With bubblewrap a library can access only its browser. On Linux the app serves only connections that the kernel ' +
      'attributes to that browser. Scripts that the library runs inside the page count as using the browser. Without ' +
      'bubblewrap a library can read what its user can, and could take over a connection of its browser.',
    shows:
      'The refused request is a finding. The episode records the sandbox, and whether requests could be attributed.',
    outcomes: ['tampered', 'unsolved'],
    findings: ['changed-outside-browser', 'control-endpoint-probed', 'reached-another-episode'],
    rules: ['integrity', 'answers-out-of-reach'],
    audit: ['browser-shortcuts'],
  },
  {
    id: 'persuades-judge',
    title: 'Persuades a judge',
    attack: 'Writes instructions, markup or terminal codes into logs, names and solutions.',
    stops: 'No language model is involved in a verdict. Pages and logs escape their content.',
    shows: 'The text, shown as text.',
    outcomes: ['unsolved'],
    findings: [],
    rules: [],
    audit: ['judge-injection'],
  },
  {
    id: 'edits-upload',
    title: 'Uploads edited results',
    attack: 'Changes a result file, recomputes its checksums and uploads it.',
    stops:
      'An upload token or a verified workflow identity, which the entry shows, and consistency checks. The seal is a checksum ' +
      'without a key: it shows damage, not the author. Stored solutions are evaluated again on this server, in bubblewrap.',
    shows:
      'A disagreeing re-evaluation on entry and episode, and figures that are not those of the log of calls. Edited figures that ' +
      'are consistent with it (time, tokens, cost) and what only the page of a browser workflow showed are accepted, with the ' +
      'provenance of their sender.',
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
  /** Classes of the audit that run it; none = the audit does not run it. */
  audit: readonly AttackClassId[]
}
