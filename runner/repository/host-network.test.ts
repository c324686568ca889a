import { expect, it } from 'vitest'
import { describeHostNetwork, mayContainSecret } from './host-network.ts'

it.each([
  ['http://proxy.example:3128', false],
  ['https://artifacts.example/artifactory/api/npm/npm-virtual-2024/', false],
  ['https://proxy.golang.org,direct', false],
  ['.corp.example,10.0.0.0/8', false],
  ['http://ada:secret@proxy.example:3128', true],
  ['https://token@packages.example/simple', true],
  ['https://packages.example/basic/9f86d081884c7d659a2f/simple', true],
  ['https://packages.example/3e0c7b1a-93a1-4f2e-8d61-6b7f0d1c2a34/', true],
  ['https://packages.example/simple?key=1', true],
])('%s may contain a secret: %s', (value, isSecret) => {
  expect(mayContainSecret(value)).toBe(isSecret)
})

it('doctor names settings, never their values', () => {
  const read = { certificates: null, env: { HTTPS_PROXY: 'http://proxy.example' }, npmrc: [] }
  const found = { ...read, found: ['HTTPS_PROXY'], withheld: ['npm registry'] }
  expect(describeHostNetwork(found)).toMatch(/HTTPS_PROXY; .*not passed on.*: npm registry$/)
  expect(describeHostNetwork(found)).not.toContain('proxy.example')
})
