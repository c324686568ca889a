import type { Command } from 'commander'
import { PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'
import { unknownName } from '#lib/domain/text/index.ts'
import { addressMistake, fillPlaces, neededPlaces } from '../providers/address.ts'
import { knownProviders, type Provider } from '../providers/known-providers.ts'
import { reachProvider } from '../providers/reach-provider.ts'
import { resolveEndpoint } from '../providers/resolve-endpoint.ts'
import { isRunnerError, usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { printJsonResult, printResult } from './output.ts'

type Options = { providerFile?: string; json?: boolean }

/** `proofboard providers …`: list, check. */
export function addProvidersCommand(program: Command): void {
  const providers = program.command('providers').description('list and check model providers')
  for (const [name, words, action] of [
    ['list', 'list providers: address, protocols, key, price', list],
    [
      'check [name]',
      'check that a provider answers (default: every provider with an API key here)',
      check,
    ],
  ] as const) {
    providers
      .command(name)
      .description(words)
      .option('--provider-file <providers.yaml>', 'providers of your own, or changes to known ones')
      .option('--json', 'print JSON as the last line of stdout')
      .action((...args: unknown[]) =>
        name === 'list'
          ? (action as typeof list)(args[0] as Options)
          : (action as typeof check)(args[0] as string | undefined, args[1] as Options),
      )
  }
}

function list({ providerFile, json }: Options): void {
  const described = [...knownProviders(providerFile ?? null).values()].map(describe)
  if (json) printJsonResult({ providers: described })
  else printResult(described.flatMap(describedLines).join('\n'))
}

type Described = ReturnType<typeof describe>

/** Describes a provider on this machine. Keys are named; only the presence of their values is checked. */
function describe({ name, title, keys, needsKey, keysFrom, rates, protocols, file }: Provider) {
  const endpoints = PROTOCOLS.flatMap((protocol) => {
    const endpoint = protocols[protocol]
    return endpoint ? [{ protocol, baseUrl: shownUrl(endpoint.baseUrl) }] : []
  })
  const places = Object.values(protocols).flatMap(({ baseUrl }) => neededPlaces(baseUrl))
  return {
    name,
    title,
    endpoints,
    keys: [...keys],
    needsKey,
    keysFrom,
    present: keys.filter((key) => Boolean(RUNNER_ENV[key])),
    missing: [...new Set(places)].filter((place) => !RUNNER_ENV[place]),
    price: describePrice(rates),
    file,
  }
}

/** Fills in the URL if every variable is set and the result can be shown. */
function shownUrl(baseUrl: string): string {
  if (neededPlaces(baseUrl).some((place) => !RUNNER_ENV[place])) return baseUrl
  const filled = fillPlaces(baseUrl, RUNNER_ENV)
  return addressMistake(filled) === null ? filled : baseUrl
}

function describePrice(rates: Provider['rates']): string | null {
  if (rates === null) return null
  if (rates === 'free') return 'free'
  if ('table' in rates) return `price table (${rates.table})`
  return `${rates.input} in, ${rates.output} out, USD per million tokens`
}

function describedLines({ name, title, endpoints, price, file, ...about }: Described): string[] {
  const lines = [`${name.padEnd(14)} ${title}${file === null ? '' : ` (${file})`}`]
  const add = (text: string) => lines.push(`${' '.repeat(15)}${text}`)
  for (const { protocol, baseUrl } of endpoints) add(`${protocol.padEnd(17)}${baseUrl}`)
  add(keyLine(about))
  if (about.missing.length > 0) add(`not set: ${about.missing.join(', ')}`)
  add(`price: ${price ?? 'unknown: give one in a provider file'}`)
  return lines
}

function keyLine({ keys, present, needsKey }: Pick<Described, 'keys' | 'present' | 'needsKey'>) {
  if (present.length > 0) return `key: ${present.join(', ')} is set`
  if (keys.length === 0) return 'key: none needed'
  return needsKey
    ? `key: ${keys.join(' or ')} is not set`
    : `key: none needed; ${keys.join(' or ')} is sent if it is set`
}

/** Exit 1 if a requested one cannot be reached. */
async function check(name: string | undefined, { providerFile, json }: Options): Promise<void> {
  const known = knownProviders(providerFile ?? null)
  if (name !== undefined && !known.has(name))
    throw usageError(unknownName('provider', name, [...known.keys()]))
  const found = await checkProviders(
    [...known.values()].filter((one) => (name === undefined ? hasKey(one) : one.name === name)),
  )
  if (json) printJsonResult({ ok: found.every(({ ok }) => ok), providers: found })
  else if (found.length === 0) printResult('no key is set: name a provider to check it')
  else
    for (const { name: who, protocol, ok, detail } of found)
      printResult(`${ok ? 'ok  ' : 'FAIL'} ${who.padEnd(14)} ${protocol.padEnd(17)} ${detail}`)
  if (found.some(({ ok }) => !ok)) process.exitCode = 1
}

type Checked = { name: string; protocol: Protocol; ok: boolean; detail: string }

async function checkProviders(requested: readonly Provider[]): Promise<Checked[]> {
  const found: Checked[] = []
  for (const provider of requested)
    for (const protocol of PROTOCOLS.filter((one) => provider.protocols[one]))
      found.push({ name: provider.name, protocol, ...(await ask(provider, protocol)) })
  return found
}

/** Checks the providers that have a key in this environment, each over every protocol. */
export function checkKeyedProviders(): Promise<Checked[]> {
  return checkProviders([...knownProviders(null).values()].filter(hasKey))
}

function hasKey({ keys }: Provider): boolean {
  return keys.some((key) => RUNNER_ENV[key])
}

async function ask(
  provider: Provider,
  protocol: Protocol,
): Promise<{ ok: boolean; detail: string }> {
  const key = provider.keys.map((one) => RUNNER_ENV[one]).find(Boolean) ?? null
  if (key === null && provider.needsKey)
    return { ok: false, detail: `${provider.keys.join(' or ')} is not set` }
  try {
    const reach = await reachProvider(
      resolveEndpoint(provider, protocol, RUNNER_ENV),
      protocol,
      key,
    )
    if (!reach.ok) return { ok: false, detail: reach.reason }
    const left = reach.quota === null ? '' : `; left: ${reach.quota}`
    return { ok: true, detail: `${reach.doubt ?? `answers (${reach.status})`}${left}` }
  } catch (error) {
    if (!isRunnerError(error)) throw error
    return { ok: false, detail: error.message }
  }
}
