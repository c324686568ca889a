import { describe, expect, it } from '@jest/globals'
import { parseQuery, QueryError, type QueryObject, stringifyQuery } from './query-string-codec.ts'

function rejectedTexts(texts: string[]): string[] {
  return texts.filter((text) => {
    try {
      parseQuery(text)
      return false
    } catch (error) {
      return error instanceof QueryError
    }
  })
}

describe('stringifyQuery', () => {
  it('writes plain properties in their order', () => {
    expect(stringifyQuery({ b: '1', a: '2' })).toBe('b=1&a=2')
  })

  it('writes an empty object as an empty string', () => {
    expect(stringifyQuery({})).toBe('')
  })

  it('writes nested objects and arrays as paths', () => {
    const query = { user: { name: 'Ada', tags: ['x', 'y'] }, list: [{ id: '1' }, ['2', '3']] }
    expect(stringifyQuery(query)).toBe(
      'user.name=Ada&user.tags[0]=x&user.tags[1]=y&list[0].id=1&list[1][0]=2&list[1][1]=3',
    )
  })

  it('keeps empty strings and empty names', () => {
    expect(stringifyQuery({ a: '', '': 'x', b: { '': ['y'] } })).toBe('a=&=x&b.[0]=y')
  })

  it('encodes values', () => {
    expect(stringifyQuery({ q: 'a b+c&d=e?f#g%', u: 'é😀', s: "1.5-_~!*'()/[]" })).toBe(
      "q=a+b%2Bc%26d%3De%3Ff%23g%25&u=%C3%A9%F0%9F%98%80&s=1.5-_~!*'()%2F%5B%5D",
    )
  })

  it('encodes names including dots and brackets', () => {
    expect(stringifyQuery({ 'a.b': { 'c[0]': '1', 'd e+f=g': '2' } })).toBe(
      'a%2Eb.c%5B0%5D=1&a%2Eb.d+e%2Bf%3Dg=2',
    )
  })

  it('refuses empty containers', () => {
    const queries: QueryObject[] = [{ a: [] }, { a: {} }, { a: ['x', []] }, { a: { b: [{}] } }]
    for (const query of queries) {
      expect(() => stringifyQuery(query)).toThrow(QueryError)
    }
  })

  it('refuses values that are not strings, arrays or objects', () => {
    for (const value of [1, true, null, undefined, () => 'x']) {
      expect(() => stringifyQuery({ a: value as unknown as string })).toThrow(QueryError)
      expect(() => stringifyQuery({ a: [value as unknown as string] })).toThrow(QueryError)
    }
  })
})

