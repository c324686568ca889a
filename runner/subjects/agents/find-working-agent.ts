import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import { askAgentVersion } from './agent-program.ts'
import { type FoundAgent, FROM_PATH, listAgentPrograms } from './find-agent.ts'

type Own = Readonly<Record<string, string | undefined>>

/**
 * Finds the first program of an agent that reports its version, in the `wanted` version if there is one: PATH may
 * contain a wrapper whose program is gone. Falls back to the first of all; null = none here.
 */
export async function findWorkingAgent(
  definition: AgentDefinition,
  own: Own,
  wanted: string | null = null,
): Promise<FoundAgent | null> {
  const found = listAgentPrograms(definition, own, wanted)
  const [only = null] = found
  if (found.length <= 1) return only
  let working: FoundAgent | null = null
  for (const one of found) {
    const { version, isSlow } = await askAgentVersion(definition, one, own)
    if (version === null && !isSlow) continue
    if (wanted === null || wanted === FROM_PATH || version === wanted) return one
    working ??= one
  }
  return working ?? only
}
