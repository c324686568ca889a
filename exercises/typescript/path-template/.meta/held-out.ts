import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { pathTemplate } from '../path-template.ts'

type Params = Record<string, string | string[] | undefined>
type Template = { match(path: string): Params | null; build(params?: Params): string }

// The templates are made at random, so the types that are read out of literals are left aside.
const create = pathTemplate as unknown as (template: string) => Template

const NAMES = ['a', 'b', 'id', '_x', 'A', 'a1', 'Z_9', 'constructor', 'toString', 'valueOf']
const LITERALS = 'x X a:b what? c* ? a.b (x)+ 100% %2F é 😀 $&'.split(' ')
const MALFORMED = ['', ':a b', ...': * :1st :a-b :a.b :é :a?? *a? ::a ** *:'.split(' ')]
const BROKEN = ['%', '100%', '%E4', '%zz', '%F0%9F']
const KINDS = ['literal', 'required', 'optional', 'wildcard']
const LETTERS = 'aZ9.-_~ /%?#&+=:*!\'()[]@$é語😀"\\^'

/** Random templates: which are refused, what the others match and what they build. */
export const scenario: Scenario = (context) => {
  for (let round = 0; round < 50; round++) {
    const segments = wellFormed(context.random)
    const text = `/${segments.join('/')}`
    const template = create(text)
    for (let index = 0; index < 6; index++) matchOne(context, template, segments)
    for (let index = 0; index < 4; index++) buildOne(context, template, segments)
  }
  for (let round = 0; round < 120; round++) refuse(context)
}

function matchOne({ random, attempt }: ScenarioContext, template: Template, segments: string[]) {
  const path = somePath(random, segments)
  attempt(`${segments.join('/')} matches ${path}`, () => {
    const found = template.match(path)
    return [found, found && Object.keys(found).sort()]
  })
}

function buildOne({ random, attempt }: ScenarioContext, template: Template, segments: string[]) {
  const isTypeError = (error: unknown) => error instanceof TypeError
  const params = someParams(random, segments)
  const withoutAny = Object.keys(params).length === 0 && random.chance(0.5)
  const build = () => (withoutAny ? template.build() : template.build(params))
  const path = attempt(`${segments.join('/')} built`, build, isTypeError)
  if (path !== undefined) attempt('and matched', () => template.match(path))
}

/** Segments in any order, many of which no template may have. */
function refuse({ random, attempt }: ScenarioContext): void {
  const kinds = random.list(1, 4, () => random.pick(KINDS))
  const names = random.chance(0.7)
    ? random.shuffle(NAMES)
    : NAMES.map(() => random.pick(['a', 'A']))
  const segments = kinds.map((kind, index) => segmentOf(random, kind, names[index] as string))
  if (random.chance(0.3)) segments[random.int(0, segments.length - 1)] = random.pick(MALFORMED)
  const text = `${random.chance(0.05) ? '' : '/'}${segments.join('/')}${random.chance(0.05) ? '/' : ''}`
  attempt(
    `template ${text}`,
    () => create(text) !== null,
    (error) => error instanceof SyntaxError,
  )
}

function wellFormed(random: Random): string[] {
  const first = random.list(0, 4, () => random.pick(['literal', 'required']))
  const last = random.pick([[], [], ['wildcard'], random.list(1, 3, () => 'optional')])
  const names = random.shuffle(NAMES)
  return [...first, ...last].map((kind, index) => segmentOf(random, kind, names[index] as string))
}

function segmentOf(random: Random, kind: string, name: string): string {
  if (kind === 'literal') return random.pick(LITERALS)
  return kind === 'wildcard' ? `*${name}` : `:${name}${kind === 'optional' ? '?' : ''}`
}

/** A path that fits the segments or almost does. */
function somePath(random: Random, segments: string[]): string {
  const texts = fittingTexts(random, segments)
  const at = random.int(0, texts.length)
  if (random.chance(0.1)) texts.splice(at, random.int(0, 1), encoded(random, word(random)))
  if (random.chance(0.05)) texts.splice(at, 1)
  if (random.chance(0.06)) texts.splice(at, 0, random.pick(BROKEN))
  if (random.chance(0.06)) texts.splice(at, 0, '')
  const path = `${random.chance(0.05) ? '' : '/'}${texts.join('/')}`
  return path.length > 1 && random.chance(0.4) ? path + random.pick(['/', '/', '//']) : path
}

function fittingTexts(random: Random, segments: string[]): string[] {
  return segments.flatMap((segment) => {
    const any = () => encoded(random, word(random))
    if (segment.startsWith('*')) return random.list(0, 3, any)
    if (!segment.startsWith(':')) return encoded(random, segment)
    return segment.endsWith('?') && random.chance(0.35) ? [] : any()
  })
}

/** Several spellings of the same segment, and sometimes one in another case. */
function encoded(random: Random, text: string): string {
  const safe = encodeURIComponent(text)
  if (random.chance(0.04)) return random.pick([safe.toUpperCase(), safe.toLowerCase()])
  if (random.chance(0.3)) return text.replace(/[%/]/g, encodeURIComponent)
  if (random.chance(0.2)) return safe.replace(/^[A-Za-z0-9.]/, (letter) => `%${hex(letter)}`)
  return safe
}

function hex(letter: string): string {
  return letter.charCodeAt(0).toString(16).padStart(2, '0')
}

/** Never empty, and never a segment with a meaning of its own. */
function word(random: Random): string {
  const text = random.text(LETTERS, 1, 5)
  return text === '.' || text === '..' ? '...' : text
}

function someParams(random: Random, segments: string[]): Params {
  const params: Params = random.chance(0.1) ? Object.create({ id: 'no', a: 'no', b: ['no'] }) : {}
  const value = (): string =>
    random.chance(0.05) ? random.pick(['', '.', '..']) : random.pick([word(random), '...', '%2F'])
  for (const segment of segments.filter((text) => /^[:*]/.test(text))) {
    const [, name] = /^.(\w+)/.exec(segment) as RegExpExecArray
    const absent = random.chance(segment.endsWith('?') ? 0.3 : 0.06)
    if (!absent)
      params[name as string] = segment.startsWith('*') ? random.list(0, 3, value) : value()
    else if (random.chance(0.5)) params[name as string] = undefined
  }
  if (random.chance(0.2)) params.other = random.pick(['', '.', 'x'])
  return params
}
