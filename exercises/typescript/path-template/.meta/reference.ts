type Segments<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? Head | Segments<Tail>
  : Path

type OptionalName<Segment> = Segment extends `:${infer Name}?` ? Name : never

type RequiredName<Segment> = Segment extends `:${string}?`
  ? never
  : Segment extends `:${infer Name}`
    ? Name
    : never

type WildcardName<Segment> = Segment extends `*${infer Name}` ? Name : never

type Flatten<T> = { [Key in keyof T]: T[Key] }

type ParamsOfSegment<Segment> = Flatten<
  { [Name in RequiredName<Segment>]: string } & { [Name in OptionalName<Segment>]?: string } & {
    [Name in WildcardName<Segment>]: string[]
  }
>

export type PathParams<Template extends string> = string extends Template
  ? Record<string, string | string[] | undefined>
  : ParamsOfSegment<Segments<Template>>

type BuildArguments<Params> = {} extends Params ? [params?: Params] : [params: Params]

export interface PathTemplate<Template extends string> {
  match(path: string): PathParams<Template> | null
  build(...args: BuildArguments<PathParams<Template>>): string
}

type Segment =
  | { kind: 'literal'; text: string }
  | { kind: 'required' | 'optional' | 'wildcard'; name: string }

type Params = Record<string, string | string[] | undefined>

export function pathTemplate<Template extends string>(template: Template): PathTemplate<Template> {
  const segments = parseTemplate(template)
  return {
    match: (path) => matchSegments(segments, path) as PathParams<Template> | null,
    build: (params: Params = {}) => `/${buildSegments(segments, params).join('/')}`,
  }
}

function parseTemplate(template: string): Segment[] {
  if (!template.startsWith('/')) throw new SyntaxError('a template has to start with a slash')
  if (template === '/') return []
  const segments = template.slice(1).split('/').map(parseSegment)
  const names = new Set<string>()
  segments.forEach((segment, index) => {
    if (!mayFollow(segments[index - 1], segment)) {
      throw new SyntaxError(`segment ${index + 1} cannot stand after the one before it`)
    }
    if (segment.kind === 'literal') return
    if (names.has(segment.name)) throw new SyntaxError(`"${segment.name}" is used twice`)
    names.add(segment.name)
  })
  return segments
}

function parseSegment(text: string): Segment {
  const [, sign, name, mark] = /^([:*])([A-Za-z_][A-Za-z0-9_]*)(\??)$/.exec(text) ?? []
  if (sign === ':') return { kind: mark ? 'optional' : 'required', name }
  if (sign === '*' && !mark) return { kind: 'wildcard', name }
  if (text === '' || /^[:*]/.test(text)) throw new SyntaxError(`malformed segment "${text}"`)
  return { kind: 'literal', text }
}

function mayFollow(previous: Segment | undefined, segment: Segment): boolean {
  if (previous?.kind === 'wildcard') return false
  return previous?.kind !== 'optional' || segment.kind === 'optional'
}

function matchSegments(segments: Segment[], path: string): Params | null {
  const texts = decodedSegments(path)
  if (!texts) return null
  const params: [name: string, value: string | string[]][] = []
  for (const segment of segments) {
    if (segment.kind === 'wildcard') {
      params.push([segment.name, texts.splice(0)])
      continue
    }
    const text = texts.shift()
    if (segment.kind === 'optional' && text === undefined) break
    if (text === undefined || (segment.kind === 'literal' && text !== segment.text)) return null
    if (segment.kind !== 'literal') params.push([segment.name, text])
  }
  return texts.length === 0 ? Object.fromEntries(params) : null
}

function decodedSegments(path: string): string[] | null {
  if (!path.startsWith('/')) return null
  const inner = path.slice(1).replace(/\/$/, '')
  if (inner === '') return []
  const encoded = inner.split('/')
  if (encoded.includes('')) return null
  try {
    return encoded.map(decodeURIComponent)
  } catch {
    return null
  }
}

function buildSegments(segments: Segment[], params: Params): string[] {
  const texts: string[] = []
  let omitted: string | undefined
  for (const segment of segments) {
    if (segment.kind === 'literal') {
      texts.push(encodeURIComponent(segment.text))
      continue
    }
    const { kind, name } = segment
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined) {
      if (kind !== 'optional') throw new TypeError(`the parameter "${name}" is missing`)
      omitted ??= name
      continue
    }
    if (omitted) throw new TypeError(`"${name}" cannot be given without "${omitted}"`)
    texts.push(...[value].flat().map((text) => encodeValue(name, text)))
  }
  return texts
}

function encodeValue(name: string, value: string): string {
  if (['', '.', '..'].includes(value)) {
    throw new TypeError(`"${value}" is not allowed as a value of "${name}"`)
  }
  return encodeURIComponent(value)
}
