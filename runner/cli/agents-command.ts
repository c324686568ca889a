import { type Command, Option } from 'commander'
import { parse, YAMLParseError } from 'yaml'
import {
  type AgentDefinition,
  type AgentLogin,
  type Cadence,
  parseSubjectList,
} from '#lib/domain/runs/index.ts'
import { problemLines } from '#lib/domain/text/index.ts'
import { type KnownProviders, knownProviders } from '../providers/known-providers.ts'
import { subjectError, usageError } from '../runner-error.ts'
import { describeIsolation, findStrongest } from '../sandbox/isolation/choose-isolation.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { adapterVersion } from '../subjects/agents/agent-definition.ts'
import { installAdvice } from '../subjects/agents/find-agent.ts'
import { findWorkingAgent } from '../subjects/agents/find-working-agent.ts'
import { type AgentInspection, inspectAgent } from '../subjects/agents/inspect-agent.ts'
import { loadAgents, pickAgent, readAgentFile } from '../subjects/agents/load-agents.ts'
import { endLogin, requireLogin, startLogin } from '../subjects/agents/login.ts'
import { listProviders } from '../subjects/agents/providers.ts'
import { readInputFile } from './input-files.ts'
import { addInstallCommand } from './install-command.ts'
import { printJsonResult, printResult } from './output.ts'

type AgentOptions = { agentFile?: string; providerFile?: string; json?: boolean }

/** `proofboard agents …`: list, show, doctor, install, login, logout. */
export function addAgentsCommand(program: Command): void {
  const agents = program
    .command('agents')
    .description('list, show, check, install and log in agents')
  for (const [name, words, action] of [
    ['list', 'list agents: what is installed here, which keys are missing', list],
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
  addLoginCommands(agents)
}

async function list({ agentFile, providerFile, json }: AgentOptions): Promise<void> {
  const agents = agentFile === undefined ? loadAgents() : [readAgentFile(agentFile)]
  const found = await inspectAll(agents, knownProviders(providerFile ?? null), false)
  if (json) {
    printJsonResult({
      agents: agents.map((one, index) => ({
        ...one,
        adapterVersion: adapterVersion(one),
        here: describeHere(found[index]),
      })),
    })
    return
  }
  for (const [index, one] of agents.entries()) {
    const here = found[index]
    if (here) printResult(listLine(one, here))
  }
}

function describeHere(found: AgentInspection | undefined) {
  if (!found) return null
  const { version, installedBy, binary, keys, login } = found
  return { version, installedBy, binary, keys, login }
}

function listLine({ name, title }: AgentDefinition, found: AgentInspection): string {
  const { installedBy, binary } = found
  const version = (found.version ?? (binary === null ? 'not installed' : 'version unknown')).padEnd(
    14,
  )
  const where = binary === null ? found.hint : installedBy === 'path' ? `PATH, ${binary}` : binary
  return `${name.padEnd(12)} ${title.padEnd(24)} ${version} ${keysInShort(found)}\n${' '.repeat(13)}${where}`
}

/** Lists the providers that it can reach here, otherwise the variables that would enable one. */
function keysInShort({ keys, otherProviders, login, metering }: AgentInspection): string {
  const ready = [...keys, ...otherProviders].flatMap(({ present }) => present)
  const missing = keys.flatMap(({ anyOf }) => anyOf)
  const words = [
    ...(ready.length > 0 ? [`${[...new Set(ready)].join(', ')} set`] : []),
    ...(ready.length === 0 && missing.length > 0 ? [`no ${[...new Set(missing)].join(', ')}`] : []),
    ...(login?.present ? [`logged in to ${login.title}`] : []),
    ...(metering === 'none' ? ['unmetered'] : []),
  ]
  return words.join('; ')
}

/** A few at a time: each may start a program of its own. */
async function inspectAll(
  agents: readonly AgentDefinition[],
  known: KnownProviders,
  starts: boolean,
) {
  const found: AgentInspection[] = []
  for (let at = 0; at < agents.length; at += INSPECTED_AT_ONCE) {
    const some = agents.slice(at, at + INSPECTED_AT_ONCE)
    found.push(
      ...(await Promise.all(some.map((one) => inspectAgent(one, RUNNER_ENV, { known, starts })))),
    )
  }
  return found
}

const INSPECTED_AT_ONCE = 4

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
    `install     ${installAdvice(agent)}`,
    ...(installAdvice(agent) === install.hint ? [] : [`by hand     ${install.hint}`]),
    `tested      ${install.tested ?? 'no version'}${needs ? `; needs ${needs}` : ''}`,
    `metering    ${metering === 'gateway' ? `through the gateway, as ${protocols}` : `none: ${metering.none}`}`,
    `providers   ${listProviders(agent, known).join(', ')}`,
    `effort      ${agent.effort ? Object.keys(agent.effort.levels).join(', ') : 'no setting'}`,
    `login       ${agent.login ? describeLogin(agent.login) : 'none'}`,
    `prompt      by ${prompt}`,
    `starts as   ${[agent.binary, ...agent.argv.map((one) => (typeof one === 'string' ? one : one.toml))].join(' ')}`,
    `exit codes  ${agent.exitCodes}`,
    ...notes.map((note) => `note        ${note}`),
  ]
}

