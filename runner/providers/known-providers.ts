import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModelNames, PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'
import { parseYaml, readTextFile } from '../read-yaml.ts'
import { type Env, RUNNER_ENV } from '../sandbox/process/own-env.ts'
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
  /** Replaces the version in the agent's path; null = unchanged. */
  version: string | null
  auth: { header: string; prefix: string }
  /** The address is fixed and shipped, so the provider's name alone identifies the server. */
  isVendor: boolean
}

/** A provider of a model: its address, protocols, keys and prices. */
export type Provider = {
  name: string
  title: string
  /** Variables of which any one is sufficient. */
  keys: readonly string[]
  needsKey: boolean
  keysFrom: string | null
  /** Recognises a model of another vendor; loose, because new names appear every month. */
  models: RegExp
  example: string
  headers: Readonly<Record<string, string>>
  /** Null = its price is unknown. */
  rates: Rates | null
  modelNames: ModelNames
  protocols: Readonly<Partial<Record<Protocol, ProviderEndpoint>>>
  /** Null = shipped with Proofboard and unchanged. */
  file: string | null
}

export type KnownProviders = ReadonlyMap<string, Provider>

const SHIPPED_FILE = join(PROJECT_ROOT, 'runner', 'providers', 'providers.yaml')

let shipped: KnownProviders | undefined

/** Returns the shipped providers. Throws if they are invalid, which is a bug. */
export function shippedProviders(): KnownProviders {
  shipped ??= addFile(new Map(), readFileSync(SHIPPED_FILE, 'utf8'), null)
  return shipped
}

/**
 * Returns the providers of this command: the shipped ones, with additions and changes of the user's own file. Without a
 * file, reads the one that PROOFBOARD_PROVIDERS names. Throws a one-sentence RunnerError.
 */
export function knownProviders(file: string | null, env: Env = RUNNER_ENV): KnownProviders {
  const path = file ?? (env.PROOFBOARD_PROVIDERS || null)
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

/** Omitted members stay as they were; protocols are replaced together, so that none stays at another address. */
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
