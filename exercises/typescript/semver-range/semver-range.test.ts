import { describe, expect, it } from '@jest/globals'
import { compareVersions, maxSatisfying, parseVersion, satisfies } from './semver-range.ts'

function accepted(range: string, versions: string): string {
  return versions
    .split(' ')
    .filter((version) => satisfies(version, range))
    .join(' ')
}

function rejectedTexts(texts: string[], action: (text: string) => unknown): string[] {
  return texts.filter((text) => {
    try {
      action(text)
      return false
    } catch (error) {
      return error instanceof SyntaxError
    }
  })
}

describe('parseVersion', () => {
  it('reads a plain version', () => {
    expect(parseVersion('1.20.3')).toEqual({
      major: 1,
      minor: 20,
      patch: 3,
      prerelease: [],
      build: [],
    })
  })

  it('reads prerelease and build information', () => {
    expect(parseVersion('1.0.0-rc.1.0a.-+exp.007-x')).toEqual({
      major: 1,
      minor: 0,
      patch: 0,
      prerelease: ['rc', 1, '0a', '-'],
      build: ['exp', '007-x'],
    })
    expect(parseVersion('0.0.0+a-b').build).toEqual(['a-b'])
    expect(parseVersion('0.0.0--1').prerelease).toEqual(['-1'])
  })

  it('accepts numbers up to the greatest safe integer', () => {
    expect(parseVersion('9007199254740991.0.0').major).toBe(9007199254740991)
    const tooGreat = ['9007199254740992.0.0', '0.0.99999999999999999999', '1.0.0-9007199254740992']
    expect(rejectedTexts(tooGreat, parseVersion)).toEqual(tooGreat)
    expect(parseVersion('1.0.0+9007199254740992').build).toEqual(['9007199254740992'])
  })

  it('rejects everything that is not a version', () => {
    const texts = [
      ...['', '1', '1.2', '1.2.3.4', '1..3', '1.2.', 'v1.2.3', '=1.2.3', '1.2.x', '-1.2.3'],
      ...[' 1.2.3', '1.2.3 ', '1.2.3\n', '01.2.3', '1.02.3', '1.2.00', '1.2.3a', '1.2.+3'],
      ...['1.2.3-', '1.2.3+', '1.2.3-+b', '1.2.3-a..b', '1.2.3-01', '1.2.3-a.01', '1.2.3-ä'],
      ...['1.2.3+a+b', '1.2.3+a..b', '1.2.3-a_b', '1.2.3-a b', '1e1.0.0', '١.2.3'],
    ]
    expect(rejectedTexts(texts, parseVersion)).toEqual(texts)
  })
})

