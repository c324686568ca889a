import { z } from 'zod'
import { modelNamesSchema, PROTOCOLS, type Protocol, SCRIPTED } from '#lib/domain/runs/index.ts'
import type { YamlKind, YamlMistake } from '../read-yaml.ts'
import { addressMistake, withoutPlaces } from './address.ts'

const NAME = /^[a-z][a-z0-9-]{0,39}$/
/** Recognised without a YAML parser by lib/setup/take-keys.mjs, which runs before anything is installed. */
const VARIABLE = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/
/** Removing one of these from the environment would break the programs that we start. */
const NOT_A_KEY = /^(PROOFBOARD|NODE|NPM|LD|LC|DYLD|XDG)_/

const variable = z
  .string()
  .regex(VARIABLE, 'expected the name of an environment variable, as ACME_API_KEY')
  .refine((name) => !NOT_A_KEY.test(name), 'is not a valid variable name for a key')

const header = z.string().regex(/^[A-Za-z0-9-]{1,80}$/, 'expected the name of an HTTP header')
/** A key in the file would not be redacted anywhere; the other headers belong to the connection. */
const KEY_HEADER = /^(authorization|proxy-authorization|api-key|x-api-key|x-goog-api-key|cookie)$/i
const OF_CONNECTION =
  /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i
const ownHeader = header
  .refine(
    (name) => !KEY_HEADER.test(name),
    'carries a key: name its variable in keys, and the header in auth',
  )
  .refine((name) => !OF_CONNECTION.test(name), 'is set by the gateway')
const headerText = z.string().regex(/^[\x20-\x7e]{0,500}$/, 'expected one line of plain text')

const address = z
  .string()
  .max(500)
  .superRefine((text, context) => {
    const mistake = addressMistake(withoutPlaces(text))
    if (mistake !== null) context.addIssue({ code: 'custom', message: mistake })
  })

const endpointSchema = z.strictObject({
  /** The base URL as the vendor's documentation states it for an SDK of this protocol; `${NAME}` is a variable. */
  baseUrl: address,
  /**
   * Replaces the version at the start of the protocol's path. Default: none for OpenAI's protocols, whose base URL
   * contains it; /v1 or /v1beta for the others.
   */
  version: z
    .string()
    .regex(/^(\/[A-Za-z0-9._/-]+)?$/, 'expected "" or a path such as /v2')
    .optional(),
  /** The header that carries the key, and the prefix of the key in it; the default is the protocol's own. */
  auth: z.strictObject({ header, prefix: headerText.default('') }).optional(),
})

const MAX_USD = 100_000
const usd = z.number().nonnegative().max(MAX_USD)

const priceSchema = z.union(
  [
    z.literal('free'),
    /** Priced by the table, under this provider name. */
    z.strictObject({ table: z.string().min(1).max(60) }),
    /** US dollars per million tokens; cached tokens without a price of their own cost what other input costs. */
    z.strictObject({
      input: usd,
      output: usd,
      cacheRead: usd.optional(),
      cacheWrite: usd.optional(),
    }),
  ],
  `expected free, { table: name }, or { input, output } in USD per million tokens from 0 to ${MAX_USD}`,
)

/** Price of a provider's tokens. */
export type Rates = z.infer<typeof priceSchema>

const providerSchema = z.strictObject({
  ...modelNamesSchema.shape,
  title: z.string().min(1).max(80).optional(),
  /** Variables that hold a key; any one is sufficient. */
  keys: z.array(variable).max(10).optional(),
  /** False = a key is sent if there is one, and the provider works without. */
  needsKey: z.boolean().optional(),
  /** Page where users get a key. */
  keysFrom: z.url().optional(),
  /** Names of its models, as a regular expression: recognises a model of another vendor. */
  models: z.string().max(300).refine(isPattern, 'expected a regular expression').optional(),
  example: z.string().min(1).max(200).optional(),
  /** Sent with every request. */
  headers: z.record(ownHeader, headerText).optional(),
  price: priceSchema.optional(),
  protocols: z.partialRecord(z.enum(PROTOCOLS), endpointSchema).optional(),
})

const fileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  providers: z.record(
    z.string().regex(NAME, 'expected at most 40 lower-case letters, digits and dashes'),
    providerSchema,
  ),
})

/** Providers as defined in a file: of a known provider, only the differences. */
export type ProviderFile = z.infer<typeof fileSchema>
export type GivenEndpoint = NonNullable<ProviderFile['providers'][string]['protocols']>[Protocol]

/** A file of providers; `known` are those that it may change. */
export function providerFileKind(known: readonly string[]): YamlKind<ProviderFile> {
  return {
    noun: 'provider',
    whole: 'the file',
    schema: fileSchema,
    findMistakes: ({ providers }) =>
      Object.entries(providers).flatMap(([name, provider]) => findMistakes(name, provider, known)),
  }
}

function findMistakes(
  name: string,
  { protocols }: ProviderFile['providers'][string],
  known: readonly string[],
): YamlMistake[] {
  const path = ['providers', name]
  if (name === SCRIPTED) return [{ path, message: 'is the name of the scripted model' }]
  if (protocols === undefined && known.includes(name)) return []
  if (Object.keys(protocols ?? {}).length > 0) return []
  return [{ path: [...path, 'protocols'], message: 'needs at least one protocol with a baseUrl' }]
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
