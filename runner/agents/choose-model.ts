import { unknownName } from '#lib/domain/nearest-names.ts'
import type { Subject } from '#lib/domain/subject.ts'
import { AgentError } from './agent-error.ts'
import { findProvider, listProviders, type Provider, SCRIPTED, type Served } from './providers.ts'

type Own = Readonly<Record<string, string | undefined>>

// Starts with a letter or digit, so that no command line takes it for an option.
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,199}$/

/**
 * The provider, and the model as that provider calls it. Without a provider it is the first one that has a key here.
 * Throws AgentError, in one sentence.
 */
export function chooseModel(
  served: Served,
  asked: { model: string | null; provider: string | null },
  own: Own,
): Pick<Subject, 'provider' | 'modelRequested'> {
  const wanted = asked.provider ?? (isScriptedModel(asked.model) ? SCRIPTED : null)
  const provider = chooseProvider(served, wanted, own)
  return { provider: provider.name, modelRequested: nameModel(served, provider, asked.model) }
}

/** `--model scripted` says enough: no provider has a model of that name. */
function isScriptedModel(model: string | null): boolean {
  return model !== null && /^scripted(?:-|$)/.test(model)
}

function chooseProvider(definition: Served, asked: string | null, own: Own) {
  const names = listProviders(definition)
  const keyed = Object.keys(definition.providers).find((name) =>
    findProvider(definition, name)?.keys.some((key) => own[key]),
  )
  const wanted = asked ?? keyed ?? names[0] ?? ''
  const found = findProvider(definition, wanted)
  if (found) return found
  throw new AgentError(unknownName(`provider of ${definition.name}`, wanted, names))
}

function nameModel(
  { name }: Served,
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
