import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest.ts'
import { CappedLog } from './capped-log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const SECRET = 'aab-aab-key'

function written(chunks: readonly string[], limit = 1000) {
  const log = new CappedLog(join(folder, `log-${chunks.length}-${Math.random()}`), limit)
  log.hide(SECRET)
  for (const chunk of chunks) log.write(chunk)
  const closed = log.close()
  return { text: readFileSync(log.path, 'utf8'), ...closed }
}

describe('CappedLog hides a secret', () => {
  const told = `KEY=${SECRET}${SECRET}\naab-aab-ke aaab-aab-key é ${SECRET.slice(0, -1)}`
  const clean = `KEY=[hidden][hidden]\naab-aab-ke a[hidden] é ${SECRET.slice(0, -1)}`

  it('however it is cut into parts', () => {
    for (let size = 1; size <= told.length; size++) {
      const chunks = told.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
      const { text, digest, sizeBytes } = written(chunks)
      expect(text).toBe(clean)
      expect([digest, sizeBytes]).toEqual([digestBytes(clean), Buffer.byteLength(clean)])
    }
  })

  it('and counts what a limit cuts off', () => {
    const { text, droppedBytes } = written([`123456789${SECRET}`], 12)
    expect(text).toContain('123456789[hi\n')
    expect(droppedBytes).toBe(5)
  })
})
