import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactEvents } from '../gateway/recorder.ts'
import { exactForms, secretFinder } from './find-secrets.ts'
import { chars, PEM, PLANTED_SECRETS } from './planted-secrets.fixture.ts'
import { RedactingStream, redactText } from './redact.ts'

const find = secretFinder([])
const redact = (text: string) => redactText(text, find).text

describe('secrets go', () => {
  it.each(PLANTED_SECRETS)('%s in %s', (kind, text, secret) => {
    expect(redact(text)).toContain(`[redacted:${kind}]`)
    expect(redact(text)).not.toContain(secret)
    expect(redact(redact(text))).toBe(redact(text))
  })

  it('of at least 25 kinds', () => {
    expect(new Set(PLANTED_SECRETS.map(([kind]) => kind)).size).toBeGreaterThanOrEqual(45)
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

  const long = `sk-real-${chars(100)}`
  const lines = (text: string, width: number) => text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []

  it.each([
    ['base64', lines(Buffer.from(long).toString('base64'), 76)],
    ['base64 of a line', lines(Buffer.from(`A_KEY=${long}\n`).toString('base64'), 76)],
    ['base64 among others', lines(Buffer.from(`a${long}${'b'.repeat(80)}`).toString('base64'), 64)],
    ['hex', lines(Buffer.from(long).toString('hex'), 60)],
    ['a narrow terminal', lines(long, 40)],
    ['a part', [`it starts with ${long.slice(0, 60)} and`]],
  ])('leave no piece that says something: %s', (_, printed) => {
    const stream = new RedactingStream(secretFinder([long]))
    const out = printed.map((line) => stream.push(`${line}\n`)).join('') + stream.end()
    const pieces = exactForms(long).flatMap((form) =>
      Array.from({ length: form.length - 23 }, (_, at) => form.slice(at, at + 24)),
    )
    expect(pieces.filter((piece) => out.includes(piece))).toEqual([])
  })

  it('leaves what stands beside a key that is known with a word before it', () => {
    const find = secretFinder([`Bearer ${long}`])
    expect(redactText(`no price with ${long} today`, find).text).toBe(
      'no price with [redacted:run-key] today',
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
        const parts = [...text.matchAll(/^data: (.*)$/gm)].map(
          (match) => JSON.parse(match[1] ?? '').delta.text,
        )
        expect(parts.join('')).toMatch(/^say \[redacted:[a-z-]+\] end$/)
        expect(parts).toHaveLength(pieces.length + 2)
      }),
    )
  })
})

describe('text that comes in pieces', () => {
  const texts = PLANTED_SECRETS.map(([, text]) => text)

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
