import { describe, it, expect } from '@jest/globals'
import { applyPatch, PatchError, type Json, type Operation } from './json-patch.ts'

/** Applies the patch, expects it to fail and says how: 'not-found at 1'. */
function failureOf(document: Json, ...operations: Operation[]): string {
  try {
    applyPatch(document, operations)
  } catch (error) {
    expect(error).toBeInstanceOf(PatchError)
    const { code, index } = error as PatchError
    return `${code} at ${index}`
  }
  return 'no failure'
}

function isEqualTo(document: Json, value: Json): boolean {
  return failureOf(document, { op: 'test', path: '', value }) === 'no failure'
}

describe('places', () => {
  it('in an array may have several digits and end before its length', () => {
    const list = Array.from({ length: 12 }, (_, index) => index)
    const removed = applyPatch(list, [{ op: 'remove', path: '/10' }])
    expect(removed).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11])
    expect(failureOf(list, { op: 'remove', path: '/12' })).toBe('not-found at 0')
    expect(failureOf([], { op: 'remove', path: '/0' })).toBe('not-found at 0')
  })

  it('are decoded at every slash and tilde', () => {
    const document = { 'a/b/c': 1, 'm~n~o': 2 }
    expect(applyPatch(document, [{ op: 'remove', path: '/a~1b~1c' }])).toEqual({ 'm~n~o': 2 })
    expect(applyPatch(document, [{ op: 'remove', path: '/m~0n~0o' }])).toEqual({ 'a/b/c': 1 })
  })

  it('may share their beginning when something is moved', () => {
    const document = { a: { b: 1, c: {} } }
    expect(applyPatch(document, [{ op: 'move', from: '/a/b', path: '/a/c/d' }])).toEqual({
      a: { c: { d: 1 } },
    })
  })
})

describe('add', () => {
  it('adds a member to an object', () => {
    expect(applyPatch({ a: 1 }, [{ op: 'add', path: '/b', value: [2] }])).toEqual({ a: 1, b: [2] })
  })

  it('replaces a member that is there already', () => {
    expect(applyPatch({ a: { b: 1, c: 2 } }, [{ op: 'add', path: '/a/b', value: null }])).toEqual({
      a: { b: null, c: 2 },
    })
  })

  it('inserts into an array', () => {
    expect(applyPatch(['a', 'c'], [{ op: 'add', path: '/1', value: 'b' }])).toEqual(['a', 'b', 'c'])
    expect(applyPatch([[1], 2], [{ op: 'add', path: '/0/0', value: 0 }])).toEqual([[0, 1], 2])
  })

  it('appends to an array at its length and at the dash', () => {
    expect(
      applyPatch({ list: [] }, [
        { op: 'add', path: '/list/0', value: 'a' },
        { op: 'add', path: '/list/-', value: 'b' },
        { op: 'add', path: '/list/2', value: 'c' },
      ]),
    ).toEqual({ list: ['a', 'b', 'c'] })
  })

  it('takes a dash for a key where it meets an object', () => {
    expect(applyPatch({}, [{ op: 'add', path: '/-', value: 1 }])).toEqual({ '-': 1 })
  })

  it('replaces the whole document at the empty pointer', () => {
    expect(applyPatch({ a: 1 }, [{ op: 'add', path: '', value: false }])).toBe(false)
  })

  it('does not create what is missing on the way', () => {
    expect(failureOf({}, { op: 'add', path: '/a/b', value: 1 })).toBe('not-found at 0')
    expect(failureOf({ a: 'text' }, { op: 'add', path: '/a/0', value: 1 })).toBe('not-found at 0')
    expect(failureOf(null, { op: 'add', path: '/a', value: 1 })).toBe('not-found at 0')
  })

  it('does not leave holes in an array', () => {
    expect(failureOf([1], { op: 'add', path: '/2', value: 3 })).toBe('not-found at 0')
  })
})

describe('remove and replace', () => {
  it('remove a member and close the gap in an array', () => {
    expect(
      applyPatch({ a: 1, list: [1, 2, 3] }, [
        { op: 'remove', path: '/a' },
        { op: 'remove', path: '/list/1' },
      ]),
    ).toEqual({ list: [1, 3] })
  })

  it('replace in objects, in arrays and at the top', () => {
    expect(
      applyPatch({ a: [1, { b: 2 }] }, [
        { op: 'replace', path: '/a/0', value: 'one' },
        { op: 'replace', path: '/a/1/b', value: 'two' },
      ]),
    ).toEqual({ a: ['one', { b: 'two' }] })
    expect(applyPatch([], [{ op: 'replace', path: '', value: 7 }])).toBe(7)
  })

  it('need something to be there', () => {
    expect(failureOf({ a: 1 }, { op: 'remove', path: '/b' })).toBe('not-found at 0')
    expect(failureOf({ a: 1 }, { op: 'replace', path: '/b', value: 1 })).toBe('not-found at 0')
    expect(failureOf([1], { op: 'remove', path: '/1' })).toBe('not-found at 0')
    expect(failureOf([1], { op: 'replace', path: '/1', value: 1 })).toBe('not-found at 0')
  })

  it('find members whose value is null', () => {
    expect(applyPatch({ a: null, b: null }, [{ op: 'remove', path: '/a' }])).toEqual({ b: null })
    expect(applyPatch([null], [{ op: 'replace', path: '/0', value: 1 }])).toEqual([1])
  })

  it('do not accept the dash in an array', () => {
    expect(failureOf([1], { op: 'remove', path: '/-' })).toBe('not-found at 0')
    expect(failureOf([1], { op: 'replace', path: '/-', value: 1 })).toBe('not-found at 0')
  })

  it('cannot take the whole document away', () => {
    expect(failureOf({ a: 1 }, { op: 'remove', path: '' })).toBe('forbidden at 0')
  })
})

