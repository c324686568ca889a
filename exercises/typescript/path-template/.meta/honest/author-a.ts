type SegmentsOf<Template extends string> = Template extends `/${infer Rest}` ? Split<Rest> : never

type Split<Text extends string> = Text extends `${infer First}/${infer Rest}`
  ? First | Split<Rest>
  : Text

type RequiredNames<Segment> = Segment extends `:${infer Name}`
  ? Name extends `${string}?`
    ? never
    : Name
  : never

type OptionalNames<Segment> = Segment extends `:${infer Name}?` ? Name : never

type WildcardNames<Segment> = Segment extends `*${infer Name}` ? Name : never

type Flatten<T> = { [Key in keyof T]: T[Key] }

type ParamsOfSegments<Segment> = Flatten<
  { [Name in RequiredNames<Segment>]: string } & {
    [Name in OptionalNames<Segment>]?: string
  } & { [Name in WildcardNames<Segment>]: string[] }
>

/** Whether a text is not known completely while compiling. */
type IsOpen<Text extends string> = {} extends Record<Text, 1> ? true : false

export type PathParams<Template extends string> = Template extends unknown
  ? IsOpen<Template> extends true
    ? Record<string, string | string[] | undefined>
    : ParamsOfSegments<SegmentsOf<Template>>
  : never

type BuildArguments<Params> = {} extends Params ? [params?: Params] : [params: Params]

export interface PathTemplate<Template extends string> {
  match(path: string): PathParams<Template> | null
  build(...args: BuildArguments<PathParams<Template>>): string
}

type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'required' | 'optional' | 'wildcard'; readonly name: string }

type Params = Record<string, unknown>

function parseSegment(text: string): Segment {
  const match = /^(?::([A-Za-z_][A-Za-z0-9_]*)(\?)?|\*([A-Za-z_][A-Za-z0-9_]*))$/.exec(text)
  if (match !== null) {
    const [, name, mark, wildcard] = match
    if (wildcard !== undefined) return { kind: 'wildcard', name: wildcard }
    if (name !== undefined) return { kind: mark === undefined ? 'required' : 'optional', name }
  }
  if (text === '' || text.startsWith(':') || text.startsWith('*')) {
    throw new SyntaxError(`Malformed segment: ${JSON.stringify(text)}`)
  }
  return { kind: 'literal', text }
}

function parseTemplate(template: string): Segment[] {
  if (!template.startsWith('/')) {
    throw new SyntaxError(`A template starts with a slash: ${JSON.stringify(template)}`)
  }
  if (template === '/') return []
  const segments = template.slice(1).split('/').map(parseSegment)

  const names = new Set<string>()
  segments.forEach((segment, index) => {
    const previous = segments[index - 1]
    if (previous?.kind === 'wildcard') {
      throw new SyntaxError('A wildcard must be the last segment')
    }
    if (previous?.kind === 'optional' && segment.kind !== 'optional') {
      throw new SyntaxError('Only optional parameters may follow an optional parameter')
    }
    if (segment.kind === 'literal') return
    if (names.has(segment.name)) throw new SyntaxError(`Name used twice: ${segment.name}`)
    names.add(segment.name)
  })
  return segments
}

/** The decoded segments of a path, or null if it cannot be taken apart. */
function splitPath(path: string): string[] | null {
  if (!path.startsWith('/')) return null
  const inner = path.slice(1).replace(/\/$/, '')
  if (inner === '') return []
  const parts = inner.split('/')
  if (parts.includes('')) return null
  try {
    return parts.map(decodeURIComponent)
  } catch {
    return null
  }
}

function matchSegments(segments: readonly Segment[], path: string): Params | null {
  const parts = splitPath(path)
  if (parts === null) return null

  const params: [name: string, value: string | string[]][] = []
  let position = 0
  for (const segment of segments) {
    if (segment.kind === 'wildcard') {
      params.push([segment.name, parts.slice(position)])
      position = parts.length
      continue
    }
    const part = parts[position]
    if (part === undefined) {
      if (segment.kind === 'optional') continue
      return null
    }
    if (segment.kind !== 'literal') params.push([segment.name, part])
    else if (segment.text !== part) return null
    position++
  }
  // Object.fromEntries makes own properties even of names such as __proto__.
  return position === parts.length ? Object.fromEntries(params) : null
}

function checkPart(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new TypeError(`Not a value for ${name}: ${JSON.stringify(value)}`)
  }
  return value
}

function buildPath(segments: readonly Segment[], params: Params): string {
  const parts: string[] = []
  let leftOut: string | undefined
  for (const segment of segments) {
    if (segment.kind === 'literal') {
      parts.push(segment.text)
      continue
    }
    const { kind, name } = segment
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (kind === 'optional' && value === undefined) {
      leftOut ??= name
    } else if (kind === 'wildcard') {
      if (!Array.isArray(value)) throw new TypeError(`Not an array: ${name}`)
      parts.push(...Array.from(value, (element: unknown) => checkPart(name, element)))
    } else {
      if (leftOut !== undefined) throw new TypeError(`${name} is given without ${leftOut}`)
      parts.push(checkPart(name, value))
    }
  }
  return `/${parts.map(encodeURIComponent).join('/')}`
}

export function pathTemplate<Template extends string>(template: Template): PathTemplate<Template> {
  const segments = parseTemplate(template)
  return {
    match: (path) => matchSegments(segments, path) as PathParams<Template> | null,
    build: (...[params]) => buildPath(segments, (params ?? {}) as Params),
  }
}
