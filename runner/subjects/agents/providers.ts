import type { MeasuredMode, Plan, Subject } from '#lib/domain/record/index.ts'
import {
  type AgentDefinition,
  declaredNames,
  type Protocol,
  SCRIPTED,
} from '#lib/domain/runs/index.ts'
import { unknownName } from '#lib/domain/text/index.ts'
import type { ModelSource } from '../../gateway/model-access.ts'
import {
  type KnownProviders,
  type Provider,
  shippedProviders,
} from '../../providers/known-providers.ts'
import { resolveEndpoint } from '../../providers/resolve-endpoint.ts'
import { subjectError } from '../../runner-error.ts'
import type { Env } from '../../sandbox/process/own-env.ts'

/** The part of a definition that determines its providers; `protocols` are those it speaks, in order. */
export type Served = Pick<
  AgentDefinition,
  'name' | 'metering' | 'preferred' | 'providers' | 'aliases' | 'secondary'
> & {
  protocols: Readonly<Partial<Record<Protocol, unknown>>>
}

/** A provider as used by one agent: the protocol, and what its short names for models mean there. */
export type ServingProvider = Provider & {
  /** Null for an agent that talks to its vendor only. */
  protocol: Protocol | null
  aliases: Readonly<Record<string, string>>
}

/** Returns true for variables of keys that give access to a model provider: they stay with the server. */
export function isSharedKey(variable: string): boolean {
  return [...shippedProviders().values()].some(({ keys }) => keys.includes(variable))
}

/**
 * Finds a provider for this agent: any known one that shares a protocol. An agent that is not metered has its vendor
 * only. Null if the provider is unknown or shares no protocol with the agent.
 */
export function findProvider(
  definition: Served,
  name: string,
  known: KnownProviders,
): ServingProvider | null {
  const { metering, preferred, providers } = definition
  if (name === SCRIPTED && metering === 'gateway') return scripted(preferred)
  const own = Object.hasOwn(providers, name) ? providers[name] : undefined
  const found = known.get(name)
  const aliases = own?.models ?? {}
  if (metering !== 'gateway')
    return own ? { ...(found ?? vendorOf(name)), ...keysOf(own), protocol: null, aliases } : null
  const protocol = found ? commonProtocol(definition, own?.protocol ?? null, found) : null
  return found && protocol ? { ...found, ...keysOf(own), protocol, aliases } : null
}

/** The agent's own file about keys takes precedence. */
function keysOf(own: AgentDefinition['providers'][string] | undefined): Partial<Provider> {
  return {
    ...(own?.keys && { keys: own.keys, needsKey: true }),
    ...(own?.keysFrom && { keysFrom: own.keysFrom }),
  }
}

/** Google's own protocol before its imitations, and Chat, which most providers support completely, before Responses. */
const IN_DOUBT: readonly Protocol[] = ['gemini', 'anthropic', 'openai-chat', 'openai-responses']

/** Returns the protocol that the definition names for this provider, else the one it prefers, else any they share. */
function commonProtocol(
  { preferred, protocols }: Served,
  named: Protocol | null,
  provider: Provider,
): Protocol | null {
  const wanted = [named, preferred, ...IN_DOUBT]
  return (
    wanted.find((one) => one !== null && protocols[one] && provider.protocols[one] !== undefined) ??
    null
  )
}

/** Returns the vendor of an agent without a gateway; only its definition knows it. */
function vendorOf(name: string): Provider {
  return {
    name,
    title: name,
    keys: [],
    needsKey: false,
    keysFrom: null,
    models: ANY_MODEL,
    example: 'model-name',
    headers: {},
    rates: null,
    modelNames: {},
    protocols: {},
    file: null,
  }
}

function scripted(protocol: Protocol | null): ServingProvider {
  const provider = { ...vendorOf(SCRIPTED), title: 'the scripted model', example: 'scripted-1' }
  return { ...provider, protocol, aliases: {} }
}

const ANY_MODEL = /./

/** Lists the providers available for this agent: its definition's in the order they are tried, then all others. */
export function listProviders(definition: Served, known: KnownProviders): string[] {
  const names = [...new Set([...Object.keys(definition.providers), ...known.keys()])]
  const found = names.filter((name) => findProvider(definition, name, known) !== null)
  return definition.metering === 'gateway' ? [...found, SCRIPTED] : found
}

/** The keys of a provider, and which of them are set here. */
export type InspectedKeys = {
  provider: string
  anyOf: string[]
  present: string[]
  needsKey: boolean
}

