import { describe, it, expect } from '@jest/globals'
import { createIgnore, matchGlob } from './glob-matcher.ts'

const matching = (pattern: string, paths: string[]) => paths.filter((p) => matchGlob(pattern, p))

describe('plain text and wildcards', () => {
  it('compares a plain pattern with the whole path, case-sensitive', () => {
    const paths = ['src/a.ts', 'src/A.ts', 'src/a.tsx', 'x/src/a.ts', 'src/a.ts/b']
    expect(matching('src/a.ts', paths)).toEqual(['src/a.ts'])
  })

  it('treats characters of regular expressions as ordinary', () => {
    expect(matching('a+(b).$^|c', ['a+(b).$^|c', 'aa(b).$^|c', 'a+bx$^|c'])).toEqual(['a+(b).$^|c'])
    expect(matchGlob('a.b', 'axb')).toBe(false)
  })

  it('lets a star match any part of one segment, also nothing', () => {
    const paths = ['src/.ts', 'src/a.ts', 'src/a.b.ts', 'src/a/b.ts', 'src/a.ts.map']
    expect(matching('src/*.ts', paths)).toEqual(['src/a.ts', 'src/a.b.ts'])
    expect(matching('a*', ['a', 'ab', 'a/b', 'ba'])).toEqual(['a', 'ab'])
  })

  it('goes back when an early choice of a star does not work out', () => {
    expect(matchGlob('*ab*abc', 'xabyababc')).toBe(true)
    expect(matchGlob('a*b*c', 'abbbd')).toBe(false)
    expect(matchGlob('*-*-z', 'a-b-c-z')).toBe(true)
  })

  it('lets a question mark match exactly one code point', () => {
    expect(matching('a?c', ['abc', 'ac', 'abbc', 'a/c', 'a😀c'])).toEqual(['abc', 'a😀c'])
  })
})

describe('double star', () => {
  it('matches no segment, one or many between two others', () => {
    const paths = ['a/b', 'a/x/b', 'a/x/y/b', 'ab', 'a/xb', 'b', 'a/x/b/c']
    expect(matching('a/**/b', paths)).toEqual(['a/b', 'a/x/b', 'a/x/y/b'])
  })

  it('matches no segment at the start and at the end', () => {
    expect(matching('**/b', ['b', 'a/b', 'a/a/b', 'ab', 'b/a'])).toEqual(['b', 'a/b', 'a/a/b'])
    expect(matching('a/**', ['a', 'a/b', 'a/b/c', 'ab', 'b/a'])).toEqual(['a', 'a/b', 'a/b/c'])
  })

  it('may occur several times', () => {
    const paths = ['a/z', 'x/a/z', 'x/a/y/a/y/z', 'x/z', 'x/a/y']
    expect(matching('**/a/**/z', paths)).toEqual(['a/z', 'x/a/z', 'x/a/y/a/y/z'])
  })

  it('is a single star when it shares its segment', () => {
    expect(matching('a**b', ['ab', 'axyb', 'a/b', 'a/x/b'])).toEqual(['ab', 'axyb'])
    expect(matching('**.ts', ['a.ts', 'a/b.ts'])).toEqual(['a.ts'])
  })
})

describe('classes', () => {
  it('matches lists, ranges and their negation', () => {
    expect(matching('v[0-36-8x]', ['v0', 'v3', 'v4', 'v7', 'vx', 'v', 'v00'])).toEqual([
      'v0',
      'v3',
      'v7',
      'vx',
    ])
    expect(matching('v[!0-9]', ['v1', 'vx', 'v', 'v-'])).toEqual(['vx', 'v-'])
  })

  it('takes a bracket in first place and a dash at either end as members', () => {
    expect(matching('[]a]', [']', 'a', '[', ']a]'])).toEqual([']', 'a'])
    expect(matching('[!]a]', [']', 'a', 'b'])).toEqual(['b'])
    expect(matching('[-a]', ['-', 'a', 'b'])).toEqual(['-', 'a'])
    expect(matching('[a-]', ['-', 'a', 'b'])).toEqual(['-', 'a'])
  })

  it('takes a bracket that is not closed in its segment as ordinary', () => {
    expect(matching('a[b', ['a[b', 'ab'])).toEqual(['a[b'])
    expect(matching('a[b/c]d', ['a[b/c]d', 'abd', 'acd', 'a/d'])).toEqual(['a[b/c]d'])
  })

  it('knows only the exclamation mark as negation', () => {
    expect(matching('[^a]', ['^', 'a', 'b'])).toEqual(['^', 'a'])
  })

  it('matches characters outside the basic plane as one', () => {
    expect(matching('[😀-😃]', ['😀', '😂', '😄', 'a'])).toEqual(['😀', '😂'])
  })
})

