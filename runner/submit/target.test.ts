import { describe, expect, it } from 'vitest'
import { readTarget } from './target.ts'

describe('readTarget', () => {
  it('is where results go, and whom an identity is for', () => {
    const { results, audience } = readTarget('https://board.example/', { dryRun: true })
    expect(results.href).toBe('https://board.example/api/v1/results?dryRun=1')
    const detail = readTarget('https://board.example', { say: ['subject=a b', 'model=x=y'] })
    expect(detail.results.search).toBe('?subject=a+b&model=x%3Dy')
    expect(audience).toBe('https://board.example')
    const below = readTarget('https://a.example/board/?x=1#y', {})
    expect(below.results.href).toBe('https://a.example/board/api/v1/results')
    expect(below.audience).toBe('https://a.example/board')
  })

  it.each([
    ['ftp://x', 'must be an https address'],
    ['file:///etc/passwd', 'must be an https address'],
    ['nowhere', "must be the board's address"],
    ['http://board.example', 'unencrypted to board.example'],
    ['http://127.0.0.1.evil.example', 'unencrypted'],
    ['https://me:secret@board.example', 'must not contain a name and password'],
  ])('sends no token to %s', (to, words) => {
    expect(() => readTarget(to, {})).toThrow(words)
  })

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'takes %s, which is this machine',
    (to) => expect(readTarget(to, {}).audience).toBe(to),
  )

  it('sends unencrypted on request', () => {
    expect(readTarget('http://board:3000', { insecure: true }).audience).toBe('http://board:3000')
  })
})
