import { describe, expect, it } from '@jest/globals'
import { type PathParams, type PathTemplate, pathTemplate } from './path-template.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_ extends true>(): void {}

function matches(template: PathTemplate<string>, paths: string[]): string[] {
  return paths.filter((path) => template.match(path) !== null)
}

describe('matching', () => {
  it('reads required parameters', () => {
    const template = pathTemplate('/users/:id/posts/:postId')
    expect(template.match('/users/7/posts/hello')).toEqual({ id: '7', postId: 'hello' })
    expect(template.match('/users/7')).toBeNull()
  })

  it('matches whole paths only', () => {
    const paths = ['/users', '/users/1', '/users/1/', '/users/1/2', '/x/users/1', 'users/1', '']
    expect(matches(pathTemplate('/users/:id'), paths)).toEqual(['/users/1', '/users/1/'])
    expect(matches(pathTemplate('/users'), paths)).toEqual(['/users'])
    expect(matches(pathTemplate('/users'), ['/users/', '/users//'])).toEqual(['/users/'])
  })

  it('matches the root', () => {
    expect(matches(pathTemplate('/'), ['/', '/a', ''])).toEqual(['/'])
    expect(pathTemplate('/').match('/')).toEqual({})
    expect(pathTemplate('/:id').match('/')).toBeNull()
  })

  it('compares literal text exactly', () => {
    const paths = ['/a.b', '/aXb', '/A.b', '/a.bc', '/a%2Eb']
    expect(matches(pathTemplate('/a.b'), paths)).toEqual(['/a.b', '/a%2Eb'])
    expect(matches(pathTemplate('/(x)+/$'), ['/(x)+/$', '/xx/', '/x/$'])).toEqual(['/(x)+/$'])
    expect(matches(pathTemplate('/new item'), ['/new%20item', '/new+item'])).toEqual([
      '/new%20item',
    ])
  })

  it('takes signs in the middle of a segment literally', () => {
    expect(pathTemplate('/a:b/what?/c*').match('/a:b/what%3F/c*')).toEqual({})
    expect(pathTemplate('/a:b').match('/ax')).toBeNull()
  })

  it('decodes each segment by itself', () => {
    const template = pathTemplate('/files/:name')
    expect(template.match('/files/a%2Fb')).toEqual({ name: 'a/b' })
    expect(template.match('/files/%C3%A9%20+%3F')).toEqual({ name: 'é +?' })
    expect(template.match('/files/%252F')).toEqual({ name: '%2F' })
  })

  it('does not match broken percent-encoding and does not throw', () => {
    expect(matches(pathTemplate('/:a/:b'), ['/100%/x', '/x/%E4', '/x/%zz', '/x/y'])).toEqual([
      '/x/y',
    ])
    expect(matches(pathTemplate('/100%'), ['/100%', '/100%25'])).toEqual(['/100%25'])
  })

  it('does not match empty segments', () => {
    const paths = ['/a//b', '//a/b', '/a/b//', '/a/b', '/a//']
    expect(matches(pathTemplate('/:x/:y'), paths)).toEqual(['/a/b'])
    expect(matches(pathTemplate('/*rest'), paths)).toEqual(['/a/b'])
    expect(matches(pathTemplate('/:x/:y?/:z?'), paths)).toEqual(['/a/b'])
  })

  it('leaves absent optional parameters out of the result', () => {
    const template = pathTemplate('/posts/:year?/:month?')
    expect(template.match('/posts/2024/05')).toEqual({ year: '2024', month: '05' })
    expect(template.match('/posts/2024/05/01')).toBeNull()
    for (const [path, names] of [
      ['/posts/2024', ['year']],
      ['/posts/', []],
      ['/posts', []],
    ] as const) {
      expect(Object.keys(template.match(path) ?? { missing: true })).toEqual(names)
    }
  })

  it('gives a wildcard all remaining segments', () => {
    const template = pathTemplate('/files/:owner/*path')
    expect(template.match('/files/ada/src/a%2Fb/c%20d')).toEqual({
      owner: 'ada',
      path: ['src', 'a/b', 'c d'],
    })
    expect(template.match('/files/ada/src/')).toEqual({ owner: 'ada', path: ['src'] })
    expect(template.match('/files/ada')).toEqual({ owner: 'ada', path: [] })
    expect(template.match('/files')).toBeNull()
    expect(pathTemplate('/*all').match('/')).toEqual({ all: [] })
  })

  it('gives the same answer every time', () => {
    const template = pathTemplate('/a/:b')
    expect(template.match('/a/1')).toEqual({ b: '1' })
    expect(template.match('/a/1')).toEqual({ b: '1' })
  })
})