describe('groups', () => {
  it('stands for any alternative, also an empty one', () => {
    expect(matching('a{b,c}d', ['abd', 'acd', 'ad', 'abcd'])).toEqual(['abd', 'acd'])
    expect(matching('a{,.min}.js', ['a.js', 'a.min.js', 'a..js'])).toEqual(['a.js', 'a.min.js'])
  })

  it('may be nested and repeated', () => {
    const paths = ['a1', 'bx1', 'by1', 'bx2', 'b1', 'a', 'bxy1']
    expect(matching('{a,b{x,y}}{1,2}', paths)).toEqual(['a1', 'bx1', 'by1', 'bx2'])
  })

  it('may hold slashes and wildcards', () => {
    const paths = ['src/a/x', 'lib/x', 'src/x', 'lib/a/x', 'p/q/r/x']
    expect(matching('{src/*,lib,p/**}/x', paths)).toEqual(['src/a/x', 'lib/x', 'p/q/r/x'])
  })

  it('keeps the braces when there is no comma or no end', () => {
    expect(matching('{a}', ['{a}', 'a'])).toEqual(['{a}'])
    expect(matching('{a,b', ['{a,b', 'a', 'b'])).toEqual(['{a,b'])
    expect(matching('{x{a,b}}', ['{xa}', '{xb}', 'xa'])).toEqual(['{xa}', '{xb}'])
    expect(matching('{x{a,b}', ['{xa', '{xb', 'xa'])).toEqual(['{xa', '{xb'])
  })

  it('is expanded before classes are read', () => {
    expect(matching('[{a,b}]', ['a', 'b', '{', ',', '}'])).toEqual(['a', 'b'])
  })
})

describe('escapes', () => {
  it('makes the next character ordinary', () => {
    expect(matching('\\*\\?\\[a]', ['*?[a]', 'xx[a]', '*?a'])).toEqual(['*?[a]'])
    expect(matching('a\\b', ['ab', 'a\\b'])).toEqual(['ab'])
    expect(matching('\\\\', ['\\', '\\\\'])).toEqual(['\\'])
  })

  it('works in groups and classes', () => {
    expect(matching('{a\\,b,c\\}}', ['a,b', 'c}', 'a', 'b', 'a\\,b'])).toEqual(['a,b', 'c}'])
    expect(matching('[a\\]\\-z]', ['a', ']', '-', 'z', 'm', '\\'])).toEqual(['a', ']', '-', 'z'])
  })

  it('stands for itself at the end of a segment', () => {
    expect(matching('a\\/b', ['a\\/b', 'a/b'])).toEqual(['a\\/b'])
  })
})

describe('names that begin with a dot', () => {
  it('are not matched by a wildcard or a class', () => {
    expect(matching('*', ['.a', 'a'])).toEqual(['a'])
    expect(matching('?a', ['.a', 'aa'])).toEqual(['aa'])
    expect(matching('[.!]a', ['.a', '!a'])).toEqual(['!a'])
    expect(matching('src/*/[!a]*', ['src/x/.b', 'src/.x/b', 'src/x/b'])).toEqual(['src/x/b'])
  })

  it('stop a double star at any depth', () => {
    const paths = ['.git/config', 'a/.git/b', 'a/b/.env', 'a/b', '.a']
    expect(matching('**', paths)).toEqual(['a/b'])
    expect(matching('**/b', paths)).toEqual(['a/b'])
  })

  it('are matched by a literal dot, also an escaped one or one from a group', () => {
    expect(matching('.*', ['.a', 'a', '.'])).toEqual(['.a', '.'])
    expect(matching('\\.?', ['.a', 'aa'])).toEqual(['.a'])
    expect(matching('{.,_}env', ['.env', '_env', 'xenv'])).toEqual(['.env', '_env'])
    expect(matching('**/.*/b', ['a/.x/b', '.x/b', 'a/x/b'])).toEqual(['a/.x/b', '.x/b'])
  })

  it('are like all others with the option dot', () => {
    expect(matchGlob('*.txt', '.txt', { dot: true })).toBe(true)
    expect(matchGlob('**/config', 'a/.git/config', { dot: true })).toBe(true)
    expect(matchGlob('**/config', 'a/.git/config', { dot: false })).toBe(false)
    expect(matchGlob('[.]a', '.a', { dot: true })).toBe(true)
  })
})

