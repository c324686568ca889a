'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('node:test')
const { Router } = require('../lib/router.js')

const params = (router, path, method = 'GET') => ({ ...router.match(method, path)?.params })
const handler = (router, path, method = 'GET') => router.match(method, path)?.handler ?? null

describe('parameters', () => {
  it('are one segment, decoded', () => {
    const router = new Router().add('GET', '/users/:id/posts/:post', 'h')
    assert.deepEqual(params(router, '/users/a%20b/posts/7/?x=1'), { id: 'a b', post: '7' })
    assert.equal(handler(router, '/users//posts/7'), null)
    assert.equal(handler(router, '/users/1/2/posts/7'), null)
  })

  it('that cannot be decoded do not match', () => {
    const router = new Router().add('GET', '/users/:id', 'h')
    assert.equal(router.match('GET', '/users/%zz'), null)
  })

  it('may have the name of an inherited member', () => {
    const found = new Router().add('GET', '/:constructor', 'h').match('GET', '/x')
    assert.equal(found.params.constructor, 'x')
    assert.equal(Object.getPrototypeOf(found.params), null)
    assert.equal('toString' in found.params, false)
  })

  it('of one name twice are refused', () => {
    assert.throws(() => new Router().add('GET', '/:a/x/:a', 'h'), TypeError)
  })
})

describe('the wildcard', () => {
  it('takes the rest, undecoded', () => {
    const router = new Router().add('GET', '/files/*', 'h')
    assert.deepEqual(params(router, '/files/a/b%20c.txt'), { '*': 'a/b%20c.txt' })
    assert.equal(handler(router, '/files'), null)
    assert.equal(handler(router, '/files/'), null)
  })

  it('stands at the end alone', () => {
    assert.throws(() => new Router().add('GET', '/a/*/b', 'h'), TypeError)
    assert.throws(() => new Router().add('GET', '/a/b*', 'h'), TypeError)
  })
})

describe('order', () => {
  const routes = [
    ['/a/b', 'literal'],
    ['/a/:x', 'parameter'],
    ['/a/*', 'wildcard'],
    ['/:x/b/c', 'late literal'],
    ['/a/:x/c', 'early literal'],
  ]
  for (const [name, list] of [
    ['as added', routes],
    ['turned around', [...routes].reverse()],
  ]) {
    it(`does not matter: ${name}`, () => {
      const router = new Router()
      for (const [path, value] of list) router.add('GET', path, value)
      assert.equal(handler(router, '/a/b'), 'literal')
      assert.equal(handler(router, '/a/z'), 'parameter')
      assert.equal(handler(router, '/a/z/y'), 'wildcard')
      assert.equal(handler(router, '/a/b/c'), 'early literal')
      assert.equal(handler(router, '/q/b/c'), 'late literal')
    })
  }

  it('of one shape lets the last win', () => {
    const router = new Router().add('GET', '/a/:x', 1).add('GET', '/a/:y', 2)
    assert.equal(handler(router, '/a/7'), 2)
    assert.deepEqual(params(router, '/a/7'), { y: '7' })
  })
})

describe('methods', () => {
  it('that a path has are named where the asked one is missing', () => {
    const router = new Router().add('POST', '/a/:x', 1).add('GET', '/a/*', 2).add('put', '/a/b', 3)
    assert.deepEqual(router.match('DELETE', '/a/b'), { allowed: ['GET', 'POST', 'PUT'] })
    assert.equal(router.match('DELETE', '/b'), null)
  })

  it('are looked for behind a better route without them', () => {
    const router = new Router().add('POST', '/a/b', 1).add('GET', '/a/:x', 2)
    assert.equal(handler(router, '/a/b', 'get'), 2)
  })
})

describe('whole paths', () => {
  it('work as before', () => {
    const router = new Router().add('GET', '/', 'home').add('GET', '/users', 'list')
    assert.equal(handler(router, '/?q'), 'home')
    assert.equal(handler(router, '/users/'), 'list')
    assert.equal(router.match('GET', '/nothing'), null)
  })
})
