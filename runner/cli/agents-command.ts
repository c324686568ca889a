import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { parse, YAMLParseError } from 'yaml'
import { problemLines } from '#lib/domain/record/index.ts'
import { type AgentDefinition, type Cadence, parseSubjectList } from '#lib/domain/runs/index.ts'
import { type KnownProviders, knownProviders } from '../providers/known-providers.ts'
import { placeError, usageError } from '../runner-error.ts'
import { describeIsolation, findStrongest } from '../sandbox/isolation/choose-isolation.ts'
import { OWN_ENV } from '../sandbox/process/own-env.ts'
import { adapterVersion } from '../subjects/agents/agent-definition.ts'
import {
  type AgentInspection,
  inspectAgent,
  installAgent,
} from '../subjects/agents/installed-agent.ts'
import {
  listAgentNames,
  loadAgents,
  pickAgent,
  readAgentFile,
} from '../subjects/agents/load-agents.ts'
import { listProviders } from '../subjects/agents/providers.ts'
import { listSubjectNames } from '../subjects/find-subject.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { listWorkflowSubjects } from '../workflow/find-workflow-subject.ts'
import { printJsonResult, printResult } from './output.ts'
import { readInputFile } from './read-files.ts'

type AgentOptions = { agentFile?: string; providerFile?: string; json?: boolean }

/** `proofboard agents …`: list, show, doctor, install. */
export function addAgentsCommand(program: Command): void {
  const agents = program.command('agents').description('list, show, check and install agents')
  for (const [name, words, action] of [
    ['list', 'list agents', list],
    ['show <name>', 'show the definition of an agent', show],
    ['doctor [name]', 'check which agents are installed and have API keys', doctor],
  ] as const) {
    agents
      .command(name)
      .description(words)
      .option('--agent-file <agent.yaml>', 'a custom agent definition')
      .option('--provider-file <providers.yaml>', 'providers of your own, or changes to known ones')
      .option('--json', 'print JSON as the last line of stdout')
      .action((...args: unknown[]) =>
        name === 'list'
          ? (action as typeof list)(args[0] as AgentOptions)
          : (action as typeof show)(args[0] as string, args[1] as AgentOptions),
      )
  }
  addInstallCommand(agents)
}

function list({ agentFile, json }: AgentOptions): void {
  const agents = agentFile === undefined ? loadAgents() : [readAgentFile(agentFile)]
  if (json) {
    printJsonResult({
      agents: agents.map((one) => ({ ...one, adapterVersion: adapterVersion(one) })),
    })
    return
  }
  for (const { name, title, install, metering, verified } of agents) {
    const meter = metering === 'gateway' ? 'metered' : 'unmetered'
    printResult(
      `${name.padEnd(10)} ${title.padEnd(22)} ${(install.tested ?? '–').padEnd(10)} ${meter.padEnd(10)} ${verified}`,
    )
  }
}

function show(name: string, { agentFile, providerFile, json }: AgentOptions): void {
  const agent = pickAgent(name, agentFile ?? null)
  if (json) printJsonResult({ agent, adapterVersion: adapterVersion(agent) })
  else printResult(describe(agent, knownProviders(providerFile ?? null)).join('\n'))
}

function describe(agent: AgentDefinition, known: KnownProviders): string[] {
  const { title, homepage, install, metering, prompt, needs, notes } = agent
  const protocols = Object.keys(agent.protocols).join(', ')
  return [
    `${title} (${agent.name}), ${homepage}`,
    `definition  ${adapterVersion(agent)}, ${agent.verified}`,
    `install     ${install.hint}`,
    `tested      ${install.tested ?? 'no version'}${needs ? `; needs ${needs}` : ''}`,
    `metering    ${metering === 'gateway' ? `through the gateway, as ${protocols}` : `none: ${metering.none}`}`,
    `providers   ${listProviders(agent, known).join(', ')}`,
    `prompt      by ${prompt}`,
    `starts as   ${[agent.binary, ...agent.argv.map((one) => (typeof one === 'string' ? one : one.toml))].join(' ')}`,
    `exit codes  ${agent.exitCodes}`,
    ...notes.map((note) => `note        ${note}`),
  ]
}

