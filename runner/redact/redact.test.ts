import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactEvents } from '../gateway/recording/redact-events.ts'
import { exactForms } from './exact-forms.ts'
import { secretFinder } from './find-secrets.ts'
import { RedactingStream } from './redact-stream.ts'
import { redactText } from './redact-text.ts'

const find = secretFinder([])
const redact = (text: string) => redactText(text, find).text
/** Long enough, with letters and digits, made here so that no scanner takes this file for a leak. */
const chars = (length: number, alphabet = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z') =>
  Array.from({ length }, (_, index) => alphabet[(index * 7 + 3) % alphabet.length]).join('')
const hex = (length: number) => chars(length, '0a1b2c3d4e5f6789')
const upper = (length: number) => chars(length, 'ABCD2EFGH3JKLM4NPQR5STUV6WXYZ7')

const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${chars(64)}\n${chars(64)}\n-----END RSA PRIVATE KEY-----`
const SSH = `-----BEGIN OPENSSH PRIVATE KEY-----\\n${chars(64)}\\n-----END OPENSSH PRIVATE KEY-----`

/** [kind, text, the part that must be gone] */
const SECRETS: [kind: string, text: string, secret: string][] = [
  ['anthropic-key', `key sk-ant-api03-${chars(40)} end`, chars(40)],
  ['openrouter-key', `sk-or-v1-${hex(64)}`, hex(64)],
  ['openai-key', `"sk-proj-${chars(48)}"`, chars(48)],
  ['provider-key', `sk-${chars(32)}`, chars(32)],
  ['google-api-key', `?key=AIza${chars(35)}&x`, chars(35)],
  ['google-oauth-token', `ya29.${chars(60)}`, chars(60)],
  ['google-client-secret', `GOCSPX-${chars(28)}`, chars(28)],
  ['groq-key', `gsk_${chars(52)}`, chars(52)],
  ['xai-key', `xai-${chars(80)}`, chars(80)],
  ['perplexity-key', `pplx-${chars(48)}`, chars(48)],
  ['huggingface-token', `hf_${chars(34)}`, chars(34)],
  ['replicate-token', `r8_${chars(37)}`, chars(37)],
  ['fireworks-key', `fw_${chars(24)}`, chars(24)],
  ['nvidia-key', `nvapi-${chars(64)}`, chars(64)],
  ['aws-access-key', `AKIA${upper(16)}`, upper(16)],
  ['aws-secret-key', `aws_secret_access_key = ${chars(40)}`, chars(40)],
  ['aws-session-token', `"aws_session_token": "${chars(120)}"`, chars(120)],
  ['aws-bedrock-key', `ABSK${chars(80)}`, chars(80)],
  ['azure-storage-key', `DefaultEndpointsProtocol=https;AccountKey=${chars(86)}==;`, chars(86)],
  ['azure-sas', `https://x.blob/y?sv=1&sig=${chars(44)}`, chars(44)],
  ['azure-client-secret', `abc8Q~${chars(34)}`, chars(34)],
  ['github-token', `ghp_${chars(36)}`, chars(36)],
  ['github-fine-token', `github_pat_${chars(82)}`, chars(82)],
  ['gitlab-token', `glpat-${chars(20)}`, chars(20)],
  ['slack-token', `xoxb-${chars(40)}`, chars(40)],
  ['slack-app-token', `xapp-1-${chars(40)}`, chars(40)],
  ['slack-webhook', `https://hooks.slack.com/services/T0/B0/${chars(24)}`, chars(24)],
  ['discord-webhook', `https://discord.com/api/webhooks/123456/${chars(60)}`, chars(60)],
  ['stripe-key', `sk_live_${chars(24)}`, chars(24)],
  ['stripe-webhook-secret', `whsec_${chars(32)}`, chars(32)],
  ['npm-token', `npm_${chars(36)}`, chars(36)],
  ['npmrc-auth', `//registry.example/:_authToken=${chars(20)}`, chars(20)],
  ['pypi-token', `pypi-${chars(80)}`, chars(80)],
  ['docker-token', `dckr_pat_${chars(27)}`, chars(27)],
  ['digitalocean-token', `dop_v1_${hex(64)}`, hex(64)],
  ['sendgrid-key', `SG.${chars(22)}.${chars(43)}`, chars(43)],
  ['twilio-key', `SK${hex(32)}`, hex(32)],
  ['telegram-token', `bot 123456789:AA${chars(33)}`, chars(33)],
  ['databricks-token', `dapi${hex(32)}`, hex(32)],
  ['vault-token', `hvs.${chars(30)}`, chars(30)],
  ['linear-key', `lin_api_${chars(40)}`, chars(40)],
  ['notion-token', `ntn_${chars(46)}`, chars(46)],
  ['shopify-token', `shpat_${hex(32)}`, hex(32)],
  ['sentry-token', `sntrys_${chars(60)}`, chars(60)],
  ['atlassian-token', `ATATT3${chars(60)}`, chars(60)],
  ['age-key', `AGE-SECRET-KEY-1${upper(58)}`, upper(58)],
  ['jwt', `eyJ${chars(20)}.eyJ${chars(40)}.${chars(43)}`, chars(43)],
  ['private-key', `a\n${PEM}\nb`, chars(64)],
  ['private-key', `"${SSH}"`, chars(64)],
  ['private-key', `cut off: ${PEM.slice(0, 120)}`, chars(60)],
  ['url-password', 'postgres://admin:hunter22@db.example:5432/x', 'hunter22'],
  ['url-password', 'https://user:p%40ss-word@example.com/', 'p%40ss-word'],
  ['connection-password', 'Server=db;User Id=sa;Password=hunter22;Encrypt=true', 'hunter22'],
  ['bearer', `Authorization: Bearer ${chars(30)}`, chars(30)],
  ['heroku-key', 'HEROKU_API_KEY: 01234567-89ab-cdef-0123-456789abcdef', '01234567-89ab'],
  ['env-line', 'docker run\n -e API_TOKEN=justwords x', 'justwords'],
  ['env-line', 'A=1\nSTRIPE_SECRET=justwords\nB=2', 'justwords'],
  ['env-line', '{"text":"# .env\\nDB_PASSWORD=\\"letmein\\"\\n"}', 'letmein'],
  ['named-secret', `const config = { apiKey: '${chars(24)}' }`, chars(24)],
  ['named-secret', `{\\"client_secret\\": \\"${chars(24)}\\"}`, chars(24)],
  ['named-secret', `x-api-key: ${hex(40)}`, hex(40)],
]

