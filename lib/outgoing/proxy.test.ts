import { expect, it } from 'vitest'
import { findProxy } from './proxy.ts'

const PROXY = { HTTPS_PROXY: 'http://proxy.example:3128', HTTP_PROXY: 'http://plain.example:8080' }

it.each([
  ['https://api.example/v1', {}, 'http://proxy.example:3128'],
  ['http://api.example/v1', {}, 'http://plain.example:8080'],
  ['https://api.example/v1', { https_proxy: 'https://lower.example' }, 'https://lower.example'],
  ['https://api.example/v1', { HTTPS_PROXY: 'bare.example:1' }, 'http://bare.example:1'],
  ['https://api.example/v1', { HTTPS_PROXY: 'http://me:hunter2@p.example' }, 'http://p.example'],
  ['https://api.example/v1', { HTTPS_PROXY: '' }, null],
  ['https://api.example/v1', { NO_PROXY: '*' }, null],
  ['https://api.example/v1', { NO_PROXY: 'other.example, api.example' }, null],
  ['https://api.example/v1', { no_proxy: '.example' }, null],
  ['https://api.example/v1', { NO_PROXY: '*.example' }, null],
  ['https://api.example/v1', { NO_PROXY: 'pi.example' }, 'http://proxy.example:3128'],
  ['https://api.example/v1', { NO_PROXY: 'api.example:443' }, null],
  ['https://api.example:8443/v1', { NO_PROXY: 'api.example:443' }, 'http://proxy.example:3128'],
  ['http://10.0.0.7:8000/v1', { NO_PROXY: '10.0.0.7' }, null],
  ['https://10.96.0.1/version', { NO_PROXY: '.svc,10.0.0.0/8' }, null],
  ['https://11.96.0.1/version', { NO_PROXY: '10.0.0.0/8' }, 'http://proxy.example:3128'],
  ['https://[fd00::7]/v1', { NO_PROXY: 'fd00::/8' }, null],
  ['https://[fd00::7]/v1', { NO_PROXY: 'fd00::7' }, null],
  ['https://10.example/v1', { NO_PROXY: '10.0.0.0/99' }, 'http://proxy.example:3128'],
  ['http://127.0.0.1:11434/v1', {}, null],
  ['http://localhost:11434/v1', {}, null],
  ['http://[::1]:11434/v1', {}, null],
])('%s with %o goes through %s', (url, env, shown) => {
  expect(findProxy(new URL(url), { ...PROXY, ...env })?.shown ?? null).toBe(shown)
})

it('refuses what is no HTTP proxy by the name of its variable, without its password', () => {
  const find = () =>
    findProxy(new URL('https://a.example'), { HTTPS_PROXY: 'socks5://u:hunter2@x' })
  expect(find).toThrow('HTTPS_PROXY is not the URL of an HTTP proxy')
  expect(find).not.toThrow(/hunter2/)
})
