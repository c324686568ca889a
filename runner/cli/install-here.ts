import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import { placeError } from '../runner-error.ts'
import { chooseIsolation, findStrongest } from '../sandbox/isolation/choose-isolation.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { findUnreachableAgent } from '../subjects/agents/agent-program.ts'
import { type FoundAgent, installPlace } from '../subjects/agents/find-agent.ts'
import { installAgent, twinProcessor } from '../subjects/agents/install-agent.ts'
import { writeError } from './output.ts'

/** Installs an agent where `run` looks first; `version` null = the tested one. Throws a RunnerError that says why not. */
export async function installHere(
  definition: AgentDefinition,
  { version, signal }: { version: string | null; signal: AbortSignal },
): Promise<{ version: string; bin: string }> {
  const place = installPlace(RUNNER_ENV)
  const linux = twinProcessor((await findStrongest()).level, process)
  const request = { place, env: RUNNER_ENV, version, report: writeError, signal, linux }
  const installed = await installAgent(definition, request)
  if (installed.ok) {
    await putIntoImage(definition, installed.found)
    return installed
  }
  const { name, install } = definition
  throw placeError(`${name} could not be installed: ${installed.reason}. By hand: ${install.hint}`)
}

/** Adds the agent to the image if agents run in docker here, and checks that it starts. */
async function putIntoImage(definition: AgentDefinition, found: FoundAgent): Promise<void> {
  const { level } = await findStrongest()
  if (level !== 'docker') return
  const isolation = chooseIsolation(level)
  const refusal =
    (await isolation.available()) ??
    (await findUnreachableAgent(definition, found, { isolation, env: RUNNER_ENV }))
  if (refusal !== null) throw placeError(refusal)
  const { containerImageDigest } = await isolation.record()
  writeError(`${definition.name} is in the image that it runs in: ${containerImageDigest}`)
}
