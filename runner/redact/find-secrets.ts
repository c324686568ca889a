export type FoundSecret = { start: number; end: number; kind: string }
export type FindSecrets = (text: string) => FoundSecret[]

const START = '(?<![A-Za-z0-9_-])'

const END = '(?![A-Za-z0-9_-])'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const isNoReference = (text: string) => !REFERENCE.test(text)

/** Every kind of secret; specific kinds first, because the first of two equal matches names it. */
const SECRET_KINDS: readonly SecretKind[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  prefixed('anthropic-key', 'sk-ant-[A-Za-z0-9_-]{16,}'),
  prefixed('openrouter-key', 'sk-or-v1-[0-9a-f]{32,}'),
  prefixed('openai-key', 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}'),
  prefixed('provider-key', 'sk-[A-Za-z0-9_-]{20,}', looksRandom),
  prefixed('google-api-key', 'AIza[0-9A-Za-z_-]{35}'),
  prefixed('google-oauth-token', 'ya29\\.[0-9A-Za-z_-]{20,}'),
  prefixed('google-client-secret', 'GOCSPX-[0-9A-Za-z_-]{20,}'),
  prefixed('groq-key', 'gsk_[A-Za-z0-9]{32,}'),
  prefixed('xai-key', 'xai-[A-Za-z0-9]{32,}'),
  prefixed('perplexity-key', 'pplx-[A-Za-z0-9]{32,}'),
  prefixed('huggingface-token', 'hf_[A-Za-z0-9]{30,}'),
  prefixed('replicate-token', 'r8_[A-Za-z0-9]{30,}'),
  prefixed('fireworks-key', 'fw_[A-Za-z0-9]{20,}', looksRandom),
  prefixed('nvidia-key', 'nvapi-[A-Za-z0-9_-]{40,}'),
  prefixed('aws-access-key', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'),
  named('aws-secret-key', 'aws_?secret_?(?:access_?)?key', '[A-Za-z0-9/+=]{40}'),
  named('aws-session-token', 'aws_?session_?token', '[A-Za-z0-9/+=]{60,}'),
  prefixed('aws-bedrock-key', 'ABSK[A-Za-z0-9+/]{60,}={0,2}'),
  { kind: 'azure-storage-key', pattern: /AccountKey=(?<secret>[A-Za-z0-9+/]{60,}={0,2})/g },
  { kind: 'azure-sas', pattern: /[?&]sig=(?<secret>[A-Za-z0-9%+/]{30,}={0,2})/g },
  prefixed('azure-client-secret', '[A-Za-z0-9_~.]{3}8Q~[A-Za-z0-9_~.-]{31,34}'),
  prefixed('github-token', 'gh[pousr]_[A-Za-z0-9]{36,}'),
  prefixed('github-fine-token', 'github_pat_[A-Za-z0-9_]{50,}'),
  prefixed('gitlab-token', 'gl(?:pat|dt|rt|ptt|soat|cbt|imt|agent|ft|oas)-[A-Za-z0-9_.-]{20,}'),
  prefixed('slack-token', 'xox[abeoprs]-[A-Za-z0-9-]{10,}'),
  prefixed('slack-app-token', 'xapp-[0-9]-[A-Za-z0-9-]{20,}'),
  {
    kind: 'slack-webhook',
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/(?<secret>[A-Za-z0-9/_-]{20,})/g,
  },
  {
    kind: 'discord-webhook',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/(?<secret>\d+\/[A-Za-z0-9_-]{20,})/g,
  },
  prefixed('stripe-key', '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}'),
  prefixed('stripe-webhook-secret', 'whsec_[A-Za-z0-9+/=]{24,}'),
  prefixed('npm-token', 'npm_[A-Za-z0-9]{36}'),
  {
    kind: 'npmrc-auth',
    pattern: /_(?:authToken|auth|password)[ \t]*=[ \t]*(?<secret>[^\s"'\\$]{8,})/g,
  },
  prefixed('pypi-token', 'pypi-[A-Za-z0-9_-]{50,}'),
  prefixed('docker-token', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}'),
  prefixed('digitalocean-token', 'do[opr]_v1_[0-9a-f]{64}'),
  prefixed('sendgrid-key', 'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'),
  prefixed('twilio-key', '(?:SK|AC)[0-9a-f]{32}'),
  prefixed('telegram-token', '[0-9]{8,10}:AA[A-Za-z0-9_-]{33}'),
  prefixed('databricks-token', 'dapi[0-9a-f]{32}(?:-\\d)?'),
  prefixed('vault-token', 'hv[sbr]\\.[A-Za-z0-9_-]{24,}'),
  prefixed('linear-key', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,}'),
  prefixed('notion-token', '(?:secret_|ntn_)[A-Za-z0-9]{40,}'),
  prefixed('shopify-token', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'),
  prefixed('sentry-token', 'sntry[su]_[A-Za-z0-9+/=_-]{40,}'),
  prefixed('atlassian-token', 'ATATT3[A-Za-z0-9_=-]{50,}'),
  prefixed('age-key', 'AGE-SECRET-KEY-1[0-9A-Z]{50,}'),
  prefixed('jwt', 'eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}'),
  {
    kind: 'url-password',
    pattern: /(?<=[a-z0-9]):\/\/[^\s/:@"'<>\\]{0,80}:(?<secret>[^\s/@"'<>\\]{3,})@/gi,
    isLikely: isNoReference,
  },
  {
    kind: 'connection-password',
    pattern: /;[ \t]*(?:password|pwd)[ \t]*=[ \t]*(?<secret>[^\s;"'\\]{4,})/gi,
    isLikely: isNoReference,
  },
  {
    kind: 'bearer',
    pattern: /\b(?:bearer|basic)[ \t]+(?<secret>[A-Za-z0-9._~+/-]{16,}={0,2})/gi,
    isLikely: looksRandom,
  },
  named('heroku-key', 'heroku_api_key', '[0-9a-f-]{36}'),
  {
    kind: 'env-line',
    pattern:
      /(?:^|\\n|[\r\n"'`])(?:[ \t]*(?:export|env|-e) )?[A-Z][A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)=\\?["']?(?<secret>[^\s"'\\`;&|()]{6,})/g,
    isLikely: isNoReference,
  },
  named(
    'named-secret',
    'api[_-]?key|secret(?:[_-]?key)?|token|passw(?:or)?d|passphrase|credentials?|access[_-]?key|private[_-]?key|auth[_-]?key',
    '[A-Za-z0-9+/_~.=-]{16,}',
    (text) => looksRandom(text) && !isCode(text),
  ),
]

/** Number of kinds, including the exact keys of a run. */
export const RULE_COUNT = SECRET_KINDS.length + 1

/**
 * Builds a finder of every kind of secret, and of the exact `secrets` of this run in every encoding, whole or in
 * pieces. Matches never overlap.
 */
export function secretFinder(secrets: readonly string[]): FindSecrets {
  const forms = [...new Set(secrets.flatMap(exactForms))].sort((a, b) => b.length - a.length)
  const exact = exactKind(forms)
  const kinds = exact ? [exact, ...SECRET_KINDS] : SECRET_KINDS
  const findPieces = pieceFinder(forms)
  return (text) =>
    merge([
      ...findPieces(text).map((piece) => ({ ...piece, kind: RUN_KEY })),
      ...kinds.flatMap((kind) => findKind(text, kind)),
    ])
}

const RUN_KEY = 'run-key'

function exactKind(forms: readonly string[]): SecretKind | null {
  if (forms.length === 0) return null
  return { kind: RUN_KEY, pattern: new RegExp(forms.map(literal).join('|'), 'g') }
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function findKind(text: string, { kind, pattern, isLikely }: SecretKind): FoundSecret[] {
  const found: FoundSecret[] = []
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.secret ?? match[0]
    if (isLikely && !isLikely(secret)) continue
    const end = match.index + match[0].length
    // A named group is at the end of its pattern, except for a closing character.
    const start =
      match.groups?.secret === undefined
        ? match.index
        : text.lastIndexOf(secret, end - secret.length)
    found.push({ start, end: start + secret.length, kind })
  }
  return found
}

/** Merges overlapping matches; the first one names the result. */
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

type SecretKind = {
  kind: string
  /** Global; the group `secret` is removed, else the whole match. No pattern but `private-key` spans lines. */
  pattern: RegExp
  /** A further check for patterns that alone would match ordinary text. */
  isLikely?: (secret: string) => boolean
}

/** Matches a token with a fixed prefix. */
function prefixed(kind: string, body: string, isLikely?: (secret: string) => boolean): SecretKind {
  const pattern = new RegExp(`${START}${body}${END}`, 'g')
  return isLikely ? { kind, pattern, isLikely } : { kind, pattern }
}

/** Matches `name = value`, `"name": "value"` (quotes escaped or not), `name: value`; the value is the secret. */
function named(
  kind: string,
  name: string,
  value: string,
  isLikely?: SecretKind['isLikely'],
): SecretKind {
  const pattern = new RegExp(
    `(?:${name})\\\\?["'\`]?[ \\t]{0,4}(?::|=>?|,)[ \\t]{0,4}\\\\?["'\`]?(?<secret>${value})`,
    'gi',
  )
  return isLikely ? { kind, pattern, isLikely } : { kind, pattern }
}
const REFERENCE = /^(?:\$|<|\{|process\.|env\.|import\.|os\.|your|xxx|\*{3}|\.{3}|\[redacted)/i

/**
 * Returns true for mixed letters and digits with at least 3.2 bits per character: words, paths and numbers have fewer.
 */
function looksRandom(text: string): boolean {
  if (!/[0-9]/.test(text) || !/[A-Za-z]/.test(text) || UUID.test(text)) return false
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length)
  return bits >= 3.2
}

/**
 * Recognises identifiers such as `scanner2.scanToken`, `tokens/v2/refresh-token`, `createToken2`: they have few digits,
 * at the end of a word.
 */
function isCode(text: string): boolean {
  return text.split(/[./=~+_-]+/).every((word) => /^(?:[A-Za-z]*\d{0,4}|\d+)$/.test(word))
}

/**
 * Lists every encoding of a known secret: raw, JSON-escaped, URL-encoded, hexadecimal, base64 and base64url (alone or
 * inside something longer, so at three alignments). Forms under 8 characters are left out: they would match ordinary
 * text.
 */
export function exactForms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => alignedBase64(bytes, offset)),
  ]
  return [...new Set(forms)].filter((form) => form.length >= 8).sort((a, b) => b.length - a.length)
}

/**
 * Returns the base64 of the secret after `offset` unknown bytes, without the characters that depend on adjacent bytes.
 */
function alignedBase64(bytes: Buffer, offset: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
  const first = [0, 2, 3][offset] as number
  const last = Math.floor((whole.length * 8) / 6)
  const text = whole.toString('base64').slice(first, last)
  return [text, text.replaceAll('+', '-').replaceAll('/', '_'), text.replaceAll('/', '\\/')]
}

/** Minimum length of a piece: shorter ones reveal nothing, and ordinary text contains none of this length by chance. */
const MIN_PIECE_LENGTH = 24
/** Windows are looked up at this interval: every piece contains a complete one, wherever it begins. */
const WINDOW = 12

const UNBROKEN = /[A-Za-z0-9+/=_%.~-]{24,}/g

type Place = { form: string; at: number }
type Piece = { start: number; end: number }

/** Finds parts of known texts: `base64` and terminals wrap lines, and tools cut their output. Linear in the text. */
function pieceFinder(forms: readonly string[]): (text: string) => Piece[] {
  const places = new Map<string, Place[]>()
  for (const form of forms.filter(({ length }) => length >= MIN_PIECE_LENGTH))
    for (let at = 0; at + WINDOW <= form.length; at++) {
      const window = form.slice(at, at + WINDOW)
      places.set(window, [...(places.get(window) ?? []), { form, at }])
    }
  if (places.size === 0) return () => []
  return (text) =>
    [...text.matchAll(UNBROKEN)].flatMap(({ index, 0: run }) =>
      findInRun(run, places).map(({ start, end }) => ({ start: index + start, end: index + end })),
    )
}

/** A form may begin with words (`Bearer …`): a piece is a contiguous run without spaces. */
function findInRun(run: string, places: ReadonlyMap<string, readonly Place[]>): Piece[] {
  const found: Piece[] = []
  for (let at = 0; at + WINDOW <= run.length; at += WINDOW) {
    const pieces = (places.get(run.slice(at, at + WINDOW)) ?? []).map((one) => grow(run, at, one))
    const long = pieces.filter((piece) => piece.end - piece.start >= MIN_PIECE_LENGTH)
    found.push(...long)
    // Continues after a piece, so that a text of nothing but pieces takes no longer.
    at = long.reduce((max, piece) => Math.max(max, piece.end - WINDOW), at)
  }
  return found
}

/** Extends a window as far as run and form agree. */
function grow(run: string, found: number, { form, at }: Place): Piece {
  let before = 0
  while (before < at && run[found - before - 1] === form[at - before - 1]) before += 1
  let after = WINDOW
  while (at + after < form.length && run[found + after] === form[at + after]) after += 1
  return { start: found - before, end: found + after }
}
