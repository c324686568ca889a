'use strict'

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Router } = require('../lib/router.js')

test('finds a whole path, whatever its query and slash', () => {
  const router = new Router().add('get', '/users', 'list')
  assert.equal(router.match('GET', '/users/?page=2').handler, 'list')
  assert.equal(router.match('GET', '/user'), null)
})

test('knows the root', () => {
  assert.equal(new Router().add('GET', '/', 'home').match('GET', '/?a=1').handler, 'home')
})
