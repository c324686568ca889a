import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  chainEntry,
  describeHead,
  type LedgerEntry,
  type SignedHead,
} from '#lib/domain/ledger/index.ts'
import {
  checkHead,
  checkStoredHeads,
  LEDGER_KEY_FILE,
  ledgerKey,
  readHead,
  signHead,
  storeHead,
} from './ledger-heads.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'proofboard-heads-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

function write(count: number, reason = 'because'): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (let n = 1; n <= count; n++) {
    const draft = {
      author: 'tester',
      reason,
      action: { kind: 'remove' as const, target: `run_${n}` },
    }
    entries.push(chainEntry(entries.at(-1) ?? null, draft, { now: '2026-01-01T00:00:00.000Z' }))
  }
  return entries
}

const headOf = (entries: readonly LedgerEntry[], place = entries.length) =>
  signHead(describeHead(entries[place - 1]!, null), dataDir)
const problemOf = (head: SignedHead, entries: readonly LedgerEntry[]) =>
  checkHead(head, entries, { keyIds: [ledgerKey(dataDir).keyId] })[0]?.problem ?? null

describe('a signed head', () => {
  it('is made with a key that its owner alone reads, and the same each time', () => {
    const entries = write(3)
    expect(headOf(entries)).toEqual(headOf(entries))
    expect(statSync(join(dataDir, LEDGER_KEY_FILE)).mode & 0o777).toBe(0o600)
  })

  it('is continued by its own chain, also when that has grown', () => {
    const entries = write(5)
    for (const place of [1, 3, 5]) expect(problemOf(headOf(entries, place), entries)).toBeNull()
  })

  it('finds a ledger that was rewritten completely, with every hash recomputed', () => {
    const head = headOf(write(3))
    expect(problemOf(head, write(3, 'another reason'))).toMatch(/was rewritten/)
  })

  it('finds an end that was cut off', () => {
    const entries = write(5)
    expect(problemOf(headOf(entries), entries.slice(0, 4))).toMatch(
      /ends at entry 4: its end was cut/,
    )
  })

  it('is refused when it was changed, or signed by another server', () => {
    const [entries, forged] = [write(3), write(3, 'forged')]
    const head = headOf(entries)
    expect(problemOf({ ...head, hash: forged[2]!.hash }, forged)).toMatch(/signature does not fit/)
    const elsewhere = mkdtempSync(join(tmpdir(), 'proofboard-heads-'))
    const foreign = signHead(describeHead(entries[2]!, null), elsewhere)
    rmSync(elsewhere, { recursive: true })
    expect(problemOf(foreign, entries)).toMatch(/another key/)
    expect(problemOf({ ...head, key: foreign.key }, entries)).toMatch(/signature does not fit/)
  })

  it('is read from text and refused in one sentence when it is none', () => {
    const head = headOf(write(1))
    expect(readHead(JSON.stringify(head))).toEqual(head)
    expect(() => readHead('{"kind":"proofboard-ledger-head"}')).toThrow(/not a signed head/)
  })
})

describe('the heads that a server stored', () => {
  const audit = (actor: string) => [
    { id: 1, at: '2026-01-01T00:00:00.000+00:00', actorKind: 'user', actorId: 'u', actor },
  ]
  const check = (entries: LedgerEntry[], actor = 'ann') =>
    checkStoredHeads({ dataDir, entries, audit: audit(actor) }).map(({ problem }) => problem)

  it('detect a chain that no longer continues them, and lines that cannot be read', () => {
    const entries = write(4)
    for (const place of [2, 4]) storeHead(headOf(entries, place), dataDir)
    expect(check(entries)).toEqual([])
    expect(check(entries.slice(0, 3))).toHaveLength(1)
    expect(check(write(4, 'anew'))).toHaveLength(2)
    appendFileSync(join(dataDir, 'ledger-heads.ndjson'), 'no head\n')
    expect(check(entries)).toEqual(['cannot be read'])
  })
})
