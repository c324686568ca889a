import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import { present, shellWord, unknownName } from '#lib/domain/text/index.ts'
import { listSuiteLocations } from '../kinds/find-suite.ts'
import { exampleExercise } from '../project/example-exercise.ts'
import { EXAMPLE_TASK, exampleRepository } from '../project/example-repository.ts'
import { initProject, type NewProject, SUITE_FOLDER, suiteNameOf } from '../project/init-project.ts'
import { findOwnRepository } from '../project/own-repository.ts'
import { PROJECT_FILE } from '../project/read-project.ts'
import { isRunnerError, usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { findAgentProgram } from '../subjects/agents/find-agent.ts'
import { findAgent } from '../subjects/agents/load-agents.ts'
import { isControl, listSubjectNames } from '../subjects/find-subject.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { LazyVerifier, openSuite } from './open-suite.ts'
import { printJsonResult, printResult, writeError } from './output.ts'
import { showSteps } from './show-steps.ts'

type Options = {
  agent?: string
  command?: string
  model?: string
  provider?: string
  tasks?: string
  kind?: Kind
  prove: boolean
  isolation?: string
  yes?: boolean
  json?: boolean
}

/** The examples that can be written; one with a proof is proven at once, because a run needs the proof. */
const EXAMPLES = {
  repository: {
    hasProof: true,
    write: async (suiteId: string, folder: string) => {
      const { repository, notes } = await findOwnRepository(folder)
      return { files: await exampleRepository(suiteId, repository), notes }
    },
  },
  exercise: {
    hasProof: false,
    write: async (suiteId: string) => ({ files: exampleExercise(suiteId), notes: [] }),
  },
}
type Kind = keyof typeof EXAMPLES
const ISOLATION = ['auto', 'bubblewrap', 'docker', 'local']
const DEFAULTS = { agent: 'claude', model: 'claude-sonnet-5', tasks: 'example', isolation: 'auto' }

/** `proofboard init`: a project file, one task, and the command that runs it. */
export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('start a project in this folder: proofboard.yaml and an example task')
    .argument('[folder]', 'folder of the project', '.')
    .option('--agent <name>', 'agent (proofboard agents list) or control to measure')
    .option('--command <shell command>', 'start this command as the agent instead')
    .option('--model <name>', 'model id of the provider; scripted = no provider is used')
    .option('--provider <name>', 'model provider (default: first with an API key)')
    .option('--tasks <example|suite>', 'example = one task is written; or the name of a suite')
    .addOption(
      new Option(
        '--kind <kind>',
        'the example: a task in the git repository of this folder (default), or a TypeScript exercise',
      ).choices(Object.keys(EXAMPLES)),
    )
    .option('--no-prove', 'write the example without verifying it')
    .addOption(new Option('--isolation <level>', 'sandbox of the agent').choices(ISOLATION))
    .option('--yes', 'use defaults instead of asking')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(init)
}

async function init(folder: string, options: Options): Promise<void> {
  const answered = options.yes ? options : await ask(options)
  const { tasks = DEFAULTS.tasks, kind = 'repository' } = answered
  const request = readProjectOptions(answered)
  const { files, notes } =
    tasks === 'example' ? await EXAMPLES[kind].write(suiteNameOf(folder), folder) : NO_EXAMPLE
  const project = { ...request, tasks: files ?? tasks }
  const written = await initProject(folder, project)
  if (!options.json) for (const path of written) printResult(`wrote ${path}`)
  for (const note of notes) writeError(`note: ${note}`)
  const hasProof = files !== null && EXAMPLES[kind].hasProof
  const problem = hasProof && options.prove ? await proveExample(folder) : null
  const isUnproven = hasProof && (problem !== null || !options.prove)
  print({ written, notes, problem, next: nextCommands(folder, project, isUnproven) }, options)
}

const NO_EXAMPLE = { files: null, notes: [] }

type Answer = { written: string[]; notes: string[]; problem: string | null; next: string[] }

function print(result: Answer, { json }: Options): void {
  const { problem, next } = result
  if (problem !== null) process.exitCode = 1
  if (problem !== null && !json) writeError(problem)
  if (json) printJsonResult(result)
  else printResult(['next:', ...next.map((line) => `  ${line}`)].join('\n'))
}

