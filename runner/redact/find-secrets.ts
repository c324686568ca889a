import { exactForms } from './exact-forms.ts'
import { SECRET_KINDS, type SecretKind } from './secret-kinds.ts'

export type FoundSecret = { start: number; end: number; kind: string }
export type FindSecrets = (text: string) => FoundSecret[]

/** How many kinds are looked for, the exact keys of a run among them. */
export const RULE_COUNT = SECRET_KINDS.length + 1

/** Looks for every kind of secret, and for the exact `secrets` of this run in every form. Finds never overlap. */
export function secretFinder(secrets: readonly string[]): FindSecrets {
  const exact = exactKind(secrets)
  const kinds = exact ? [exact, ...SECRET_KINDS] : SECRET_KINDS
  return (text) => merge(kinds.flatMap((kind) => findKind(text, kind)))
}

function exactKind(secrets: readonly string[]): SecretKind | null {
  const forms = [...new Set(secrets.flatMap(exactForms))].sort((a, b) => b.length - a.length)
  if (forms.length === 0) return null
  return { kind: 'run-key', pattern: new RegExp(forms.map(literal).join('|'), 'g') }
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function findKind(text: string, { kind, pattern, holds }: SecretKind): FoundSecret[] {
  const found: FoundSecret[] = []
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.secret ?? match[0]
    if (holds && !holds(secret)) continue
    const end = match.index + match[0].length
    // A named group stands at the end of its pattern, but for a closing sign.
    const start =
      match.groups?.secret === undefined
        ? match.index
        : text.lastIndexOf(secret, end - secret.length)
    found.push({ start, end: start + secret.length, kind })
  }
  return found
}

/** Overlapping finds become one, named for the first. */
function merge(found: FoundSecret[]): FoundSecret[] {
  const ordered = found
    .map((one, rank) => ({ one, rank }))
    .sort((a, b) => a.one.start - b.one.start || a.rank - b.rank)
  const merged: FoundSecret[] = []
  for (const { one } of ordered) {
    const last = merged.at(-1)
    if (last && one.start < last.end) last.end = Math.max(last.end, one.end)
    else merged.push({ ...one })
  }
  return merged
}