function describeLogin({ title, gateway }: AgentLogin): string {
  return gateway
    ? `${title}, shown to its provider by the gateway`
    : `${title}, passed to the agent, which is then not metered`
}

/** Exit 1 when a named agent cannot be started here. */
async function doctor(
  name: string | undefined,
  { agentFile, providerFile, json }: AgentOptions,
): Promise<void> {
  const wanted = name ?? (agentFile === undefined ? null : readAgentFile(agentFile).name)
  const agents = wanted === null ? loadAgents() : [pickAgent(wanted, agentFile ?? null)]
  const known = knownProviders(providerFile ?? null)
  const found = await inspectAll(agents, known, wanted !== null)
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
  const { name, warnings, keys, hint, needs, network, meteringReason, isolationNote } = found
  // The rest is the same for every agent: proofboard providers list.
  const others = found.otherProviders.filter(({ present }) => present.length > 0)
  const lines = [
    ...warnings.map((warning) => `warning: ${warning}`),
    ...(found.installed ? [] : [`install: ${hint}`]),
    ...(needs ? [`needs: ${needs}`] : []),
    ...[...keys, ...others].map(keyLine),
    ...loginLines(found),
    ...(meteringReason ? [`unmetered: ${meteringReason}`] : []),
    ...(network.length > 0 ? [`also calls: ${network.join(', ')}`] : []),
    ...(isolationNote ? [`isolation: ${isolationNote}`] : []),
  ]
  return [
    `${name.padEnd(10)} ${describeState(found)}`,
    ...lines.map((line) => `${' '.repeat(11)}${line}`),
  ]
}

function describeState({ installed, installedBy, version }: AgentInspection): string {
  if (!installed) return 'not installed'
  return `installed, ${version ?? 'version unknown'}${installedBy === 'path' ? ', from PATH' : ''}`
}

function keyLine({ provider, anyOf, present }: AgentInspection['keys'][number]): string {
  const state =
    present.length > 0 ? `${present.join(', ')} is set` : `${anyOf.join(' or ')} is not set`
  return `key for ${provider}: ${state}`
}

function loginLines({ name, login }: AgentInspection): string[] {
  if (!login) return []
  return login.present
    ? [`logged in to ${login.title}`]
    : [`login to ${login.title}: proofboard agents login ${name}`]
}

/** `proofboard subjects`: what a scheduled leaderboard measures today, as lines `name=value` for a workflow's output. */
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

type LoginOptions = { agentFile?: string }

/** `proofboard agents login`, `logout`: the agent's own login to its vendor's subscription, saved for runs with --login. */
function addLoginCommands(agents: Command): void {
  agents
    .command('login <name>')
    .description("log in to the agent's subscription and store the login for run --login")
    .option('--agent-file <agent.yaml>', 'a custom agent definition')
    .action(login)
  agents
    .command('logout <name>')
    .description('delete the stored login')
    .option('--agent-file <agent.yaml>', 'a custom agent definition')
    .action(logout)
}

async function login(name: string, { agentFile }: LoginOptions): Promise<void> {
  const definition = pickAgent(name, agentFile ?? null)
  requireLogin(definition)
  const found = await findWorkingAgent(definition, RUNNER_ENV)
  if (found === null) throw subjectError(`${name} is not installed: ${installAdvice(definition)}`)
  const { folder, title } = await startLogin(definition, found, RUNNER_ENV)
  printResult(
    `${name} is logged in to ${title}: proofboard run --subject ${name} --login …\n${folder}`,
  )
}

async function logout(name: string, { agentFile }: LoginOptions): Promise<void> {
  const definition = pickAgent(name, agentFile ?? null)
  requireLogin(definition)
  const was = await endLogin(definition, RUNNER_ENV)
  printResult(was ? `the login of ${name} is forgotten` : `${name} was not logged in`)
}
