import type { Subject } from '#lib/domain/subject.ts'
import { type AgentDefinition, adapterVersion } from './agent-definition.ts'
import { AgentError } from './agent-error.ts'
import { askVersion } from './ask-version.ts'
import { chooseModel } from './choose-model.ts'
import { findBinary } from './find-binary.ts'

type Own = Readonly<Record<string, string | undefined>>

/**
 * The subject that a plan freezes: the agent in the version that is installed, the provider, the model as that provider
 * calls it. Without a provider it is the first one that has a key here. Throws AgentError, in one sentence.
 */
export async function chooseAgent(
  definition: AgentDefinition,
  asked: { model: string | null; provider: string | null },
  own: Own,
): Promise<Subject> {
  const chosen = chooseModel(definition, asked, own)
  return {
    kind: 'agent',
    name: definition.name,
    version: (await findInstalled(definition, own)).version,
    adapterVersion: adapterVersion(definition),
    ...chosen,
  }
}

/** Where the agent is and which version it says it is; a plan needs both. */
export async function findInstalled(
  definition: AgentDefinition,
  own: Own,
): Promise<{ binary: string; version: string }> {
  const { name, install, version } = definition
  const binary = findBinary(definition.binary, own.PATH ?? '')
  if (binary === null)
    throw new AgentError(
      `${name} is not installed (no ${definition.binary} in PATH): ${install.hint}`,
    )
  const found = await askVersion(definition, binary, own)
  if (found !== null) return { binary, version: found }
  throw new AgentError(
    `${name} does not say which version it is ("${definition.binary} ${version.args.join(' ')}"), and a plan needs one: ${install.hint}`,
  )
}
