import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { secretFinder } from '../../redact/find-secrets.ts'
import { CappedLog } from './capped-log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const SECRET = 'aab-aab-key-of-this-run'

function written(chunks: readonly (string | Buffer)[], limit = 1000) {
  const path = join(folder, `log-${chunks.length}-${Math.random()}`)
  const log = new CappedLog(path, limit, secretFinder([SECRET]))
  for (const chunk of chunks) log.write(chunk)
  const closed = log.close()
  return { bytes: readFileSync(path), text: readFileSync(path, 'utf8'), ...closed }
}

describe('CappedLog', () => {
  const told = `KEY=${SECRET}\naab-aab-ke a${SECRET} é ghp_abcdefghijklmnopqrstuvwxyz0123456789\n`

  it('blots secrets out, however they are cut into parts', () => {
    const whole = written([told])
    expect(whole.text).not.toContain(SECRET)
    expect(whole.text).not.toContain('ghp_')
    expect(whole.text).toContain('aab-aab-ke a[redacted:')
    expect(whole.text).toContain(' é ')
    for (let size = 1; size <= told.length; size++) {
      const chunks = told.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
      const { text, digest, sizeBytes } = written(chunks)
      expect(text).toBe(whole.text)
      expect([digest, sizeBytes]).toEqual([digestBytes(text), Buffer.byteLength(text)])
    }
  })

  it('keeps all other bytes as they came, broken UTF-8 included', () => {
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 7) % 256))
    expect(written([bytes.subarray(0, 100), bytes.subarray(100)]).bytes).toEqual(bytes)
  })

  it('counts what a limit cuts off', () => {
    const { text, droppedBytes } = written(['123456789\n', 'abc\n', 'more\n'], 12)
    expect(text).toContain('123456789\nab\n')
    expect(droppedBytes).toBe(7)
  })
})
