import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import { shellWord, unknownName } from '#lib/domain/record/index.ts'
import { initProject, type NewProject } from '../project/init-project.ts'
import { PROJECT_FILE } from '../project/read-project.ts'
import { usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { findAgentProgram } from '../subjects/agents/find-agent.ts'
import { findAgent } from '../subjects/agents/load-agents.ts'
import { listSubjectNames } from '../subjects/find-subject.ts'
import { listSuiteLocations } from '../suites/find-suite.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { printJsonResult, printResult } from './output.ts'

type Options = {
  agent?: string
  command?: string
  model?: string
  provider?: string
  tasks?: string
  isolation?: string
  yes?: boolean
  json?: boolean
}

const ISOLATION = ['auto', 'bubblewrap', 'docker', 'local']
const DEFAULTS = { agent: 'claude', model: 'claude-sonnet-5', tasks: 'example', isolation: 'auto' }

/** `proofboard init`: a project file, one task, and the command that runs it. */
export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('start a project in this folder: proofboard.yaml and an example task')
    .argument('[folder]', 'folder of the project', '.')
    .option('--agent <name>', 'what is measured: an agent (proofboard agents list) or a control')
    .option('--command <shell command>', 'a command that is started as the agent instead')
    .option('--model <name>', 'model id of the provider; scripted = no provider is asked')
    .option('--provider <name>', 'model provider (default: first with an API key)')
    .option('--tasks <example|suite>', 'example = one task is written; or the name of a suite')
    .addOption(new Option('--isolation <level>', 'sandbox of the agent').choices(ISOLATION))
    .option('--yes', 'ask nothing: what no option says has its default')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(init)
}

async function init(folder: string, options: Options): Promise<void> {
  const answered = options.yes ? options : await ask(options)
  const project = readProjectOptions(answered)
  const written = await initProject(folder, project)
  const next = nextCommands(folder, project)
  if (options.json) printJsonResult({ written, next })
  else
    printResult(
      [...written.map((path) => `wrote ${path}`), 'next:', ...next.map((line) => `  ${line}`)].join(
        '\n',
      ),
    )
}

/** Four questions, each with its default; what an option answers is not asked. */
async function ask(options: Options): Promise<Options> {
  if (process.stdin.isTTY !== true)
    throw usageError(
      'there is no terminal to ask on: use --yes, with options for what differs',
      '--yes',
    )
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C and the end of the input close it, and the question would wait for ever.
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

/** What can be measured without a model; a command has an option of its own. */
function isControl(name: string): boolean {
  return name !== 'command' && listSubjectNames().includes(name) && findAgent(name) === null
}

function readProjectOptions(options: Options): NewProject {
  const { command, provider, tasks = DEFAULTS.tasks, isolation = DEFAULTS.isolation } = options
  if (command !== undefined && options.agent !== undefined)
    throw usageError('--command is an agent of your own: remove --agent', '--agent')
  if (!ISOLATION.includes(isolation))
    throw usageError(unknownName('level', isolation, ISOLATION), '--isolation')
  checkTasks(tasks)
  if (command !== undefined)
    return {
      subject: { command, name: 'my-agent', 'subject-version': '1.0.0' },
      tasks,
      isolation,
      isMetered: false,
    }
  const agent = options.agent ?? DEFAULTS.agent
  const known = listSubjectNames().filter((name) => name !== 'command')
  if (!known.includes(agent)) throw usageError(unknownName('agent', agent, known), '--agent')
  if (isControl(agent)) return { subject: { subject: agent }, tasks, isolation, isMetered: false }
  const model = options.model ?? (agent === DEFAULTS.agent ? DEFAULTS.model : undefined)
  if (model === undefined)
    throw usageError(`${agent} needs a model: name it with --model`, '--model')
  const subject = { subject: agent, model, ...(provider === undefined ? {} : { provider }) }
  return { subject, tasks, isolation, isMetered: true }
}

function checkTasks(tasks: string): void {
  const suites = listSuiteLocations(dataFolder(RUNNER_ENV)).map(({ suiteId }) => suiteId)
  const known = ['example', ...suites]
  if (!known.includes(tasks)) throw usageError(unknownName('suite', tasks, known), '--tasks')
}

/** What is left to do, line by line, to be copied: the last one measures. */
function nextCommands(folder: string, { subject: { subject: name, model } }: NewProject): string[] {
  const agent = name === undefined ? null : findAgent(name)
  const isHere = agent === null || findAgentProgram(agent, RUNNER_ENV) !== null
  return [
    ...(folder === '.' ? [] : [`cd ${shellWord(folder)}`]),
    ...(isHere ? [] : [`npx proofboard agents install ${name}`]),
    ...(agent === null || model === 'scripted'
      ? []
      : [`npx proofboard agents doctor ${name}   # says which key it needs`]),
    `npx proofboard run   # reads ${PROJECT_FILE}`,
  ]
}
