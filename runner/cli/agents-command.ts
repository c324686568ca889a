import type { Command } from 'commander'
import { type AgentDefinition, adapterVersion } from '../agents/agent-definition.ts'
import { type AgentInspection, inspectAgent } from '../agents/inspect-agent.ts'
import { loadAgents, pickAgent, readAgentFile } from '../agents/load-agents.ts'
import { listProviders } from '../agents/providers.ts'
import { describeIsolation } from '../isolation/describe-isolation.ts'
import { findStrongest } from '../isolation/find-strongest.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { addInstallCommand } from './install-command.ts'
import { answer, answerJson } from './output.ts'

type Options = { agentFile?: string; json?: boolean }

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
      .option('--json', 'print JSON as the last line of stdout')
      .action((...args: unknown[]) =>
        name === 'list'
          ? (action as typeof list)(args[0] as Options)
          : (action as typeof show)(args[0] as string, args[1] as Options),
      )
  }
  addInstallCommand(agents)
}

function list({ agentFile, json }: Options): void {
  const agents = agentFile === undefined ? loadAgents() : [readAgentFile(agentFile)]
  if (json) {
    answerJson({ agents: agents.map((one) => ({ ...one, adapterVersion: adapterVersion(one) })) })
    return
  }
  for (const { name, title, install, metering, verified } of agents) {
    const meter = metering === 'gateway' ? 'metered' : 'unmetered'
    answer(
      `${name.padEnd(10)} ${title.padEnd(22)} ${(install.tested ?? '–').padEnd(10)} ${meter.padEnd(10)} ${verified}`,
    )
  }
}

function show(name: string, { agentFile, json }: Options): void {
  const agent = pickAgent(name, agentFile ?? null)
  if (json) answerJson({ agent, adapterVersion: adapterVersion(agent) })
  else answer(describe(agent).join('\n'))
}

function describe(agent: AgentDefinition): string[] {
  const { title, homepage, install, metering, prompt, needs, notes } = agent
  const protocols = Object.keys(agent.protocols).join(', ')
  return [
    `${title} (${agent.name}), ${homepage}`,
    `definition  ${adapterVersion(agent)}, ${agent.verified}`,
    `install     ${install.hint}`,
    `tested      ${install.tested ?? 'no version'}${needs ? `; needs ${needs}` : ''}`,
    `metering    ${metering === 'gateway' ? `through the gateway, as ${protocols}` : `none: ${metering.none}`}`,
    `providers   ${listProviders(agent).join(', ')}`,
    `prompt      by ${prompt}`,
    `starts as   ${[agent.binary, ...agent.argv.map((one) => (typeof one === 'string' ? one : one.toml))].join(' ')}`,
    `exit codes  ${agent.exitCodes}`,
    ...notes.map((note) => `note        ${note}`),
  ]
}

/** Exit 1 when an agent was asked for by name and cannot be started here. */
async function doctor(name: string | undefined, { agentFile, json }: Options): Promise<void> {
  const wanted = name ?? (agentFile === undefined ? null : readAgentFile(agentFile).name)
  const agents = wanted === null ? loadAgents() : [pickAgent(wanted, agentFile ?? null)]
  const found: AgentInspection[] = []
  for (const agent of agents) found.push(await inspectAgent(agent, OWN_ENV))
  if (json) answerJson({ agents: found, isolation: await defaultIsolation() })
  else answer(found.flatMap(inspectionLines).join('\n'))
  if (wanted !== null && found.some(({ version }) => version === null)) process.exitCode = 1
}

/** The level that agents run at here when nobody says one, and why. */
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
  for (const { provider, anyOf, present } of keys)
    add(
      `key for ${provider}: ${present.length > 0 ? `${present.join(', ')} is set` : `${anyOf.join(' or ')} is not set`}`,
    )
  if (found.meteringReason) add(`unmetered: ${found.meteringReason}`)
  if (found.network.length > 0) add(`also calls: ${found.network.join(', ')}`)
  if (found.isolationNote) add(`isolation: ${found.isolationNote}`)
  return lines
}
