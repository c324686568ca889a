import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { unknownName } from '#lib/domain/nearest-names.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { AgentError } from './agent-error.ts'
import { parseAgent } from './parse-agent.ts'

/** The definitions that come with Proofboard, read when asked: the bundled command line lies elsewhere. */
const BUILT_IN = join(PROJECT_ROOT, 'runner', 'agents')

/** Names of the agents that come with Proofboard, ascending. */
export function listAgentNames(): string[] {
  return readdirSync(BUILT_IN)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort()
}

/** A built-in definition; null when there is none of that name. Throws when ours is broken: that is our bug. */
export function findAgent(name: string): AgentDefinition | null {
  if (!listAgentNames().includes(name)) return null
  return readAgentFile(join(BUILT_IN, `${name}.yaml`))
}

/** Every built-in definition, by name. */
export function loadAgents(): AgentDefinition[] {
  return listAgentNames().map((name) => readAgentFile(join(BUILT_IN, `${name}.yaml`)))
}

/** A definition from a file of one's own. Throws AgentError, in one sentence. */
export function readAgentFile(path: string): AgentDefinition {
  let text: string
  try {
    // A device would never end.
    if (!statSync(path).isFile()) throw new AgentError(`the agent file ${path} is no file`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof AgentError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason'
    throw new AgentError(`cannot read the agent file ${path}: ${code}`)
  }
  return parseAgent(text, path)
}

/** The definition to use: from the caller's own file, whose name has to fit, else a built-in one. */
export function pickAgent(name: string, file: string | null): AgentDefinition {
  if (file === null) {
    const found = findAgent(name)
    if (found) return found
    throw new AgentError(unknownName('agent', name, listAgentNames()))
  }
  const definition = readAgentFile(file)
  if (definition.name === name) return definition
  throw new AgentError(
    `${file} defines the agent "${definition.name}", not "${name}": write --subject ${definition.name}`,
  )
}
