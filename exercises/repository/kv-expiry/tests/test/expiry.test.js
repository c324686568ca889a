import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Store } from '../src/store.js'

const fresh = () => join(mkdtempSync(join(tmpdir(), 'kv-')), 'store.jsonl')

function clock(start = 1_000) {
  let at = start
  const now = () => at
  return { now, to: (time) => (at = time) }
}

describe('time to live', () => {
  it('is counted from the set over restarts', () => {
    const [path, time] = [fresh(), clock()]
    Store.open(path, time).set('a', 1, { ttlMs: 100 })
    time.to(1_060)
    Store.open(path, time)
    time.to(1_099)
    assert.equal(Store.open(path, time).get('a'), 1)
    time.to(1_100)
    assert.equal(Store.open(path, time).get('a'), undefined)
  })

  it('ends at the very millisecond', () => {
    const time = clock()
    const store = Store.open(fresh(), time).set('a', 1, { ttlMs: 10 })
    time.to(1_009)
    assert.equal(store.has('a'), true)
    time.to(1_010)
    assert.equal(store.has('a'), false)
  })

  it('of zero is over at once', () => {
    const store = Store.open(fresh(), clock()).set('a', 1, { ttlMs: 0 })
    assert.equal(store.get('a'), undefined)
    assert.equal(store.size, 0)
  })
})

describe('listings', () => {
  it('do not show expired keys', () => {
    const time = clock()
    const store = Store.open(fresh(), time)
    store.set('a', 1, { ttlMs: 10 }).set('b', 2).set('c', 3, { ttlMs: 1_000 })
    time.to(1_500)
    assert.equal(store.size, 2)
    assert.deepEqual(store.keys(), ['b', 'c'])
    assert.deepEqual(store.entries(), [['b', 2], ['c', 3]])
  })

  it('show values that are undefined in JSON terms only once set', () => {
    const store = Store.open(fresh(), clock()).set('n', null)
    assert.equal(store.has('n'), true)
    assert.deepEqual(store.entries(), [['n', null]])
  })
})

describe('compaction', () => {
  it('drops expired keys from the file', () => {
    const [path, time] = [fresh(), clock()]
    const store = Store.open(path, time).set('gone', 1, { ttlMs: 10 }).set('kept', 2)
    time.to(2_000)
    store.compact()
    assert.equal(readFileSync(path, 'utf8').includes('gone'), false)
    assert.equal(Store.open(path, time).get('kept'), 2)
  })

  it('does not prolong a life', () => {
    const [path, time] = [fresh(), clock()]
    const store = Store.open(path, time).set('a', 1, { ttlMs: 100 })
    time.to(1_090)
    store.compact()
    time.to(1_100)
    assert.equal(store.get('a'), undefined)
    assert.equal(Store.open(path, time).get('a'), undefined)
  })
})

describe('order', () => {
  it('lets a later permanent set win over an expired one', () => {
    const [path, time] = [fresh(), clock()]
    const store = Store.open(path, time).set('a', 1, { ttlMs: 10 }).set('a', 2)
    time.to(5_000)
    assert.equal(store.get('a'), 2)
    assert.equal(Store.open(path, time).get('a'), 2)
  })

  it('lets a later set that expired win over a permanent one', () => {
    const [path, time] = [fresh(), clock()]
    Store.open(path, time).set('a', 1).set('a', 2, { ttlMs: 10 })
    time.to(5_000)
    assert.equal(Store.open(path, time).get('a'), undefined)
  })

  it('opens files of the version before', () => {
    const [path, time] = [fresh(), clock(500)]
    writeFileSync(path, '{"op":"set","key":"a","value":1,"at":100,"ttlMs":300}\n{"op":"set","key":"b","value":2,"at":300,"ttlMs":300}\n')
    assert.deepEqual(Store.open(path, time).keys(), ['b'])
  })
})