describe('parseQuery', () => {
  it('reads plain pairs', () => {
    expect(parseQuery('a=1&b=2')).toEqual({ a: '1', b: '2' })
  })

  it('ignores one leading question mark', () => {
    expect(parseQuery('?a=1')).toEqual({ a: '1' })
    expect(parseQuery('??a=?')).toEqual({ '?a': '?' })
    expect(parseQuery('?')).toEqual({})
    expect(parseQuery('')).toEqual({})
  })

  it('ignores empty pairs', () => {
    expect(parseQuery('&a=1&&b=2&')).toEqual({ a: '1', b: '2' })
  })

  it('splits a pair at its first equals sign', () => {
    expect(parseQuery('a=b=c&d==&e&=f&g=')).toEqual({ a: 'b=c', d: '=', e: '', '': 'f', g: '' })
  })

  it('reads paths into objects and arrays', () => {
    expect(parseQuery('user.name=Ada&user.tags[0]=x&user.tags[1]=y&m[0][0]=1&m[1].n=2')).toEqual({
      user: { name: 'Ada', tags: ['x', 'y'] },
      m: [['1'], { n: '2' }],
    })
  })

  it('reads numbers after a dot as names', () => {
    expect(parseQuery('a.0=x&a.01=y&7=z')).toEqual({ a: { '0': 'x', '01': 'y' }, '7': 'z' })
  })

  it('reads empty names', () => {
    expect(parseQuery('a.=1&.b=2&c..d=3')).toEqual({
      a: { '': '1' },
      '': { b: '2' },
      c: { '': { d: '3' } },
    })
    expect(parseQuery('[0]=x')).toEqual({ '': ['x'] })
  })

  it('decodes names and values', () => {
    expect(parseQuery('a+b=c+d%2Be%20f&%C3%A9=%F0%9F%98%80&x%3Dy=%26')).toEqual({
      'a b': 'c d+e f',
      é: '😀',
      'x=y': '&',
    })
  })

  it('takes keys apart before decoding them', () => {
    expect(parseQuery('a%2Eb=1&c%5B0%5D=2&d.e%2Ef=3')).toEqual({
      'a.b': '1',
      'c[0]': '2',
      d: { 'e.f': '3' },
    })
  })

  it('keeps broken percent-encoding as it is written', () => {
    expect(parseQuery('a=100%&b=%E4+%41&%zz.c=%4')).toEqual({
      a: '100%',
      b: '%E4 %41',
      '%zz': { c: '%4' },
    })
  })

  it('lets the last value of a key count', () => {
    const query = parseQuery('a=1&b[0]=x&a=2&b[0]=y&b[1]=z')
    expect(query).toEqual({ a: '2', b: ['y', 'z'] })
    expect(Object.keys(query)).toEqual(['a', 'b'])
  })

  it('accepts the pairs of a container in between others', () => {
    expect(parseQuery('a[0].x=1&b=2&a[0].y=3&c.d=4&a[1]=5&c.e=6')).toEqual({
      a: [{ x: '1', y: '3' }, '5'],
      b: '2',
      c: { d: '4', e: '6' },
    })
  })

  it('rejects malformed brackets', () => {
    const texts = [
      ...['a[=1', 'a]=1', 'a[x]=1', 'a[01]=1', 'a[]=1', 'a[0]b=1', 'a[0]]=1', 'a[[0]]=1'],
      ...['a[-1]=1', 'a[0.5]=1', 'a[ 0]=1', 'a[%30]=1', 'x[0]y[0]=1', 'a.b[0=1'],
    ]
    expect(rejectedTexts(texts)).toEqual(texts)
  })

  it('rejects indexes with leading zeros, also when their number would fit', () => {
    const texts = [
      ...['a[00]=1', 'a[000]=1', 'a[0][00]=1', 'a[0]=x&a[00]=y', 'a[0]=x&a[01]=y'],
      ...['a[0][0]=x&a[0][01]=y', 'a[0]=x&a[1]=y&a[02]=z'],
    ]
    expect(rejectedTexts(texts)).toEqual(texts)
  })

  it('rejects gaps in arrays', () => {
    const texts = ['a[1]=x', 'a[0]=x&a[2]=y', 'a[999999999]=x', 'a[0][1]=x', 'a[1]=x&a[0]=y']
    expect(rejectedTexts(texts)).toEqual(texts)
  })

  it('rejects keys that contradict each other', () => {
    const texts = [
      ...['a=1&a.b=2', 'a.b=1&a=2', 'a=1&a[0]=2', 'a[0]=1&a=2', 'a.0=x&a[0]=y', 'a[0]=x&a.0=y'],
      ...['a[0]=x&a.length=1', 'a[0].b=1&a[0][0]=2', 'a=&a.b=1'],
    ]
    expect(rejectedTexts(texts)).toEqual(texts)
  })
})

describe('names without special meaning', () => {
  it('reads __proto__ as an own property at any depth', () => {
    const query = parseQuery('__proto__.polluted=1&a.__proto__=2&b.__proto__[0]=3&__proto__.x=4')
    expect(Object.keys(query)).toEqual(['__proto__', 'a', 'b'])
    expect(JSON.stringify(query)).toBe(
      '{"__proto__":{"polluted":"1","x":"4"},"a":{"__proto__":"2"},"b":{"__proto__":["3"]}}',
    )
  })

  it('changes nothing but the result', () => {
    for (const text of [
      '__proto__.polluted=1',
      'a.__proto__.polluted=1',
      'a[0].__proto__.polluted=1',
    ]) {
      const query = parseQuery(text)
      expect(Object.keys(query)).toHaveLength(1)
      expect('polluted' in {}).toBe(false)
      expect('polluted' in []).toBe(false)
    }
  })

  it('writes __proto__ like any other name', () => {
    const query = JSON.parse('{"__proto__":{"a":"1"},"b":{"__proto__":"2"}}') as QueryObject
    expect(stringifyQuery(query)).toBe('__proto__.a=1&b.__proto__=2')
  })
})

describe('round trip', () => {
  it('gives back what was written', () => {
    const queries: QueryObject[] = [
      {},
      { '': '' },
      { '': { '': [['']] } },
      { a: { b: { c: [[['x'], { d: 'y' }]] } } },
      { 'a.b[0]': 'c.d[1]', '=': '&', ' ': '+', '%20': '%', '?': '?' },
      { '?a': '1', list: Array.from({ length: 12 }, (_, index) => String(index)) },
      { '10': { '0': 'zero' }, é: ['😀', 'line\nbreak'] },
    ]
    for (const query of queries) {
      expect(parseQuery(stringifyQuery(query))).toEqual(query)
    }
  })
})
