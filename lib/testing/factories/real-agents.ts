import { join } from 'node:path'
import type { AgentDefinition, Protocol } from '#lib/domain/runs/index.ts'
import { chooseIsolation } from '#runner/sandbox/isolation/choose-isolation.ts'
import { installAgent } from '#runner/subjects/agents/install-agent.ts'
import { loadAgents } from '#runner/subjects/agents/load-agents.ts'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import { type Settings, settingsSchema } from '../../domain/settings/index.ts'
import { startTestDocker } from '../chaos/test-docker.ts'

/** Outside of node_modules, so that `npm ci` keeps it, and a sandbox mounts only the agent's packages. */
const PLACE = join(PROJECT_ROOT, '.cache', 'agents')

export type Level = Settings['isolation']

/** A real agent installed below this folder; a run finds it by PROOFBOARD_AGENTS_DIR. */
export type RealAgent = { definition: AgentDefinition; place: string; protocols: Protocol[] }

/** The requested agents that are available; `missing` says why the others are not. */
export async function findRealAgents(
  names: readonly string[] | null,
): Promise<{ agents: RealAgent[]; missing: { name: string; reason: string }[] }> {
  const every = loadAgents()
  const all = every.filter(({ verified }) => verified === 'measured')
  const wanted = names === null ? all : names.map((name) => pick(all, name))
  const agents: RealAgent[] = []
  const missing: { name: string; reason: string }[] = []
  for (const definition of names === null ? every.filter((one) => !all.includes(one)) : []) {
    const reason = whyUnmeasured(definition)
    missing.push({ name: definition.name, reason })
  }
  for (const definition of wanted) {
    const installed = await installAgent(definition, {
      place: PLACE,
      env: process.env,
      report: (line) => process.stderr.write(`${line}\n`),
    })
    if (!installed.ok) {
      missing.push({ name: definition.name, reason: installed.reason })
      continue
    }
    const protocols = Object.keys(definition.protocols) as Protocol[]
    agents.push({ definition, place: PLACE, protocols })
  }
  return { agents, missing }
}

/** The levels of these that this machine supports. `stop` ends what was started for them. */
export async function findLevels(
  levels: readonly Level[],
): Promise<{ levels: Level[]; stop: () => Promise<void> }> {
  const docker = levels.includes('docker') ? await startTestDocker() : null
  const found: Level[] = []
  if (docker !== null && typeof docker === 'object') await docker.buildImage()
  for (const level of levels) {
    const lacking = level === 'docker' && typeof docker === 'string' ? docker : null
    const reason = lacking ?? (await chooseIsolation(level).available())
    if (reason === null) found.push(level)
  }
  const stop = async () => {
    if (docker !== null && typeof docker === 'object') await docker.stop()
  }
  return { levels: found, stop }
}

/** Why an agent cannot be run with a scripted model on this machine. */
function whyUnmeasured({ install, metering }: AgentDefinition): string {
  if (metering !== 'gateway') return `it talks to its vendor's servers only: ${metering.none}`
  return install.npm
    ? `its package ${install.npm} downloads the program from elsewhere (${install.hint})`
    : `npm does not have it: ${install.hint}`
}

function pick(all: readonly AgentDefinition[], name: string): AgentDefinition {
  const found = all.find((definition) => definition.name === name)
  if (found) return found
  throw new Error(`no measured agent "${name}": there are ${all.map((one) => one.name).join(', ')}`)
}

/** Agents (null = all measured ones) and levels that `npm run test:agents` or `npm test` requests, by environment. */
export function requestedAgents(): { names: string[] | null; levels: Level[] } {
  const names = list(process.env.PROOFBOARD_TEST_AGENTS)
  const levels = list(process.env.PROOFBOARD_TEST_ISOLATION) ?? ['local', 'bubblewrap']
  return { names, levels: levels.map((level) => settingsSchema.shape.isolation.parse(level)) }
}

function list(text: string | undefined): string[] | null {
  const names = (text ?? '').split(',').filter(Boolean)
  return names.length > 0 ? names : null
}
