import type { AssertionSpec } from './contract-spec.ts'

/** An assertion as a person reads it; parts that combine stand below. */
export type SaidAssertion = {
  kind: AssertionSpec['kind']
  /** The author's own words for it, where there are some. */
  label: string | null
  sentence: string
  parts: SaidAssertion[]
}

type Leaf = Exclude<AssertionSpec, { kind: 'all' | 'any' | 'not' }>
type Of<K extends Leaf['kind']> = Extract<Leaf, { kind: K }>
type HowMany = Of<'count'>['count']
type Words = Of<'text'>['words']

/** Puts one assertion of a workflow's contract into a sentence. */
export function sayAssertion(spec: AssertionSpec): SaidAssertion {
  const label = spec.label ?? null
  switch (spec.kind) {
    case 'all':
    case 'any': {
      const sentence = spec.kind === 'all' ? 'All of these hold.' : 'At least one of these holds.'
      return { kind: spec.kind, label, sentence, parts: spec.of.map(sayAssertion) }
    }
    case 'not': {
      const parts = [sayAssertion(spec.of)]
      return { kind: 'not', label, sentence: 'This does not hold.', parts }
    }
    default:
      return { kind: spec.kind, label, sentence: sayLeaf(spec), parts: [] }
  }
}

function sayLeaf(spec: Leaf): string {
  switch (spec.kind) {
    case 'state':
      return sayState(spec)
    case 'url':
      return sayUrl(spec)
    case 'text':
      return `The text of ${spec.css} ${sayWords(spec.words)}.`
    case 'count':
      return `The page shows ${sayHowMany(spec.count)} of ${spec.css}.`
    case 'attribute':
      return `The attribute ${spec.name} of ${spec.css} ${sayWords(spec.words)}.`
    case 'network':
      return sayNetwork(spec)
    case 'download':
      return `A file${spec.name ? ` named ${spec.name}` : ''} was saved whose digest is ${spec.digest}.`
    case 'storage':
      return sayStorage(spec)
    case 'no-dialog':
      return 'No dialog is open.'
  }
}

function sayState({ path, equals, matches, exactly, count }: Of<'state'>): string {
  const claims = [
    equals === undefined ? null : `is ${json(equals)}`,
    matches === undefined ? null : `has ${json(matches)}`,
    exactly === undefined ? null : sayExactly(exactly),
    count === undefined ? null : `has ${sayHowMany(count)} in it`,
  ].filter((claim) => claim !== null)
  const what = path === '' ? 'The app’s state' : `In the app’s state, ${path}`
  return `${what} ${claims.length > 0 ? claims.join(' and ') : 'is there'}.`
}

function sayExactly(elements: readonly unknown[]): string {
  if (elements.length === 0) return 'holds nothing'
  return `holds exactly ${elements.map(json).join(', ')}${elements.length > 1 ? ', in any order' : ''}`
}

function sayUrl({ path, query }: Of<'url'>): string {
  const claims = [
    path === undefined ? null : `the path ${path}`,
    ...Object.entries(query ?? {}).map(([key, value]) => `${key}=${value} in its query`),
  ].filter((claim) => claim !== null)
  return `The address of the page has ${claims.join(' and ') || 'the app’s origin'}.`
}

function sayNetwork({ request, count, status }: Of<'network'>): string {
  const answered = status === undefined ? '' : `, answered with ${status}`
  return `The server was asked ${request}${answered}: ${sayTimes(count)}.`
}

function sayStorage({ in: area, key, words, absent }: Of<'storage'>): string {
  const what = area === 'cookie' ? `The cookie ${key}` : `${key} in the page’s ${area} storage`
  if (absent) return `${what} is not there.`
  return `${what} ${words ? sayWords(words) : 'is there'}.`
}

function sayWords(words: Words): string {
  return 'is' in words ? `is “${words.is}”` : `contains “${words.contains}”`
}

function sayTimes(count: HowMany): string {
  const said = sayBounds(count)
  return `${said} ${said.endsWith(' 1') ? 'time' : 'times'}`
}

function sayHowMany(count: HowMany): string {
  const said = sayBounds(count)
  return `${said} ${said.endsWith(' 1') ? 'element' : 'elements'}`
}

function sayBounds(count: HowMany): string {
  if (typeof count === 'number') return `exactly ${count}`
  const { least, most } = count
  if (least !== undefined && most !== undefined) return `from ${least} to ${most}`
  if (most !== undefined) return `at most ${most}`
  return `at least ${least ?? 0}`
}

/** JSON on one line, with a space after each comma and colon: it is read, and has to break somewhere. */
function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${json(member)}`,
  )
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}'
}