describe('building', () => {
  it('puts parameters into the template', () => {
    const template = pathTemplate('/users/:id/posts/:postId?')
    expect(template.build({ id: '7', postId: 'x' })).toBe('/users/7/posts/x')
    expect(template.build({ id: '7' })).toBe('/users/7/posts')
    expect(template.build({ id: '7', postId: undefined })).toBe('/users/7/posts')
    expect(pathTemplate('/').build()).toBe('/')
    expect(pathTemplate('/about/us').build({})).toBe('/about/us')
  })

  it('encodes parameters and literal text', () => {
    expect(pathTemplate('/new item/:name').build({ name: 'a/b c?é' })).toBe(
      '/new%20item/a%2Fb%20c%3F%C3%A9',
    )
    expect(pathTemplate('/:a').build({ a: '$& %' })).toBe('/%24%26%20%25')
    expect(pathTemplate('/*path').build({ path: ['a/b', 'c d'] })).toBe('/a%2Fb/c%20d')
  })

  it('allows a wildcard without segments', () => {
    expect(pathTemplate('/files/*path').build({ path: [] })).toBe('/files')
    expect(pathTemplate('/*path').build({ path: [] })).toBe('/')
  })

  it('refuses missing parameters', () => {
    const build = pathTemplate('/a/:b' as string).build
    for (const params of [{}, { b: undefined }, Object.create({ b: 'inherited' })]) {
      expect(() => build(params)).toThrow(TypeError)
    }
    expect(() => pathTemplate('/*rest' as string).build({})).toThrow(TypeError)
  })

  it('does not take inherited properties for parameters', () => {
    expect(pathTemplate('/a/:toString?' as string).build()).toBe('/a')
    expect(() => pathTemplate('/:constructor' as string).build({})).toThrow(TypeError)
  })

  it('refuses values that could not be read back', () => {
    for (const value of ['', '.', '..']) {
      expect(() => pathTemplate('/:a').build({ a: value })).toThrow(TypeError)
      expect(() => pathTemplate('/:a?').build({ a: value })).toThrow(TypeError)
      expect(() => pathTemplate('/*a').build({ a: ['x', value] })).toThrow(TypeError)
    }
    expect(pathTemplate('/:a').build({ a: '...' })).toBe('/...')
  })

  it('refuses an optional parameter after one that is left out', () => {
    const template = pathTemplate('/:a?/:b?/:c?')
    expect(() => template.build({ b: '2' })).toThrow(TypeError)
    expect(() => template.build({ a: '1', c: '3' })).toThrow(TypeError)
    expect(template.build({ a: '1', b: '2' })).toBe('/1/2')
  })

  it('ignores properties that the template does not mention', () => {
    const params = { id: '1', other: '' }
    expect(pathTemplate('/:id').build(params)).toBe('/1')
  })

  it('is undone by match', () => {
    const template = pathTemplate('/x y/:a/*rest')
    for (const params of [
      { a: '%', rest: [] },
      { a: ':a', rest: ['*rest', '?', '#'] },
      { a: ' ', rest: ['%2F', '/', '😀', '...'] },
    ]) {
      expect(template.match(template.build(params))).toEqual(params)
    }
  })
})

