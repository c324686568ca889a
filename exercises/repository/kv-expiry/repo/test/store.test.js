import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Store } from '../src/store.js'

const fresh = () => join(mkdtempSync(join(tmpdir(), 'kv-')), 'store.jsonl')

test('keeps values over a restart', () => {
  const path = fresh()
  Store.open(path).set('a', { n: 1 }).set('b', 2)
  const again = Store.open(path)
  assert.deepEqual(again.get('a'), { n: 1 })
  assert.equal(again.size, 2)
})

test('deletes', () => {
  const store = Store.open(fresh())
  store.set('a', 1)
  assert.equal(store.delete('a'), true)
  assert.equal(store.delete('a'), false)
  assert.deepEqual(store.keys(), [])
})

test('forgets a key after its time', () => {
  let now = 1000
  const store = Store.open(fresh(), { now: () => now })
  store.set('a', 1, { ttlMs: 50 })
  now = 1100
  assert.equal(store.get('a'), undefined)
})
