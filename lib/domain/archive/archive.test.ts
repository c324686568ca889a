import { describe, expect, it } from 'vitest'
import { chainEntry, type LedgerEntry } from '../ledger/index.ts'
import { parseLedger, serializeLedger, streamLedger } from './archive.ts'

const DIGEST = `sha256:${'0a'.repeat(32)}` as const
const ACTIONS: LedgerEntry['action'][] = [
  { kind: 'include', target: 'run_a', planDigest: DIGEST, provenance: 'oidc', shard: null },
  { kind: 'seal-run', target: 'run_a', episodes: 10, digest: DIGEST },
  { kind: 'invalidate', target: 'ep_1' },
]

function write(): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (const action of ACTIONS) {
    const draft = { author: 'größe 🙂', reason: 'a "quoted"\nreason \u0001', action }
    entries.push(chainEntry(entries.at(-1) ?? null, draft, { now: '2026-01-01T00:00:00.000Z' }))
  }
  return entries
}

/** Reads as the file reader does: bytes that are not UTF-8 are refused. */
function read(bytes: Uint8Array): ReturnType<typeof parseLedger> {
  try {
    return parseLedger(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return { entries: [], flaws: [{ place: 'file', problem: 'no UTF-8' }] }
  }
}

describe('the ledger as a file', () => {
  it('comes back as it was written, empty too', () => {
    expect(parseLedger(serializeLedger(write()))).toEqual({ entries: write(), flaws: [] })
    expect(parseLedger(serializeLedger([]))).toEqual({ entries: [], flaws: [] })
  })

  it.each([0, 1, 3])(
    'has the same bytes when %i entries are read piece by piece',
    async (count) => {
      const entries = write().slice(0, count)
      async function* pieces() {
        yield entries.slice(0, 1)
        yield []
        yield entries.slice(1)
      }
      const head = entries.at(-1)?.hash ?? null
      let text = ''
      for await (const part of streamLedger(pieces(), head)) text += part
      expect(text).toBe(serializeLedger(entries))
    },
  )

  it('one changed byte at any place is refused, or makes the same document', () => {
    const bytes = new TextEncoder().encode(serializeLedger(write()))
    const original = JSON.stringify(write())
    const changes = [...bytes].flatMap((byte, place) =>
      othersThan(byte).map((other) => ({ place, byte, other })),
    )
    const accepted = changes.flatMap(({ place, byte, other }) => {
      const { entries, flaws } = read(bytes.with(place, other))
      return flaws.length > 0 ? [] : { place, byte, other, entries }
    })
    expect(accepted.filter(({ entries }) => JSON.stringify(entries) !== original)).toEqual([])
    expect(accepted.length).toBeLessThan(changes.length / 1000)
  })

  it.each([
    ['an entry cut off at the end', (all: LedgerEntry[]) => all.slice(0, 2), 'head'],
    ['an entry taken out', (all: LedgerEntry[]) => [all[0]!, all[2]!], 'entry 2'],
  ])('names %s', (_, change, place) => {
    const document = { ...JSON.parse(serializeLedger(write())), entries: change(write()) }
    expect(parseLedger(JSON.stringify(document)).flaws[0]?.place).toBe(place)
  })

  it('names the entry that cannot be read', () => {
    const [first, , third] = write()
    const entries = [first, { sequence: 2 }, third]
    const text = JSON.stringify({ ...JSON.parse(serializeLedger(write())), entries })
    expect(parseLedger(text).flaws[0]?.place).toMatch(/^entry 2/)
    expect(parseLedger('[').flaws).toEqual([{ place: 'ledger', problem: 'is not JSON' }])
  })
})

/** Returns every single-bit change of a byte, and bytes with a meaning in JSON. */
function othersThan(byte: number): number[] {
  const flips = [1, 2, 4, 8, 16, 32, 64, 128].map((bit) => byte ^ bit)
  const meaningful = [...' \n0a",:}]'].map((char) => char.charCodeAt(0))
  return [...new Set([...flips, ...meaningful])].filter((other) => other !== byte)
}