describe('malformed templates', () => {
  it('are rejected', () => {
    const templates = [
      ...['', 'a', ':id', '/a//b', '/a/', '//', '/:', '/:1st', '/:file.json', '/:a-b', '/:é'],
      ...['/*', '/*rest?', '/:a??', '/::a', '/:a/:a', '/:a/*a', '/:a?/:a?', '/*rest/x'],
      ...['/*a/*b', '/*a/:b', '/:a?/b', '/:a?/:b', '/:a?/*b'],
    ]
    const rejected = templates.filter((template) => {
      try {
        pathTemplate(template)
        return false
      } catch (error) {
        return error instanceof SyntaxError
      }
    })
    expect(rejected).toEqual(templates)
  })

  it('are not mistaken for unusual but well-formed ones', () => {
    const template = pathTemplate('/:_a1/:B?')
    expect(template.match('/x/y')).toEqual({ _a1: 'x', B: 'y' })
  })
})

describe('types', () => {
  it('reads the parameters out of a template', () => {
    expectType<Equal<PathParams<'/users/:id/posts/:postId?'>, { id: string; postId?: string }>>()
    expectType<Equal<PathParams<'/files/:owner/*path'>, { owner: string; path: string[] }>>()
    expectType<
      Equal<PathParams<'/:a/b/:c/:d?/:e?'>, { a: string; c: string; d?: string; e?: string }>
    >()
    expectType<Equal<PathParams<'/*all'>, { all: string[] }>>()
    expect(pathTemplate('/users/:id/posts/:postId?').match('/users')).toBeNull()
  })

  it('finds no parameters in literal text', () => {
    expectType<Equal<PathParams<'/'>, {}>>()
    expectType<Equal<PathParams<'/about/us'>, {}>>()
    expectType<Equal<PathParams<'/a:b/what?/c*/:d'>, { d: string }>>()
    expect(pathTemplate('/about/us').match('/about')).toBeNull()
  })

  it('knows nothing about a template that is not a literal', () => {
    expectType<Equal<PathParams<string>, Record<string, string | string[] | undefined>>>()
    const template = pathTemplate('/:id' as string)
    const result = template.match('/1')
    expectType<Equal<typeof result, Record<string, string | string[] | undefined> | null>>()
    expect(result).toEqual({ id: '1' })
  })

  it('infers the template from the literal', () => {
    const template = pathTemplate('/users/:id/*rest')
    expectType<Equal<typeof template, PathTemplate<'/users/:id/*rest'>>>()
    const result = template.match('/users/7/a')
    expectType<Equal<typeof result, { id: string; rest: string[] } | null>>()
    const path = template.build({ id: '7', rest: ['a'] })
    expectType<Equal<typeof path, string>>()
    expect(path).toBe('/users/7/a')
  })

  it('requires an argument of build only if a parameter is required', () => {
    expect(pathTemplate('/a').build()).toBe('/a')
    expect(pathTemplate('/a/:b?').build()).toBe('/a')
    const mistakes = () => {
      // @ts-expect-error the parameter is required
      pathTemplate('/:a').build()
      // @ts-expect-error the wildcard is required
      pathTemplate('/*rest').build()
    }
    expect(mistakes).toThrow(TypeError)
  })

  it('rejects missing, misspelled and wrongly typed parameters', () => {
    const mistakes = () => {
      // @ts-expect-error b is missing
      pathTemplate('/:a/:b').build({ a: '1' })
      // @ts-expect-error there is no parameter c
      pathTemplate('/:a/:b?').build({ a: '1', c: '2' })
      // @ts-expect-error a parameter is a string
      pathTemplate('/:a').build({ a: 1 })
      // @ts-expect-error a wildcard is an array
      pathTemplate('/*rest').build({ rest: 'a/b' })
      // @ts-expect-error the result may be null
      pathTemplate('/:a').match('/1').a
      // @ts-expect-error there is no parameter b
      pathTemplate('/:a').match('/1')?.b
    }
    expect(typeof mistakes).toBe('function')
  })
})
