import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { installAgent } from '../agents/install-agent.ts'
import { listAgentNames, pickAgent } from '../agents/load-agents.ts'
import { listSubjectNames } from '../controls/find-subject.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { listWorkflowSubjects } from '../workflow/find-workflow-subject.ts'
import { PlaceError } from './cli-error.ts'
import { answer } from './output.ts'

type Options = { agentFile?: string; pathFile?: string }

/** `proofboard agents install`: the tested version of an agent, in a folder of its own in the data folder. */
export function addInstallCommand(agents: Command): void {
  agents
    .command('install <name>')
    .description('install the tested version of an agent; controls and libraries are built in')
    .option('--agent-file <agent.yaml>', 'a custom agent definition')
    .option('--path-file <file>', 'append the folder to this file, for $GITHUB_PATH')
    .action(execute)
}

async function execute(name: string, { agentFile, pathFile }: Options): Promise<void> {
  if (agentFile === undefined && isHereAlready(name)) {
    answer(`${name} comes with Proofboard: nothing to install`)
    return
  }
  const definition = pickAgent(name, agentFile ?? null)
  const place = join(dataFolder(OWN_ENV), 'agents')
  const installed = await installAgent(definition, { place, own: OWN_ENV })
  if (!installed.ok)
    throw new PlaceError(
      `${name} could not be installed: ${installed.reason}. By hand: ${definition.install.hint}`,
    )
  if (pathFile !== undefined) appendFileSync(pathFile, `${installed.bin}\n`)
  answer(`${definition.name} ${definition.install.tested}\n${installed.bin}`)
}

function isHereAlready(name: string): boolean {
  if (listAgentNames().includes(name)) return false
  return listSubjectNames().includes(name) || listWorkflowSubjects().includes(name)
}
