/** All segments of a template, in a union: their order plays no part in the types. */
type Segments<Text extends string> = Text extends `${infer Head}/${infer Rest}`
  ? Head | Segments<Rest>
  : Text

type OptionalName<Segment> = Segment extends `:${infer Name}?` ? Name : never

type RequiredName<Segment> = Segment extends `:${string}?`
  ? never
  : Segment extends `:${infer Name}`
    ? Name
    : never

type WildcardName<Segment> = Segment extends `*${infer Name}` ? Name : never

/** Turns an intersection into one plain object type. */
type Flat<T> = { [K in keyof T]: T[K] }

type ParamsOf<Segment> = Flat<
  { [Name in RequiredName<Segment>]: string } & { [Name in OptionalName<Segment>]?: string } & {
    [Name in WildcardName<Segment>]: string[]
  }
>

export type PathParams<Template extends string> = string extends Template
  ? Record<string, string | string[] | undefined>
  : Template extends unknown
    ? ParamsOf<Segments<Template>>
    : never

export interface PathTemplate<Template extends string> {
  match(path: string): PathParams<Template> | null
  build(
    ...args: {} extends PathParams<Template>
      ? [params?: PathParams<Template>]
      : [params: PathParams<Template>]
  ): string
}

type Kind = 'literal' | 'required' | 'optional' | 'wildcard'

/** A segment of a template. The text is the name of a parameter, or the literal itself. */
interface Segment {
  readonly kind: Kind
  readonly text: string
}

type Param = readonly [name: string, value: string | string[]]

export function pathTemplate<Template extends string>(template: Template): PathTemplate<Template> {
  const segments = parseTemplate(template)

  const match = (path: string): PathParams<Template> | null => {
    const parts = splitPath(path)
    const params = parts && matchSegments(segments, parts)
    // `fromEntries` defines own properties, whatever their names are.
    return params && (Object.fromEntries(params) as PathParams<Template>)
  }

  const build = (params: Readonly<Record<string, unknown>> = {}): string =>
    `/${buildSegments(segments, params).map(encodeURIComponent).join('/')}`

  return { match, build: build as PathTemplate<Template>['build'] }
}

// Templates

function parseTemplate(template: string): readonly Segment[] {
  if (!template.startsWith('/')) throw new SyntaxError(`${template} does not start with a slash`)
  const segments = template === '/' ? [] : template.slice(1).split('/').map(parseSegment)

  const names = segments.filter(({ kind }) => kind !== 'literal').map(({ text }) => text)
  if (new Set(names).size < names.length) throw new SyntaxError(`${template} repeats a name`)

  segments.slice(1).forEach(({ kind }, index) => {
    const before = segments[index].kind
    if (before === 'wildcard' || (before === 'optional' && kind !== 'optional')) {
      throw new SyntaxError(`${template} has a segment after ${segments[index].text}`)
    }
  })
  return segments
}

const FORMS: readonly (readonly [form: RegExp, kind: Kind])[] = [
  [/^:([A-Za-z_][A-Za-z0-9_]*)$/, 'required'],
  [/^:([A-Za-z_][A-Za-z0-9_]*)\?$/, 'optional'],
  [/^\*([A-Za-z_][A-Za-z0-9_]*)$/, 'wildcard'],
  [/^([^:*][^]*)$/, 'literal'],
]

function parseSegment(source: string): Segment {
  const [found] = FORMS.flatMap(([form, kind]): Segment[] => {
    const match = form.exec(source)
    return match === null ? [] : [{ kind, text: match[1] }]
  })
  if (found === undefined) throw new SyntaxError(`Malformed segment: ${JSON.stringify(source)}`)
  return found
}

// Matching

/** The decoded segments, or null if this is no path at all. */
function splitPath(path: string): readonly string[] | null {
  if (!path.startsWith('/')) return null
  const parts = path.slice(1).replace(/\/$/, '')
  if (path === '/') return []
  try {
    const decoded = parts.split('/').map(decodeURIComponent)
    return decoded.includes('') ? null : decoded
  } catch {
    return null
  }
}

function matchSegments(
  [segment, ...segments]: readonly Segment[],
  parts: readonly string[],
): readonly Param[] | null {
  if (segment === undefined) return parts.length === 0 ? [] : null
  const { kind, text } = segment
  if (kind === 'wildcard') return [[text, [...parts]]]

  const [part, ...rest] = parts
  // Only optional parameters can follow an optional one, so nothing else is left to be matched.
  if (part === undefined) return kind === 'optional' ? [] : null
  if (kind === 'literal') return part === text ? matchSegments(segments, rest) : null

  const following = matchSegments(segments, rest)
  return following && [[text, part], ...following]
}

// Building

function buildSegments(
  segments: readonly Segment[],
  params: Readonly<Record<string, unknown>>,
): readonly string[] {
  const leftOut = segments.findIndex(
    ({ kind, text }) => kind === 'optional' && valueOf(params, text) === undefined,
  )
  return segments.flatMap(({ kind, text }, index) => {
    if (kind === 'literal') return [text]
    const value = valueOf(params, text)
    if (kind === 'wildcard') return wildcardParts(text, value)
    if (kind === 'optional' && value === undefined) return []
    if (kind === 'optional' && leftOut >= 0 && leftOut < index) {
      throw new TypeError(`${text} is given, although ${segments[leftOut].text} is left out`)
    }
    return [checked(text, value)]
  })
}

function valueOf(params: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(params, name) ? params[name] : undefined
}

function wildcardParts(name: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be an array`)
  return Array.from(value, (element: unknown) => checked(name, element))
}

function checked(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string`)
  if (['', '.', '..'].includes(value)) {
    throw new TypeError(`${name} cannot be ${JSON.stringify(value)}`)
  }
  return value
}