describe('move and copy', () => {
  it('move a member to another place', () => {
    expect(
      applyPatch({ a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }]),
    ).toEqual({ a: {}, c: { d: 1 } })
  })

  it('read the target of a move without the moved value', () => {
    const letters = ['a', 'b', 'c', 'd']
    expect(applyPatch(letters, [{ op: 'move', from: '/0', path: '/2' }])).toEqual([
      'b',
      'c',
      'a',
      'd',
    ])
    expect(applyPatch(letters, [{ op: 'move', from: '/3', path: '/1' }])).toEqual([
      'a',
      'd',
      'b',
      'c',
    ])
    expect(applyPatch(letters, [{ op: 'move', from: '/1', path: '/-' }])).toEqual([
      'a',
      'c',
      'd',
      'b',
    ])
    expect(failureOf(letters, { op: 'move', from: '/0', path: '/4' })).toBe('not-found at 0')
  })

  it('do not move a value into itself', () => {
    const document = { a: { b: {} }, ab: {} }
    expect(failureOf(document, { op: 'move', from: '/a', path: '/a/b/c' })).toBe('forbidden at 0')
    expect(failureOf(document, { op: 'move', from: '', path: '/c' })).toBe('forbidden at 0')
    expect(failureOf(document, { op: 'move', from: '/x', path: '/x/y' })).toBe('forbidden at 0')
  })

  it('may move to a longer name that merely begins alike, and to the same place', () => {
    expect(applyPatch({ a: 1, ab: {} }, [{ op: 'move', from: '/a', path: '/ab/c' }])).toEqual({
      ab: { c: 1 },
    })
    expect(applyPatch([1, 2], [{ op: 'move', from: '/1', path: '/1' }])).toEqual([1, 2])
    expect(failureOf([1, 2], { op: 'move', from: '/2', path: '/2' })).toBe('not-found at 0')
  })

  it('copy a value, even the whole document into itself', () => {
    expect(applyPatch({ a: [1] }, [{ op: 'copy', from: '', path: '/a/0' }])).toEqual({
      a: [{ a: [1] }, 1],
    })
    expect(failureOf({ a: 1 }, { op: 'copy', from: '/b', path: '/a' })).toBe('not-found at 0')
  })

  it('keep the copy apart from the original', () => {
    expect(
      applyPatch({ a: { list: [1] } }, [
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'add', path: '/b/list/-', value: 2 },
        { op: 'replace', path: '/a/list/0', value: 0 },
      ]),
    ).toEqual({ a: { list: [0] }, b: { list: [1, 2] } })
  })
})

describe('test', () => {
  it('looks at every element and every member', () => {
    expect(isEqualTo([1, 2, 3], [1, 2, 3])).toBe(true)
    expect(isEqualTo([1, 2, 3], [1, 2, 4])).toBe(false)
    expect(isEqualTo([1, 2, 3], [0, 2, 3])).toBe(false)
    expect(isEqualTo({ a: 1, b: { c: 2 } }, { b: { c: 2 }, a: 1 })).toBe(true)
    expect(isEqualTo({ a: 1, b: 2 }, { a: 1, b: 3 })).toBe(false)
    expect(isEqualTo({ a: 1, b: 2 }, { a: 1, c: 2 })).toBe(false)
    expect(isEqualTo({ a: 1, b: 2 }, { c: 1, d: 2 })).toBe(false)
  })

  it('lets equal values pass, in whatever order their keys are', () => {
    const document = { a: [1, { b: null, c: 'x' }], d: true }
    expect(isEqualTo(document, { d: true, a: [1, { c: 'x', b: null }] })).toBe(true)
    expect(applyPatch(document, [{ op: 'test', path: '/a/0', value: 1 }])).toEqual(document)
  })

  it('fails on any difference', () => {
    expect(isEqualTo({ a: 1 }, { a: 1, b: 2 })).toBe(false)
    expect(isEqualTo({ a: 1, b: 2 }, { a: 1 })).toBe(false)
    expect(isEqualTo([1, 2], [2, 1])).toBe(false)
    expect(isEqualTo([1, 2], [1])).toBe(false)
  })

  it('does not confuse values of different types', () => {
    expect(isEqualTo(1, '1')).toBe(false)
    expect(isEqualTo(null, {})).toBe(false)
    expect(isEqualTo(false, null)).toBe(false)
    expect(isEqualTo([], {})).toBe(false)
    expect(isEqualTo({ 0: 'a' }, ['a'])).toBe(false)
  })

  it('fails differently if there is nothing to compare', () => {
    expect(failureOf({ a: 1 }, { op: 'test', path: '/a', value: 2 })).toBe('test-failed at 0')
    expect(failureOf({ a: 1 }, { op: 'test', path: '/b', value: 2 })).toBe('not-found at 0')
  })
})

