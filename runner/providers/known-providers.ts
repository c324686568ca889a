import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModelNames, PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'
import { parseYaml, readTextFile } from '../read-yaml.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import { hasPlaces } from './address.ts'
import {
  type GivenEndpoint,
  type ProviderFile,
  providerFileKind,
  type Rates,
} from './provider-file.ts'

/** The address of a provider for one protocol. */
export type ProviderEndpoint = {
  /** With placeholders. */
  baseUrl: string
  /** Takes the place of the version in the agent's path; null = the agent's own stays. */
  version: string | null
  auth: { header: string; prefix: string }
  /** Its address is fixed and shipped, so the provider's name alone says who answers. */
  isVendor: boolean
}

/** Who answers for a model: where, by which protocols, with whose key, for how much. */
export type Provider = {
  name: string
  title: string
  /** Variables of which any one is enough. */
  keys: readonly string[]
  needsKey: boolean
  keysFrom: string | null
  /** Recognises a model of another vendor; loose, because new names come every month. */
  models: RegExp
  example: string
  headers: Readonly<Record<string, string>>
  /** Null = its price is unknown. */
  rates: Rates | null
  modelNames: ModelNames
  protocols: Readonly<Partial<Record<Protocol, ProviderEndpoint>>>
  /** Null = it comes with Proofboard and was not changed. */
  file: string | null
}

export type KnownProviders = ReadonlyMap<string, Provider>

const SHIPPED_FILE = join(PROJECT_ROOT, 'runner', 'providers', 'providers.yaml')

let shipped: KnownProviders | undefined

/** The providers that come with Proofboard. Throws when ours are broken: that is our bug. */
export function shippedProviders(): KnownProviders {
  shipped ??= addFile(new Map(), readFileSync(SHIPPED_FILE, 'utf8'), null)
  return shipped
}

/**
 * The providers of this command: those that are shipped, with what the user's own file adds and changes. Without a file
 * it is the one that PROOFBOARD_PROVIDERS names. Throws a RunnerError, in one sentence.
 */
export function knownProviders(
  file: string | null,
  own: Readonly<Record<string, string | undefined>> = RUNNER_ENV,
): KnownProviders {
  const path = file ?? (own.PROOFBOARD_PROVIDERS || null)
  if (path === null) return shippedProviders()
  return addFile(shippedProviders(), readTextFile(path, 'provider'), path)
}

function addFile(known: KnownProviders, text: string, file: string | null): KnownProviders {
  const kind = providerFileKind([...known.keys()])
  const { providers } = parseYaml(text, file ?? SHIPPED_FILE, kind)
  const added = Object.entries(providers).map(
    ([name, given]) => [name, mergeProvider(name, given, known.get(name), file)] as const,
  )
  return new Map([...known, ...added])
}

const ANY_MODEL = /./

/** What a file leaves out stays as it was; protocols are given all together, so that none is left at another address. */
function mergeProvider(
  name: string,
  given: ProviderFile['providers'][string],
  before: Provider | undefined,
  file: string | null,
): Provider {
  const keys = given.keys ?? before?.keys ?? []
  return {
    name,
    title: given.title ?? before?.title ?? name,
    keys,
    needsKey: keys.length > 0 && (given.needsKey ?? before?.needsKey ?? true),
    keysFrom: given.keysFrom ?? before?.keysFrom ?? null,
    models: given.models === undefined ? (before?.models ?? ANY_MODEL) : new RegExp(given.models),
    example: given.example ?? before?.example ?? 'model-name',
    headers: given.headers ?? before?.headers ?? {},
    rates: given.price ?? before?.rates ?? null,
    modelNames: mergeNames(given, before?.modelNames),
    protocols: given.protocols
      ? readEndpoints(given.protocols, file === null)
      : (before?.protocols ?? {}),
    file,
  }
}

function mergeNames({ aliases, secondary }: ModelNames, before: ModelNames = {}): ModelNames {
  return { aliases: aliases ?? before.aliases, secondary: secondary ?? before.secondary }
}

const BEARER = { header: 'authorization', prefix: 'Bearer ' }
const KEY_HEADERS: Record<Protocol, ProviderEndpoint['auth']> = {
  anthropic: { header: 'x-api-key', prefix: '' },
  'openai-responses': BEARER,
  'openai-chat': BEARER,
  gemini: { header: 'x-goog-api-key', prefix: '' },
}

function readEndpoints(
  given: Partial<Record<Protocol, GivenEndpoint>>,
  isShipped: boolean,
): Provider['protocols'] {
  const endpoints: Partial<Record<Protocol, ProviderEndpoint>> = {}
  for (const protocol of PROTOCOLS) {
    const endpoint = given[protocol]
    if (!endpoint) continue
    const { baseUrl, version, auth } = endpoint
    endpoints[protocol] = {
      baseUrl,
      version: version ?? (protocol.startsWith('openai-') ? '' : null),
      auth: auth
        ? { header: auth.header.toLowerCase(), prefix: auth.prefix }
        : KEY_HEADERS[protocol],
      isVendor: isShipped && !hasPlaces(baseUrl),
    }
  }
  return endpoints
}
