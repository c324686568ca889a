import { appendFileSync } from 'node:fs'
import type { Command } from 'commander'
import { fromProject, readProject } from '../project/read-project.ts'
import { usageError } from '../runner-error.ts'
import { listAgentNames, pickAgent, readAgentFile } from '../subjects/agents/load-agents.ts'
import { listSubjectNames } from '../subjects/find-subject.ts'
import { listWorkflowSubjects } from '../workflow/find-workflow-subject.ts'
import { installHere } from './install-here.ts'
import { commandSignal, printResult } from './output.ts'

type InstallOptions = {
  agentFile?: string | undefined
  pathFile?: string
  version?: string | undefined
  config?: string
}

/** `proofboard agents install`: one version of an agent, in a folder of its own, where run and doctor look first. */
export function addInstallCommand(agents: Command): void {
  agents
    .command('install [name]')
    .description('install the tested version of an agent; controls and libraries are built in')
    .option('--agent-file <agent.yaml>', 'a custom agent definition')
    .option(
      '--config <proofboard.yaml>',
      'all agents that this project file names, in its versions',
    )
    .option('--version <version>', 'another exact version than the tested one')
    .option('--path-file <file>', 'append the folder to this file, for $GITHUB_PATH')
    .action(install)
}

async function install(name: string | undefined, options: InstallOptions): Promise<void> {
  const { config, agentFile, version } = options
  if (config !== undefined && (name ?? agentFile ?? version) !== undefined)
    throw usageError('--config names the agents and their versions: give nothing else', '--config')
  if (config !== undefined) return installProject(config, options)
  const named = name ?? (agentFile === undefined ? undefined : readAgentFile(agentFile).name)
  if (named === undefined) throw usageError('name an agent, or the project file with --config')
  await installOne(named, options)
}

/** A command is its owner's to install. */
async function installProject(config: string, options: InstallOptions): Promise<void> {
  const project = readProject(config)
  for (const one of project.subjects) {
    const file = one['agent-file']
    const agentFile = file === undefined ? undefined : fromProject(project, file)
    const name = one.subject ?? (agentFile && readAgentFile(agentFile).name)
    const { 'agent-version': version } = one
    if (name !== undefined) await installOne(name, { ...options, agentFile, version })
  }
}

async function installOne(
  name: string,
  { agentFile, pathFile, version: requested }: InstallOptions,
): Promise<void> {
  const version = requested ?? null
  if (agentFile === undefined && isHereAlready(name)) {
    printResult(`${name} is included in Proofboard: nothing to install`)
    return
  }
  if (version !== null && !/^\d+\.\d+[0-9A-Za-z.+-]{0,60}$/.test(version))
    throw usageError(`--version must be an exact version such as 2.1.330, not "${version}"`)
  const definition = pickAgent(name, agentFile ?? null)
  const signal = commandSignal({ stopWithStdin: false })
  const installed = await installHere(definition, { version, signal })
  if (pathFile !== undefined) appendFileSync(pathFile, `${installed.bin}\n`)
  printResult(`${definition.name} ${installed.version}\n${installed.bin}`)
}

function isHereAlready(name: string): boolean {
  if (listAgentNames().includes(name)) return false
  return listSubjectNames().includes(name) || listWorkflowSubjects().includes(name)
}