describe('pointers', () => {
  it('decode slashes and tildes, once', () => {
    expect(
      applyPatch({ 'a/b': 1, 'm~n': 2, '~1': 3, '/': 4 }, [
        { op: 'replace', path: '/a~1b', value: 'slash' },
        { op: 'replace', path: '/m~0n', value: 'tilde' },
        { op: 'replace', path: '/~01', value: 'once' },
      ]),
    ).toEqual({ 'a/b': 'slash', 'm~n': 'tilde', '~1': 'once', '/': 4 })
  })

  it('may have empty tokens', () => {
    expect(applyPatch({ '': { '': 1 } }, [{ op: 'replace', path: '//', value: 2 }])).toEqual({
      '': { '': 2 },
    })
  })

  it('are refused if they are malformed', () => {
    expect(failureOf({ a: 1 }, { op: 'remove', path: 'a' })).toBe('invalid-pointer at 0')
    expect(failureOf({}, { op: 'add', path: '/a~2', value: 1 })).toBe('invalid-pointer at 0')
    expect(failureOf({}, { op: 'add', path: '/a~', value: 1 })).toBe('invalid-pointer at 0')
    expect(failureOf({}, { op: 'copy', from: '/~/a', path: '/b' })).toBe('invalid-pointer at 0')
    expect(failureOf({}, { op: 'move', from: '', path: 'a' })).toBe('invalid-pointer at 0')
  })

  it('only take proper numbers for an index', () => {
    for (const token of ['01', '-1', '1.0', '1e0', '', ' 1', '+1', '0x1', 'length']) {
      expect(failureOf([1, 2, 3], { op: 'remove', path: `/${token}` })).toBe('not-found at 0')
    }
  })

  it('do not find what objects inherit', () => {
    expect(failureOf({}, { op: 'test', path: '/toString', value: 1 })).toBe('not-found at 0')
    expect(failureOf({}, { op: 'remove', path: '/constructor' })).toBe('not-found at 0')
    expect(failureOf({}, { op: 'add', path: '/__proto__/bad', value: 1 })).toBe('not-found at 0')
    expect(isEqualTo(JSON.parse('{"__proto__": 1}'), { x: 1 })).toBe(false)
  })

  it('write every key as an ordinary member', () => {
    const result = applyPatch({}, [{ op: 'add', path: '/__proto__', value: { bad: true } }])
    expect(Object.keys(result as object)).toEqual(['__proto__'])
    expect(JSON.stringify(result)).toBe('{"__proto__":{"bad":true}}')
  })
})

describe('the patch as a whole', () => {
  it('names the operation that failed, and only in its turn', () => {
    expect(
      failureOf(
        [1],
        { op: 'add', path: '/-', value: 2 },
        { op: 'remove', path: '/0' },
        { op: 'remove', path: '/1' },
        { op: 'remove', path: 'nonsense' },
      ),
    ).toBe('not-found at 2')
  })

  it('leaves the document as it was, also when a later operation fails', () => {
    const document: Json = { list: [1, { a: 1 }], b: { c: true } }
    const before = structuredClone(document)
    const edits: Operation[] = [
      { op: 'add', path: '/list/-', value: 3 },
      { op: 'replace', path: '/list/1/a', value: 2 },
      { op: 'move', from: '/b/c', path: '/d' },
      { op: 'remove', path: '/list/0' },
    ]
    expect(applyPatch(document, edits)).toEqual({ list: [{ a: 2 }, 3], b: {}, d: true })
    expect(document).toEqual(before)
    expect(failureOf(document, ...edits, { op: 'test', path: '/d', value: 0 })).toBe(
      'test-failed at 4',
    )
    expect(document).toEqual(before)
  })

  it('leaves the operations as they were and keeps their values apart', () => {
    const value: Json = { list: [] }
    const operations: Operation[] = [
      { op: 'add', path: '/a', value },
      { op: 'add', path: '/b', value },
      { op: 'add', path: '/a/list/-', value: 1 },
      { op: 'replace', path: '', value: { inner: { n: 1 } } },
      { op: 'replace', path: '/inner/n', value: 2 },
    ]
    const before = structuredClone(operations)
    expect(applyPatch({}, operations.slice(0, 3))).toEqual({ a: { list: [1] }, b: { list: [] } })
    expect(applyPatch({}, operations)).toEqual({ inner: { n: 2 } })
    expect(operations).toEqual(before)
  })

  it('works on frozen input and without any operation', () => {
    const document = Object.freeze({ a: Object.freeze([1]) as unknown as Json })
    expect(applyPatch(document, [{ op: 'add', path: '/a/0', value: 0 }])).toEqual({ a: [0, 1] })
    expect(applyPatch(document, [])).toEqual({ a: [1] })
  })
})