describe('compareVersions', () => {
  it('puts versions in order', () => {
    const inOrder = [
      ...['0.0.0-0', '0.0.0', '0.0.1', '0.2.0', '0.10.0', '1.0.0-2', '1.0.0-10', '1.0.0--'],
      ...['1.0.0-Beta', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.1.0', '1.0.0-alpha.beta'],
      ...['1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '2.0.0'],
      ...['2.1.0', '2.1.1', '10.0.0'],
    ]
    inOrder.forEach((left, leftIndex) => {
      inOrder.forEach((right, rightIndex) => {
        const result = [left, right, compareVersions(left, right)]
        expect(result).toEqual([left, right, Math.sign(leftIndex - rightIndex)])
      })
    })
  })

  it('compares alphanumeric identifiers in ASCII order and not as numbers', () => {
    expect(compareVersions('1.0.0-a10', '1.0.0-a9')).toBe(-1)
    expect(compareVersions('1.0.0-a-b', '1.0.0-aB')).toBe(-1)
    expect(compareVersions('1.0.0-Z', '1.0.0-a')).toBe(-1)
  })

  it('ignores build information', () => {
    expect(compareVersions('1.0.0+2', '1.0.0+1')).toBe(0)
    expect(compareVersions('1.0.0-a+2', '1.0.0-a')).toBe(0)
  })

  it('throws for a malformed version', () => {
    expect(() => compareVersions('1.0', '1.0.0')).toThrow(SyntaxError)
    expect(() => compareVersions('1.0.0', 'x')).toThrow(SyntaxError)
  })
})

describe('comparators', () => {
  const around = '1.1.9 1.2.0 1.2.2 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0 2.1.0'

  it('complete versions with comparison operators', () => {
    expect(accepted('1.2.3', around)).toBe('1.2.3')
    expect(accepted('=1.2.3', around)).toBe('1.2.3')
    expect(accepted('>1.2.3', around)).toBe('1.2.4 1.3.0 1.10.0 2.0.0 2.1.0')
    expect(accepted('>=1.2.3', around)).toBe('1.2.3 1.2.4 1.3.0 1.10.0 2.0.0 2.1.0')
    expect(accepted('<1.2.3', around)).toBe('1.1.9 1.2.0 1.2.2')
    expect(accepted('<=1.2.3', around)).toBe('1.1.9 1.2.0 1.2.2 1.2.3')
  })

  it('partial versions without an operator', () => {
    for (const range of ['1.2', '=1.2', '1.2.x', '1.2.X', '1.2.*']) {
      expect(accepted(range, around)).toBe('1.2.0 1.2.2 1.2.3 1.2.4')
    }
    for (const range of ['2', '=2', '2.x', '2.x.x', '2.*.X']) {
      expect(accepted(range, around)).toBe('2.0.0 2.1.0')
    }
  })

  it('partial versions with comparison operators', () => {
    expect(accepted('>1.2', around)).toBe('1.3.0 1.10.0 2.0.0 2.1.0')
    expect(accepted('>1', around)).toBe('2.0.0 2.1.0')
    expect(accepted('>=1.3.x', around)).toBe('1.3.0 1.10.0 2.0.0 2.1.0')
    expect(accepted('<1.2', around)).toBe('1.1.9')
    expect(accepted('<=1.2', around)).toBe('1.1.9 1.2.0 1.2.2 1.2.3 1.2.4')
    expect(accepted('<=1.x', around)).toBe('1.1.9 1.2.0 1.2.2 1.2.3 1.2.4 1.3.0 1.10.0')
  })

  it('wildcards accept everything or nothing', () => {
    for (const range of ['*', 'x', 'X', 'x.x', '*.x.X', '=*', '>=*', '<=x', '^*', '~x', '', ' ']) {
      expect(accepted(range, '0.0.0 1.2.3 99.0.0 1.0.0-a')).toBe('0.0.0 1.2.3 99.0.0')
    }
    expect(accepted('>*', '0.0.0 1.2.3 99.0.0')).toBe('')
    expect(accepted('<*', '0.0.0 1.2.3 99.0.0')).toBe('')
  })

  it('tilde allows patches, or minor versions if only the major one is given', () => {
    expect(accepted('~1.2.3', around)).toBe('1.2.3 1.2.4')
    expect(accepted('~1.2', around)).toBe('1.2.0 1.2.2 1.2.3 1.2.4')
    expect(accepted('~2', around)).toBe('2.0.0 2.1.0')
    expect(accepted('~0', '0.0.1 0.9.0 1.0.0')).toBe('0.0.1 0.9.0')
  })

  it('caret keeps the leftmost number that is not zero', () => {
    expect(accepted('^1.2.3', around)).toBe('1.2.3 1.2.4 1.3.0 1.10.0')
    expect(accepted('^1.2', around)).toBe('1.2.0 1.2.2 1.2.3 1.2.4 1.3.0 1.10.0')
    const small = '0.0.0 0.0.2 0.0.3 0.0.4 0.1.0 0.2.2 0.2.3 0.2.9 0.3.0 1.0.0'
    expect(accepted('^0.2.3', small)).toBe('0.2.3 0.2.9')
    expect(accepted('^0.2', small)).toBe('0.2.2 0.2.3 0.2.9')
    expect(accepted('^0.0.3', small)).toBe('0.0.3')
    expect(accepted('^0.0.0', small)).toBe('0.0.0')
    expect(accepted('^0.0', small)).toBe('0.0.0 0.0.2 0.0.3 0.0.4')
    expect(accepted('^0', small)).toBe('0.0.0 0.0.2 0.0.3 0.0.4 0.1.0 0.2.2 0.2.3 0.2.9 0.3.0')
    expect(accepted('^0.x', small)).toBe(accepted('^0', small))
  })

  it('ignores build information', () => {
    expect(accepted('1.2.3+mine', '1.2.3 1.2.3+yours 1.2.4+mine')).toBe('1.2.3 1.2.3+yours')
    expect(accepted('>1.2.3+a', '1.2.3+b')).toBe('')
  })
})

describe('combining comparators', () => {
  it('all comparators of an alternative have to accept', () => {
    expect(accepted('>=1.2.0 <2 ', '1.1.0 1.2.0 1.9.9 2.0.0')).toBe('1.2.0 1.9.9')
    expect(accepted('^1.2.0 ~1.3.1', '1.2.0 1.3.0 1.3.1 1.4.0')).toBe('1.3.1')
    expect(accepted('>2 <1', '0.1.0 1.5.0 3.0.0')).toBe('')
  })

  it('one alternative has to accept', () => {
    const versions = '0.9.0 1.0.0 1.5.0 2.0.0 3.1.0'
    expect(accepted('<1||>=2.0.0 <3 || 3.1', versions)).toBe('0.9.0 2.0.0 3.1.0')
    expect(accepted('1.0.0 ||', versions)).toBe(versions)
    expect(accepted('||', versions)).toBe(versions)
  })

  it('white space is free around operators, alternatives and the range', () => {
    expect(accepted(' \t>=  1.2.3\t<\t2.0.0 ||~  3.0 ', '1.2.3 2.0.0 3.0.9 3.1.0')).toBe(
      '1.2.3 3.0.9',
    )
  })

  it('hyphen ranges include both ends', () => {
    const versions = '1.1.9 1.2.0 1.2.3 2.0.0 2.3.4 2.3.9 2.4.0 2.9.0 3.0.0'
    expect(accepted('1.2.3 - 2.3.4', versions)).toBe('1.2.3 2.0.0 2.3.4')
    expect(accepted('1.2 - 2.3', versions)).toBe('1.2.0 1.2.3 2.0.0 2.3.4 2.3.9')
    expect(accepted('1.2.1 \t-  2', versions)).toBe('1.2.3 2.0.0 2.3.4 2.3.9 2.4.0 2.9.0')
    expect(accepted('2.4.0 - *||* - 1.1.x', versions)).toBe('1.1.9 2.4.0 2.9.0 3.0.0')
  })

  it('rejects malformed ranges', () => {
    const ranges = [
      ...['a', '1.2.3.4', 'v1', '1..2', '1.', '.1', '01', '1.x.3', 'x.1', '1.x.0', '1.2-beta'],
      ...['1.x+b', '*-a', '1.2.3-', '1.2.3-01', '1.2.3+', '>', '>=', '^', '> =1', '=>1', '>>1'],
      ...['^~1', '1 | 2', '1 ||| 2', '1,2', '1.0.0 -2.0.0', '1.0.0- 2.0.0', '1 - ', '- 2'],
      ...['>1 - 2', '1 - <2', '1 - 2 3', '1 - 2 - 3', '1 || b', '1\n2', '9007199254740992'],
    ]
    expect(rejectedTexts(ranges, (range) => satisfies('1.0.0', range))).toEqual(ranges)
    expect(() => satisfies('1.0', '*')).toThrow(SyntaxError)
  })
})

describe('prereleases', () => {
  it('are not accepted unless they are asked for', () => {
    const prereleases = '1.2.3-a 1.2.4-a 1.3.0-a 2.0.0-a'
    for (const range of ['*', '>1.0.0', '>=1.2.3', '^1.2.3', '~1.2.3', '1.x', '<=2.0.0', '1 - 3']) {
      expect(accepted(range, prereleases)).toBe('')
    }
  })

  it('are accepted for the very version that asks for one', () => {
    const versions =
      '1.2.3-alpha 1.2.3-beta.2 1.2.3-beta.10 1.2.3 1.2.4-beta.3 1.2.4 2.0.0-rc 2.0.0'
    expect(accepted('1.2.3-beta.2', versions)).toBe('1.2.3-beta.2')
    expect(accepted('>1.2.3-beta.2', versions)).toBe('1.2.3-beta.10 1.2.3 1.2.4 2.0.0')
    expect(accepted('>=1.2.3-beta.2', versions)).toBe(
      '1.2.3-beta.2 1.2.3-beta.10 1.2.3 1.2.4 2.0.0',
    )
    expect(accepted('<=1.2.3-beta.2', versions)).toBe('1.2.3-alpha 1.2.3-beta.2')
    expect(accepted('^1.2.3-beta.2', versions)).toBe('1.2.3-beta.2 1.2.3-beta.10 1.2.3 1.2.4')
    expect(accepted('~1.2.3-b', versions)).toBe('1.2.3-beta.2 1.2.3-beta.10 1.2.3 1.2.4')
    expect(accepted('^0.0.3-b', '0.0.3-a 0.0.3-c 0.0.3 0.0.4-a 0.0.4')).toBe('0.0.3-c 0.0.3')
    expect(accepted('1.2.3-beta - 2.0.0-s', versions)).toBe(
      '1.2.3-beta.2 1.2.3-beta.10 1.2.3 1.2.4 2.0.0-rc',
    )
  })

  it('any comparator of the alternative may ask for them', () => {
    expect(accepted('>1.0.0 <2.0.0-rc.2', '1.5.0-a 2.0.0-rc.1 2.0.0-rc.2')).toBe('2.0.0-rc.1')
    expect(accepted('>=2.0.0-a <2.0.0', '2.0.0-a 2.0.0-b 2.0.0')).toBe('2.0.0-a 2.0.0-b')
  })

  it('another alternative asking for them does not count', () => {
    expect(accepted('>=1.0.0 || 2.0.0-rc.1', '2.0.0-rc.1 2.0.0-rc.2 2.1.0')).toBe(
      '2.0.0-rc.1 2.1.0',
    )
    expect(accepted('1.0.0-a || *', '1.0.0-a 1.0.0-b 1.0.0')).toBe('1.0.0-a 1.0.0')
  })

  it('of an upper bound that is not written out stay outside', () => {
    expect(accepted('^1.0.0 <=2.0.0-z', '1.9.0 2.0.0-a')).toBe('1.9.0')
    expect(accepted('1.2 <=1.3.0-z', '1.2.0 1.3.0-a')).toBe('1.2.0')
    expect(accepted('<1.3 >=1.3.0-a', '1.2.0 1.3.0-a 1.3.0')).toBe('')
    expect(accepted('>1.2 >=1.3.0-a', '1.3.0-a 1.3.0')).toBe('1.3.0')
    expect(accepted('>=1.3 >=1.3.0-a', '1.3.0-a 1.3.0')).toBe('1.3.0')
  })
})

describe('maxSatisfying', () => {
  it('returns the greatest accepted version whatever the order of the list', () => {
    const versions = ['1.9.0', '1.10.0', '2.0.0', '1.2.0', '1.11.0-rc']
    expect(maxSatisfying(versions, '^1.2.0')).toBe('1.10.0')
    expect(maxSatisfying([...versions].reverse(), '^1.2.0')).toBe('1.10.0')
    expect(versions[0]).toBe('1.9.0')
  })

  it('returns null if nothing is accepted', () => {
    expect(maxSatisfying(['1.0.0', '2.0.0-a'], '>=2')).toBeNull()
    expect(maxSatisfying([], '*')).toBeNull()
  })

  it('returns the first of equal versions as it was given', () => {
    expect(maxSatisfying(['1.0.0+b', '1.0.0', '1.0.0+a'], '1')).toBe('1.0.0+b')
    expect(maxSatisfying(['0.1.0', '1.0.0', '1.0.0+a'], '*')).toBe('1.0.0')
  })

  it('ignores texts that are not versions', () => {
    expect(maxSatisfying(['latest', '1.0.0', 'v2.0.0', '3.0'], '*')).toBe('1.0.0')
  })

  it('throws for a malformed range even without versions', () => {
    expect(() => maxSatisfying([], '1.x.3')).toThrow(SyntaxError)
  })

  it('accepts a list that cannot be changed', () => {
    expect(maxSatisfying(Object.freeze(['1.0.0', '3.0.0', '2.0.0']), '<3')).toBe('2.0.0')
  })
})
