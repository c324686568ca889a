import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import type { Env } from '../../sandbox/process/own-env.ts'
import { askAgentVersion } from './agent-program.ts'
import { type FoundAgent, FROM_PATH, listAgentPrograms } from './find-agent.ts'

/**
 * Finds the first program of an agent that reports its version, in the `wanted` version if there is one: PATH may
 * contain a wrapper whose program is gone. Falls back to the first of all; null = none here.
 */
export async function findWorkingAgent(
  definition: AgentDefinition,
  env: Env,
  wanted: string | null = null,
): Promise<FoundAgent | null> {
  const found = listAgentPrograms(definition, env, wanted)
  const [only = null] = found
  if (found.length <= 1) return only
  let working: FoundAgent | null = null
  for (const one of found) {
    const { version, isSlow } = await askAgentVersion(definition, one, env)
    if (version === null && !isSlow) continue
    if (wanted === null || wanted === FROM_PATH || version === wanted) return one
    working ??= one
  }
  return working ?? only
}