/**
 * Inspects the keys of the providers that the definition names, and of all others that can serve it; values are not
 * read.
 */
export function inspectKeys(
  served: Served,
  known: KnownProviders,
  env: Env,
): { keys: InspectedKeys[]; otherProviders: InspectedKeys[] } {
  const all = listProviders(served, known).flatMap((name) => {
    const found = name === SCRIPTED ? null : findProvider(served, name, known)
    if (!found) return []
    const anyOf = [...found.keys]
    const present = anyOf.filter((key) => Boolean(env[key]))
    return [{ provider: name, anyOf, present, needsKey: found.needsKey }]
  })
  const isNamed = ({ provider }: InspectedKeys) => Object.hasOwn(served.providers, provider)
  return { keys: all.filter(isNamed), otherProviders: all.filter((one) => !isNamed(one)) }
}

// Starts with a letter or digit, so that no command line takes it for an option.
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,199}$/

/**
 * Chooses the provider, and returns its name of the model. Without a requested provider, the first one that has a key
 * here. Throws a one-sentence RunnerError.
 */
export function chooseModel(
  served: Served,
  request: { model: string | null; provider: string | null },
  known: KnownProviders,
  env: Env,
): Pick<Subject, 'provider' | 'modelRequested' | 'aliases' | 'secondary'> {
  const wanted = request.provider ?? (isScriptedModel(request.model) ? SCRIPTED : null)
  const provider = chooseProvider(served, wanted, known, env)
  const modelRequested = nameModel(served, provider, request.model)
  const names = declaredNames(modelRequested, [provider.modelNames, served])
  return { provider: identityOf(provider, env), modelRequested, ...names }
}

/** Returns a provider's name in a plan: with its host if the name alone does not identify it. Throws a RunnerError. */
function identityOf(provider: ServingProvider, env: Env): string {
  const { name, protocol } = provider
  if (name === SCRIPTED || protocol === null) return name
  return resolveEndpoint(provider, protocol, env).identity
}

/** `--model scripted` is sufficient: no provider has a model of that name. */
function isScriptedModel(model: string | null): boolean {
  return model !== null && /^scripted(?:-|$)/.test(model)
}

function chooseProvider(
  definition: Served,
  requested: string | null,
  known: KnownProviders,
  env: Env,
): ServingProvider {
  const keyed = Object.keys(definition.providers).find((name) =>
    findProvider(definition, name, known)?.keys.some((key) => env[key]),
  )
  const wanted = requested ?? keyed ?? Object.keys(definition.providers)[0] ?? SCRIPTED
  const found = findProvider(definition, wanted, known)
  if (found) return found
  throw subjectError(refuseProvider(definition, wanted, known), '--provider')
}

/** Explains why a provider cannot serve an agent, and what to do about it. */
export function refuseProvider(definition: Served, wanted: string, known: KnownProviders): string {
  const { name, metering, protocols } = definition
  const names = listProviders(definition, known)
  const found = known.get(wanted)
  if (found && metering === 'gateway')
    return `${found.title} speaks ${Object.keys(found.protocols).join(', ')} and ${name} speaks ${Object.keys(protocols).join(', ')}: choose another --provider`
  const unknown = unknownName(`provider of ${name}`, wanted, names)
  if (metering !== 'gateway') return unknown
  return `${unknown}${unknown.endsWith('?') ? ' Else' : ', or'} describe it in a file and name that with --provider-file (proofboard providers list shows which are known)`
}

function nameModel({ name }: Served, provider: ServingProvider, requested: string | null): string {
  if (requested === null)
    throw subjectError(
      `${name} needs a model: use --model ${provider.example} (${provider.title})`,
      '--model',
    )
  const model = Object.hasOwn(provider.aliases, requested) ? provider.aliases[requested] : requested
  if (model === undefined || !MODEL_NAME.test(model))
    throw subjectError(
      `--model must consist of letters, digits and . _ : @ + / - after a letter or digit, not ${JSON.stringify(requested.slice(0, 60))}`,
      '--model',
    )
  if (provider.models.test(model)) return model
  throw subjectError(
    `"${model}" does not look like a model of ${provider.title}, where they are called like ${provider.example}: choose another --model or --provider`,
    '--model',
  )
}

/** Returns the mode of a run with this source. A recording of a scripted model stays a mock. */
export function modeOf({ kind }: ModelSource, { provider }: Plan['subject']): MeasuredMode {
  if (provider === SCRIPTED) return 'mock'
  return kind === 'replay' ? 'recorded-real' : 'live'
}