describe('ignore list', () => {
  it('ignores nothing without a matching entry', () => {
    expect(createIgnore([])('a')).toBe(false)
    expect(createIgnore(['b', '*.log'])('a')).toBe(false)
    expect(createIgnore(['!a'])('a')).toBe(false)
  })

  it('compares an entry without a slash with every name on the way', () => {
    const ignored = createIgnore(['build', '*.log'])
    const paths = ['build', 'app/build', 'app/build/out.js', 'builds', 'a/b/c.log', 'x.log/readme']
    expect(paths.filter(ignored)).toEqual([
      'build',
      'app/build',
      'app/build/out.js',
      'a/b/c.log',
      'x.log/readme',
    ])
  })

  it('compares an entry with a slash from the root', () => {
    const ignored = createIgnore(['/build', 'docs/*.md'])
    const paths = ['build', 'build/out.js', 'app/build', 'docs/a.md', 'x/docs/a.md', 'docs/a/b.md']
    expect(paths.filter(ignored)).toEqual(['build', 'build/out.js', 'docs/a.md'])
  })

  it('counts only directories when the entry ends with a slash', () => {
    const ignored = createIgnore(['tmp/', '/a/b/'])
    const paths = ['tmp', 'tmp/x', 'y/tmp', 'y/tmp/x', 'a/b', 'a/b/c', 'z/a/b/c']
    expect(paths.filter(ignored)).toEqual(['tmp/x', 'y/tmp/x', 'a/b/c'])
  })

  it('lets the last matching entry decide', () => {
    const paths = ['a.log', 'keep.log', 'keep-not.log']
    expect(paths.filter(createIgnore(['*.log', '!keep*', '*-not.log']))).toEqual([
      'a.log',
      'keep-not.log',
    ])
    expect(paths.filter(createIgnore(['!keep*', '*.log']))).toEqual(paths)
  })

  it('brings a file back from an ignored directory', () => {
    const ignored = createIgnore(['dist', '!dist/types/**', 'secret'])
    const paths = ['dist/a.js', 'dist/types/a.d.ts', 'dist/types/secret/b', 'dist']
    expect(paths.filter(ignored)).toEqual(['dist/a.js', 'dist/types/secret/b', 'dist'])
  })

  it('has no special rule for dots', () => {
    const ignored = createIgnore(['*', '!.env'])
    expect(['.git/config', '.env', 'a/.env', 'a'].filter(ignored)).toEqual(['.git/config', 'a'])
    expect(createIgnore(['a/**/z'])('a/.b/z')).toBe(true)
  })

  it('skips comments and empty entries, and reads escaped signs', () => {
    const ignored = createIgnore(['', '# a', '#b', '\\#c', '\\!d', '!'])
    expect(['a', '#b', '# a', '#c', '!d', 'd'].filter(ignored)).toEqual(['#c', '!d'])
  })

  it('skips entries of which nothing is left without their signs', () => {
    const paths = ['a', 'a/b', 'a/b/c', '.a']
    for (const entry of ['!', '/', '!/']) {
      expect(paths.filter(createIgnore([entry]))).toEqual([])
      expect(paths.filter(createIgnore(['*', entry]))).toEqual(paths)
    }
    expect(paths.filter(createIgnore(['/', 'b', '!/', '!c', '!']))).toEqual(['a/b'])
  })

  it('does not look at the array again', () => {
    const entries = ['a']
    const ignored = createIgnore(entries)
    entries[0] = 'b'
    entries.push('c')
    expect(['a', 'b', 'c'].filter(ignored)).toEqual(['a'])
  })
})
