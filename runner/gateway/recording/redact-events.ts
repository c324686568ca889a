import type { FindSecrets, FoundSecret } from '../../redact/find-secrets.ts'
import { placeholder, type Redacted, redactText } from '../../redact/redact-text.ts'
import { parseJson } from '../meter/json-value.ts'

/** Members in which a stream carries a text in fragments. */
const FRAGMENT =
  /"(text|thinking|partial_json|delta|content|reasoning_content|arguments|refusal)"\s*:\s*"((?:[^"\\]|\\.)*)"/g

type Fragment = { start: number; end: number; value: string; from: number }

/**
 * An event stream without secrets, those included that lie in fragments of several events: the fragments of a member are
 * joined, searched, and the find is taken out of every fragment it touches. Only then the text as it stands is searched,
 * else a secret would lose its first half and the rest would no longer be known.
 */
export function redactEvents(body: string, find: FindSecrets): Redacted {
  const byMember = new Map<string, Fragment[]>()
  for (const match of body.matchAll(FRAGMENT)) {
    const [, member = '', raw = ''] = match
    const value = parseJson(`"${raw}"`)
    if (typeof value !== 'string') continue
    const fragments = byMember.get(member) ?? []
    const before = fragments.at(-1)
    const start = match.index + match[0].length - raw.length - 1
    const from = before ? before.from + before.value.length : 0
    fragments.push({ start, end: start + raw.length, value, from })
    byMember.set(member, fragments)
  }
  const changes = [...byMember.values()].flatMap((fragments) => changesOf(fragments, find))
  changes.sort((a, b) => b.start - a.start)
  const joined = changes.reduce(
    (so, { start, end, raw }) => so.slice(0, start) + raw + so.slice(end),
    body,
  )
  const { text, replaced } = redactText(joined, find)
  return { text, replaced: replaced + changes.length }
}

type Change = { start: number; end: number; raw: string }

function changesOf(fragments: readonly Fragment[], find: FindSecrets): Change[] {
  const found = find(fragments.map(({ value }) => value).join(''))
  if (found.length === 0) return []
  return fragments.flatMap((fragment) => {
    const until = fragment.from + fragment.value.length
    const touching = found.filter(({ start, end }) => start < until && end > fragment.from)
    if (touching.length === 0) return []
    const value = without(fragment, touching)
    return [{ start: fragment.start, end: fragment.end, raw: JSON.stringify(value).slice(1, -1) }]
  })
}

/** The fragment with its share of each find gone; the one that holds the find's start gets the placeholder. */
function without({ value, from }: Fragment, touching: readonly FoundSecret[]): string {
  return [...touching].reverse().reduce((so, { start, end, kind }) => {
    const head = so.slice(0, Math.max(0, start - from))
    return `${head}${start >= from ? placeholder(kind) : ''}${so.slice(Math.max(0, end - from))}`
  }, value)
}