/** Proves the written task: a run refuses a task without a proof. Null = proven; else what to do. */
async function proveExample(folder: string): Promise<string | null> {
  const verifier = new LazyVerifier()
  const file = join(SUITE_FOLDER, EXAMPLE_TASK, 'task.yaml')
  const say = (why: string) =>
    `${EXAMPLE_TASK} is not proven yet: ${why.replace(/[.\s]+$/, '')}; correct ${file} (setup, verify), then prove it`
  writeError(`proving ${EXAMPLE_TASK}: its repository is set up, its solutions are judged`)
  const steps = showSteps(`proving ${EXAMPLE_TASK}`)
  try {
    const suite = await openSuite(resolve(folder, SUITE_FOLDER), verifier)
    const how = { concurrency: 1, runs: 3, leastWrong: 0, onTask: () => {}, onStep: steps.step }
    const proof = await suite.kind.prove(suite, suite.tasks, { ...how, verifier })
    const [first] = proof.deviations
    if (first === undefined) {
      steps.line(
        `${EXAMPLE_TASK} is proven: its solution is solved, doing nothing and wrong solutions are not`,
      )
      return null
    }
    const { candidate, deviates, observed } = first
    return say(deviates === observed ? observed : `${candidate}: ${deviates} (${observed})`)
  } catch (error) {
    if (isRunnerError(error)) return say(error.message)
    throw error
  } finally {
    steps.end()
    await verifier.close()
  }
}

/** Asks four questions, each with its default; options skip their question. */
async function ask(options: Options): Promise<Options> {
  if (process.stdin.isTTY !== true)
    throw usageError(
      'there is no terminal for questions: use --yes, with options for what differs',
      '--yes',
    )
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C and the end of the input close it; otherwise the question would wait forever.
  terminal.once('SIGINT', () => terminal.close())
  const closed = new Promise<never>((_, reject) => {
    terminal.once('close', () => reject(usageError('stopped: nothing was written')))
  })
  closed.catch(() => {})
  try {
    const put = async (question: string, given: string | undefined, usual: string) =>
      given ??
      ((await Promise.race([terminal.question(`${question} [${usual}] `), closed])).trim() || usual)
    const agent =
      options.command === undefined ? await put('Agent', options.agent, DEFAULTS.agent) : undefined
    const isModelNeeded = agent !== undefined && !isControl(agent)
    const model = isModelNeeded ? await put('Model', options.model, DEFAULTS.model) : options.model
    const tasks = await put('Tasks: example, or the name of a suite', options.tasks, DEFAULTS.tasks)
    const isolation = await put(
      `Isolation (${ISOLATION.join(', ')})`,
      options.isolation,
      DEFAULTS.isolation,
    )
    return { ...options, tasks, isolation, ...(agent && { agent }), ...(model && { model }) }
  } finally {
    terminal.close()
  }
}

function readProjectOptions(options: Options): Omit<NewProject, 'tasks'> {
  const { command, provider, tasks = DEFAULTS.tasks, isolation = DEFAULTS.isolation } = options
  if (command !== undefined && options.agent !== undefined)
    throw usageError('--command is an agent of your own: remove --agent', '--agent')
  if (!ISOLATION.includes(isolation))
    throw usageError(unknownName('level', isolation, ISOLATION), '--isolation')
  checkTasks(tasks, options.kind)
  if (command !== undefined)
    return {
      subject: { command, name: 'my-agent', 'subject-version': '1.0.0' },
      isolation,
    }
  const agent = options.agent ?? DEFAULTS.agent
  const known = listSubjectNames().filter((name) => name !== 'command')
  if (!known.includes(agent)) throw usageError(unknownName('agent', agent, known), '--agent')
  if (isControl(agent)) return { subject: { subject: agent }, isolation }
  const model = options.model ?? (agent === DEFAULTS.agent ? DEFAULTS.model : undefined)
  if (model === undefined)
    throw usageError(`${agent} needs a model: name it with --model`, '--model')
  const subject = { subject: agent, model, ...(provider === undefined ? {} : { provider }) }
  return { subject, isolation }
}

function checkTasks(tasks: string, kind: Kind | undefined): void {
  if (kind !== undefined && tasks !== 'example')
    throw usageError('--kind says which example is written: remove it or --tasks', '--kind')
  const suites = listSuiteLocations(dataFolder(RUNNER_ENV)).map(({ suiteId }) => suiteId)
  const known = ['example', ...suites]
  if (!known.includes(tasks)) throw usageError(unknownName('suite', tasks, known), '--tasks')
}

/** Lists the remaining commands to copy; the last one measures. */
function nextCommands(
  folder: string,
  { subject: { subject: name, model } }: NewProject,
  isUnproven: boolean,
): string[] {
  const agent = name === undefined ? null : findAgent(name)
  const isHere = agent === null || findAgentProgram(agent, RUNNER_ENV) !== null
  return present([
    folder !== '.' && `cd ${shellWord(folder)}`,
    isUnproven && `npx proofboard suite verify ${SUITE_FOLDER}`,
    !isHere && `npx proofboard agents install ${name}`,
    agent !== null &&
      model !== 'scripted' &&
      `npx proofboard agents doctor ${name}   # says which key it needs`,
    `npx proofboard run   # reads ${PROJECT_FILE}`,
  ])
}