describe('secrets go', () => {
  it.each(SECRETS)('%s in %s', (kind, text, secret) => {
    expect(redact(text)).toContain(`[redacted:${kind}]`)
    expect(redact(text)).not.toContain(secret)
    expect(redact(redact(text))).toBe(redact(text))
  })

  it('of at least 25 kinds', () => {
    expect(new Set(SECRETS.map(([kind]) => kind)).size).toBeGreaterThanOrEqual(45)
  })

  it('leaves what stands around them', () => {
    expect(redact(`a ghp_${chars(36)} b\npostgres://me:hunter22@host/db`)).toBe(
      'a [redacted:github-token] b\npostgres://me:[redacted:url-password]@host/db',
    )
  })
})

describe('honest text stays', () => {
  it.each([
    'export function two(token: string): string { return token.trim() }',
    'const password = prompt("password")\nconst secretKey = process.env.SECRET_KEY',
    `API_KEY=$API_KEY\nTOKEN=$${'{TOKEN:-none}'}\nSECRET=<your-secret>`,
    '"integrity": "sha512-rGkvmZ3wgiqa4dF0qmXWc2b3LzrkjmZB6Bmyr0AB8GxG1n0n0q0vQDgbHnPmxHXWZNZBAuZ8x0XN0=="',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'id: 123e4567-e89b-12d3-a456-426614174000',
    'token: 123e4567-e89b-12d3-a456-426614174000',
    '{"max_tokens":32000,"input_tokens":1234,"cache_read_input_tokens":99}',
    'http://localhost:3000/path?a=b@c https://example.com:8080/x',
    'git@github.com:owner/repo.git',
    'the sk-loading-indicator-wrapper-element class, sk-12, npm_config_registry, hf_hub',
    'const tokenizer = new Tokenizer(); type Secret = { passwordHash: string }',
    "expect(() => parse('token', 'secret')).toThrow('password too short')",
    'import { secretFinder } from "./find-secrets-in-a-long-file-name.ts"',
    'Bearer authentication is described below, basic understanding-of-this needed',
    'a.b.c.d eyJub3Q=.x.y AKIA AKIAISH SKIRT data:image/png;base64,iVBORw0KGgo',
    'let a=1,PAGE_SEGMENT_KEY="__PAGE__",STORE_KEY=Symbol.for("x.y")',
    'const token = scanner2.scanJsDocToken(), secret = base64.converterOfUtf8',
    'for (let key = 0; key < keys.length; key++) map[key] = values[key]',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----',
    'toolu_01A09q90qw90lq917835lq9 call_abc123def456ghi789jkl012 msg_013Zva2CMHLNnXjNJJKqJ2EF',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('the exact keys of a run', () => {
  const key = 'my "odd" key/+=ö 12'
  const own = secretFinder([key])

  it.each([
    ['raw', key],
    ['JSON', JSON.stringify({ key })],
    ['URL', `?k=${encodeURIComponent(key)}`],
    ['hex', Buffer.from(key).toString('hex')],
    ['base64', Buffer.from(key).toString('base64')],
    ['base64 behind a user', Buffer.from(`user:${key}`).toString('base64')],
    ['base64 inside', Buffer.from(`ab${key}cd`).toString('base64')],
    ['base64url', Buffer.from(`x${key}`).toString('base64url')],
  ])('%s', (_form, text) => {
    const result = redactText(text, own)
    expect(result.text).toContain('[redacted:run-key]')
    for (const form of exactForms(key)) expect(result.text).not.toContain(form)
  })

  it('is found in any company, at any place', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 10, maxLength: 60 }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          const encoded = Buffer.from(before + secret + after).toString('base64')
          const forms = exactForms(secret)
          expect(forms.some((form) => encoded.includes(form))).toBe(true)
        },
      ),
    )
  })

  it('is found in fragments of an event stream, whatever the cut', () => {
    const secret = `sk-real-${chars(24)}`
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 31 }), { maxLength: 4 }), (cuts) => {
        const bounds = [0, ...[...new Set(cuts)].sort((a, b) => a - b), secret.length]
        const pieces = bounds.slice(1).map((end, index) => secret.slice(bounds[index], end))
        const body = ['say ', ...pieces, ' end']
          .map((text, index) => `data: ${JSON.stringify({ index, delta: { text } })}\n\n`)
          .join('')
        const { text } = redactEvents(body, secretFinder([secret]))
        const said = [...text.matchAll(/^data: (.*)$/gm)].map(
          (match) => JSON.parse(match[1] ?? '').delta.text,
        )
        expect(said.join('')).toMatch(/^say \[redacted:[a-z-]+\] end$/)
        expect(said).toHaveLength(pieces.length + 2)
      }),
    )
  })
})