/** Exit 1 when an agent was asked for by name and cannot be started here. */
async function doctor(
  name: string | undefined,
  { agentFile, providerFile, json }: AgentOptions,
): Promise<void> {
  const wanted = name ?? (agentFile === undefined ? null : readAgentFile(agentFile).name)
  const agents = wanted === null ? loadAgents() : [pickAgent(wanted, agentFile ?? null)]
  const found: AgentInspection[] = []
  const known = knownProviders(providerFile ?? null)
  for (const agent of agents) found.push(await inspectAgent(agent, OWN_ENV, known))
  if (json) printJsonResult({ agents: found, isolation: await defaultIsolation() })
  else printResult(found.flatMap(inspectionLines).join('\n'))
  if (wanted !== null && found.some(({ version }) => version === null)) process.exitCode = 1
}

/** The default isolation level for agents on this machine, and why. */
async function defaultIsolation() {
  const { level } = await findStrongest()
  return { level, line: await describeIsolation(level, 'auto') }
}

function inspectionLines(found: AgentInspection): string[] {
  const { name, installed, version, warnings, keys, hint } = found
  const state = installed ? `installed, ${version ?? 'version unknown'}` : 'not installed'
  const lines = [`${name.padEnd(10)} ${state}`]
  const add = (text: string) => lines.push(`${' '.repeat(11)}${text}`)
  for (const warning of warnings) add(`warning: ${warning}`)
  if (!installed) add(`install: ${hint}`)
  if (found.needs) add(`needs: ${found.needs}`)
  // The rest is the same for every agent: proofboard providers list.
  const others = found.otherProviders.filter(({ present }) => present.length > 0)
  for (const { provider, anyOf, present } of [...keys, ...others])
    add(
      `key for ${provider}: ${present.length > 0 ? `${present.join(', ')} is set` : `${anyOf.join(' or ')} is not set`}`,
    )
  if (found.meteringReason) add(`unmetered: ${found.meteringReason}`)
  if (found.network.length > 0) add(`also calls: ${found.network.join(', ')}`)
  if (found.isolationNote) add(`isolation: ${found.isolationNote}`)
  return lines
}

type InstallOptions = { agentFile?: string; pathFile?: string }

/** `proofboard agents install`: the tested version of an agent, in a folder of its own in the data folder. */
function addInstallCommand(agents: Command): void {
  agents
    .command('install <name>')
    .description('install the tested version of an agent; controls and libraries are built in')
    .option('--agent-file <agent.yaml>', 'a custom agent definition')
    .option('--path-file <file>', 'append the folder to this file, for $GITHUB_PATH')
    .action(install)
}

async function install(name: string, { agentFile, pathFile }: InstallOptions): Promise<void> {
  if (agentFile === undefined && isHereAlready(name)) {
    printResult(`${name} comes with Proofboard: nothing to install`)
    return
  }
  const definition = pickAgent(name, agentFile ?? null)
  const place = join(dataFolder(OWN_ENV), 'agents')
  const installed = await installAgent(definition, { place, own: OWN_ENV })
  if (!installed.ok)
    throw placeError(
      `${name} could not be installed: ${installed.reason}. By hand: ${definition.install.hint}`,
    )
  if (pathFile !== undefined) appendFileSync(pathFile, `${installed.bin}\n`)
  printResult(`${definition.name} ${definition.install.tested}\n${installed.bin}`)
}

function isHereAlready(name: string): boolean {
  if (listAgentNames().includes(name)) return false
  return listSubjectNames().includes(name) || listWorkflowSubjects().includes(name)
}

/** `proofboard subjects`: whom a scheduled leaderboard measures today, as lines `name=value` for a workflow's output. */
export function addSubjectsCommand(program: Command): void {
  program
    .command('subjects')
    .description('list the subjects of a file; prints name=value lines for a workflow')
    .argument('<subjects.yml>')
    .addOption(
      new Option('--every <cadence>', 'cadence: daily subjects only, or all once a week')
        .choices(['day', 'week'])
        .default('week'),
    )
    .action(printSubjects)
}

function printSubjects(path: string, { every }: { every: Cadence }): void {
  const listed = parseSubjectList(readYaml(path), every)
  if (!listed.ok)
    throw usageError(
      `${path} is not a list of subjects: ${problemLines(listed.problems, 5).join('; ')}`,
    )
  printResult(`subjects=${JSON.stringify(listed.value)}\ncount=${listed.value.length}`)
}

function readYaml(path: string): unknown {
  try {
    return parse(readInputFile(path), { maxAliasCount: 0 })
  } catch (error) {
    if (!(error instanceof YAMLParseError) && !(error instanceof ReferenceError)) throw error
    throw usageError(`${path} is not valid YAML: ${error.message.split('\n')[0]}`)
  }
}
