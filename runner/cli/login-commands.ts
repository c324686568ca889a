import type { Command } from 'commander'
import { subjectError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { installAdvice } from '../subjects/agents/find-agent.ts'
import { findWorkingAgent } from '../subjects/agents/find-working-agent.ts'
import { pickAgent } from '../subjects/agents/load-agents.ts'
import { endLogin, requireLogin, startLogin } from '../subjects/agents/login.ts'
import { printResult } from './output.ts'

type LoginOptions = { agentFile?: string }

/** `proofboard agents login`, `logout`: the agent's own login to its vendor's subscription, saved for runs with --login. */
export function addLoginCommands(agents: Command): void {
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