describe('text that comes in pieces', () => {
  const texts = SECRETS.map(([, text]) => text)

  it('is redacted as if it had come at once', () => {
    const line = fc.constantFrom(...texts, 'plain text', '', 'const a = 1')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.nat()), (lines, cuts) => {
        const text = lines.join('\n')
        const stream = new RedactingStream(find)
        const bounds = [
          0,
          ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b),
          text.length,
        ]
        const out = bounds.slice(1).map((end, index) => stream.push(text.slice(bounds[index], end)))
        expect(out.join('') + stream.end()).toBe(redact(text))
      }),
      { numRuns: 1000 },
    )
  })

  it('holds little: an endless line goes out, an endless private key does not', () => {
    const stream = new RedactingStream(find)
    let out = 0
    for (let piece = 0; piece < 100; piece++) out += stream.push('word '.repeat(1000)).length
    expect(out).toBeGreaterThan(400_000)
    const behindKey = new RedactingStream(find)
    const tail = 'word '.repeat(20_000)
    expect(behindKey.push(PEM + tail) + behindKey.end()).toBe(`[redacted:private-key]${tail}`)
    const inKey = new RedactingStream(find)
    let text = inKey.push('a\n-----BEGIN PRIVATE KEY-----\n')
    for (let piece = 0; piece < 100; piece++) text += inKey.push(`${chars(1000)}\n`)
    text += inKey.push('-----END PRIVATE KEY-----\nafter\n') + inKey.end()
    expect(text).toBe('a\n[redacted:private-key]\nafter\n')
  })
})
