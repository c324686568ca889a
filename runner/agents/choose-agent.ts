import { unknownName } from '#lib/domain/nearest-names.ts'
import type { Subject } from '#lib/domain/subject.ts'
import { type AgentDefinition, adapterVersion } from './agent-definition.ts'
import { AgentError } from './agent-error.ts'
import { askVersion } from './ask-version.ts'
import { findBinary } from './find-binary.ts'
import { findProvider, listProviders, type Provider, SCRIPTED } from './providers.ts'

type Own = Readonly<Record<string, string | undefined>>

// Starts with a letter or digit, so that no command line takes it for an option.
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,199}$/

/**
 * The subject that a plan freezes: the agent in the version that is installed, the provider, the model as that provider
 * calls it. Without a provider it is the first one that has a key here. Throws AgentError, in one sentence.
 */
export async function chooseAgent(
  definition: AgentDefinition,
  asked: { model: string | null; provider: string | null },
  own: Own,
): Promise<Subject> {
  const wanted = asked.provider ?? (isScriptedModel(asked.model) ? SCRIPTED : null)
  const provider = chooseProvider(definition, wanted, own)
  const modelRequested = chooseModel(definition, provider, asked.model)
  return {
    kind: 'agent',
    name: definition.name,
    version: (await findInstalled(definition, own)).version,
    adapterVersion: adapterVersion(definition),
    provider: provider.name,
    modelRequested,
  }
}

/** `--model scripted` says enough: no provider has a model of that name. */
function isScriptedModel(model: string | null): boolean {
  return model !== null && /^scripted(?:-|$)/.test(model)
}

function chooseProvider(definition: AgentDefinition, asked: string | null, own: Own) {
  const names = listProviders(definition)
  const keyed = Object.keys(definition.providers).find((name) =>
    findProvider(definition, name)?.keys.some((key) => own[key]),
  )
  const wanted = asked ?? keyed ?? names[0] ?? ''
  const found = findProvider(definition, wanted)
  if (found) return found
  throw new AgentError(unknownName(`provider of ${definition.name}`, wanted, names))
}

function chooseModel(
  { name }: AgentDefinition,
  provider: Provider & { aliases: Record<string, string> },
  asked: string | null,
): string {
  if (asked === null)
    throw new AgentError(
      `say which model ${name} is to use: --model ${provider.example} (${provider.title})`,
    )
  const model = Object.hasOwn(provider.aliases, asked) ? provider.aliases[asked] : asked
  if (model === undefined || !MODEL_NAME.test(model))
    throw new AgentError(
      `--model takes letters, digits and . _ : @ + / - after a letter or digit, not ${JSON.stringify(asked.slice(0, 60))}`,
    )
  if (provider.models.test(model)) return model
  throw new AgentError(
    `"${model}" does not look like a model of ${provider.title}, where they are called like ${provider.example}: choose another --model or --provider`,
  )
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
