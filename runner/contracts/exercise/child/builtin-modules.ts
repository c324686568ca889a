const { freeze } = Object
const { apply } = Reflect

/** Pure parts of Node. A module not named here does not exist for a solution; null = every function of it is pure. */
const ALLOWED: Record<string, readonly string[] | null> = {
  assert: null,
  'assert/strict': null,
  buffer: [
    'Buffer',
    'kMaxLength',
    'kStringMaxLength',
    'constants',
    'atob',
    'btoa',
    'isUtf8',
    'isAscii',
  ],
  events: null,
  path: null,
  'path/posix': null,
  punycode: null,
  querystring: null,
  string_decoder: null,
  url: [
    'URL',
    'URLSearchParams',
    'parse',
    'format',
    'resolve',
    'domainToASCII',
    'domainToUnicode',
    'fileURLToPath',
    'pathToFileURL',
  ],
  util: [
    'format',
    'inspect',
    'isDeepStrictEqual',
    'promisify',
    'callbackify',
    'inherits',
    'types',
    'TextEncoder',
    'TextDecoder',
    'stripVTControlCharacters',
    'isArray',
  ],
  'util/types': null,
  crypto: [
    'randomInt',
    'randomUUID',
    'randomBytes',
    'getRandomValues',
    'timingSafeEqual',
    'createHash',
  ],
}

/** `exports` of the ones that are functions themselves. */
const CALLABLE = new Set(['assert', 'assert/strict'])

type Supplied = Record<string, unknown>

/**
 * Hands out frozen copies of allowed modules. `supplied` are the sandbox's own stand-ins (process, timers, console).
 * Null when a module is not allowed.
 */
export function createBuiltins(realRequire: (name: string) => object, supplied: Supplied) {
  const made = Object.create(null) as Record<string, unknown>
  return (specifier: string): unknown => {
    const name = withoutScheme(specifier)
    if (name in supplied) return supplied[name]
    if (!(name in allowed)) return null
    made[name] ??= copyModule(name, realRequire(`node:${name}`))
    return made[name]
  }
}

const allowed = Object.assign(Object.create(null), ALLOWED) as typeof ALLOWED

function withoutScheme(specifier: string): string {
  let name = ''
  const start = specifier[0] === 'n' && specifier[4] === ':' ? 5 : 0
  for (let index = start; index < specifier.length; index++) name += specifier[index]
  return name
}

function copyModule(name: string, real: object): unknown {
  // The module is the class itself. The real process was cut off from its prototype (see main.ts).
  if (name === 'events') return real
  const names = allowed[name] ?? Object.keys(real)
  const target = CALLABLE.has(name) ? callThrough(real as (...given: unknown[]) => unknown) : {}
  for (const key of names) {
    const value = (real as Record<string, unknown>)[key]
    if (value !== undefined && key !== 'strict')
      Object.defineProperty(target, key, { value: shallow(value), enumerable: true })
  }
  return freeze(target)
}

const callThrough =
  (real: (...given: unknown[]) => unknown) =>
  (...given: unknown[]) =>
    apply(real, undefined, given)

function shallow(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? freeze({ ...value }) : value
}
