import { canonicalJson, type Digest, digestBytes } from '#lib/domain/digest/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'

/** Members that differ between two runs of the same conversation, at any depth. */
const VOLATILE = new Set([
  'prompt_cache_key',
  'client_metadata',
  'safety_identifier',
  'user_id',
  'current_datetime',
  'encrypted_content',
  'signature',
  'thoughtSignature',
  'thought_signature',
])

/** Ids that link a call to its result: only the pairing matters. */
const TIES = new Set(['id', 'call_id', 'tool_call_id', 'tool_use_id'])

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*'
const CLOCK = '(?:[T ,]+(?:at )?\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?: ?[AP]M)?)?'
const ZONE = '(?: ?(?:Z|UTC|GMT)?(?:[+-]\\d{2}:?\\d{2})?(?: ?\\([A-Za-z ]+\\))?)?'
const DATES = new RegExp(
  [
    `\\d{4}-\\d{2}-\\d{2}${CLOCK}${ZONE}`,
    `(?:${DAY},? )?${MONTH} \\d{1,2},? \\d{4}${CLOCK}${ZONE}`,
    `(?:${DAY},? )?\\d{1,2} ${MONTH} \\d{4}${CLOCK}${ZONE}`,
    `\\d{1,2}/\\d{1,2}/\\d{4}${CLOCK}`,
  ].join('|'),
  'g',
)

/** Tool output that differs each time: durations, random names, process ids. */
const CHANCE: readonly [RegExp, string][] = [
  [DATES, '<date>'],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|seconds?|milliseconds?)\b/g, '<duration>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\bChunk ID: [0-9a-f]+/g, 'Chunk ID: <id>'],
  [/\bP(?:GID|ID):? \d+/gi, '<pid>'],
]

/**
 * Normalises a request for recordings: ids numbered by appearance, dates, durations and session members removed,
 * `places` (folders of this run, by label) replaced by their label. Two runs of one conversation give equal keys.
 */
export function requestKey(
  path: string,
  body: string,
  places: Readonly<Record<string, string>>,
): Digest {
  const ids = new Map<string, string>()
  const value = settle(parseJson(body) ?? body, ids, byLength(places))
  return digestBytes(`${path}\n${canonicalJson(value)}`)
}

type Places = readonly (readonly [label: string, place: string])[]

/**
 * Sorts the longest first, so that a folder inside another keeps its own name; claude also writes paths with dashes.
 */
function byLength(places: Readonly<Record<string, string>>): Places {
  return Object.entries(places)
    .filter(([, place]) => place !== '')
    .flatMap(
      ([label, place]): Places => [
        [label, place],
        [label, place.replace(/[^A-Za-z0-9]/g, '-')],
      ],
    )
    .sort((a, b) => b[1].length - a[1].length)
}

function settle(value: unknown, ids: Map<string, string>, places: Places): unknown {
  if (typeof value === 'string') return settleText(value, places)
  if (Array.isArray(value)) return value.map((item) => settle(item, ids, places))
  // `1e999` is valid JSON, but has no canonical form as a number.
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value}`
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !VOLATILE.has(name))
      .map(([name, member]) =>
        TIES.has(name) && typeof member === 'string'
          ? [name, numbered(member, ids)]
          : [name, settle(member, ids, places)],
      ),
  )
}

function settleText(text: string, places: Places): string {
  const placed = places.reduce((so, [label, place]) => so.replaceAll(place, `<${label}>`), text)
  return CHANCE.reduce((so, [pattern, name]) => so.replace(pattern, name), placed)
}

function numbered(id: string, ids: Map<string, string>): string {
  const known = ids.get(id) ?? `#${ids.size + 1}`
  ids.set(id, known)
  return known
}
