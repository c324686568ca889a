import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { providerKeys, readEnv, runnerEnv } from './env.ts'

it('has a default for everything, below the root', () => {
  expect(readEnv({ PROOFBOARD_ROOT: '/repo' })).toMatchObject({
    port: 3000,
    databaseFile: '/repo/.proofboard/proofboard.db',
    runsDir: '/repo/.proofboard/runs',
    supervised: false,
    firstRuns: true,
  })
})

it('takes a data directory, absolute or below the root; empty means unset', () => {
  expect(readEnv({ PROOFBOARD_DATA_DIR: '/data' }).databaseFile).toBe('/data/proofboard.db')
  expect(readEnv({ PROOFBOARD_ROOT: '/repo', PROOFBOARD_DATA_DIR: 'x' }).dataDir).toBe('/repo/x')
  expect(readEnv({ PROOFBOARD_ROOT: '/repo', PROOFBOARD_DATA_DIR: '' }).dataDir).toBe(
    '/repo/.proofboard',
  )
})

it('refuses nonsense in one line that names the variable', () => {
  expect(() => readEnv({ PORT: 'http' })).toThrow(/^environment variable PORT: /)
  expect(() => readEnv({ PROOFBOARD_SUPERVISED: 'yes' })).toThrow(/PROOFBOARD_SUPERVISED/)
  expect(() => readEnv({ PROOFBOARD_HOST_ID: 'a b' })).toThrow(/PROOFBOARD_HOST_ID/)
})

it.each([
  'mysql://user:hunter2@db/x',
  'postgresql://user:hunter2@db',
  'postgresql://user:hunter2@db/x?schema=A-B',
  'db.sqlite',
])('refuses %s as the address of a database, without repeating its password', (url) => {
  expect(() => readEnv({ DATABASE_URL: url })).toThrow(
    /^environment variable DATABASE_URL: expected/,
  )
  expect(() => readEnv({ DATABASE_URL: url })).not.toThrow(/hunter2/)
})

it('keeps the database in the data folder unless a server is named', () => {
  const url = 'postgresql://user:hunter2@db:5432/board?schema=eu'
  expect(readEnv({ PROOFBOARD_DATA_DIR: '/data' }).database).toBe('/data/proofboard.db')
  expect(readEnv({ PROOFBOARD_DATA_DIR: '/data', DATABASE_URL: url }).database).toBe(url)
})

it('shows the runner what it measures with and no other secret', () => {
  const seen = {
    PATH: '/bin',
    HOME: '/root',
    PROOFBOARD_CHROMIUM: '/opt/chromium',
    HTTPS_PROXY: 'http://proxy.example:3128',
    no_proxy: '.corp',
    PROOFBOARD_PROVIDERS: '/etc/providers.yaml',
  }
  const hidden = {
    ANTHROPIC_API_KEY: 'y',
    ADMIN_TOKEN: 'x',
    PROOFBOARD_SECRET: 'z',
    npm_config_token: 'w',
    EMPTY: '',
  }
  expect(runnerEnv({ ...seen, ...hidden })).toEqual(seen)
  expect(providerKeys({ ...seen, ...hidden })).toEqual({ ANTHROPIC_API_KEY: 'y' })
})

it('takes sizes in the units people write, and refuses others', () => {
  const quota = (text: string) => readEnv({ PROOFBOARD_LOG_QUOTA: text }).logQuotaBytes
  expect(['20GB', '1.5 MB', '500kb', ''].map(quota)).toEqual([20e9, 1.5e6, 500e3, null])
  for (const text of ['20', '-1GB', 'GB', '1GiB', '1e3GB'])
    expect(() => quota(text), text).toThrow(/PROOFBOARD_LOG_QUOTA: expected a size such as/)
  const days = (text: string) => readEnv({ PROOFBOARD_KEEP_LOGS_DAYS: text }).keepLogsDays
  expect(['90', ''].map(days)).toEqual([90, null])
  expect(() => days('0')).toThrow(/PROOFBOARD_KEEP_LOGS_DAYS: expected a number of days from 1/)
})

it('takes issuers of identity over https alone, except from this machine', () => {
  const issuers = (text: string) => readEnv({ PROOFBOARD_OIDC_ISSUERS: text }).oidcIssuers
  expect(issuers('')).toEqual(['https://token.actions.githubusercontent.com'])
  expect(issuers('none')).toEqual([])
  expect(issuers('https://a.example, http://127.0.0.1:9')).toEqual([
    'https://a.example',
    'http://127.0.0.1:9',
  ])
  for (const text of [
    'http://a.example',
    'https://a.example?x=1',
    'a.example',
    'https://a.example,',
  ])
    expect(() => issuers(text), text).toThrow(/PROOFBOARD_OIDC_ISSUERS: expected addresses/)
  expect(readEnv({ PROOFBOARD_URL: 'https://board.example' }).oidcAudience).toBe(
    'https://board.example',
  )
})

/** Set by Proofboard for processes that it starts, never by a person. */
const OWN = ['ROOT', 'RUNNER', 'SUPERVISED'].map((name) => `PROOFBOARD_${name}`)

it('has every variable in docs/configuration.md', () => {
  const read = new Set(readFileSync('lib/env.ts', 'utf8').match(/\bPROOFBOARD_[A-Z_]+\b/g))
  const documented = readFileSync('docs/configuration.md', 'utf8').match(/\bPROOFBOARD_[A-Z_]+\b/g)
  expect([...read].filter((name) => !OWN.includes(name) && !documented?.includes(name))).toEqual([])
})

it.each([
  [undefined, 'http://localhost:4000'],
  ['0.0.0.0', 'http://localhost:4000'],
  ['192.0.2.7', 'http://192.0.2.7:4000'],
  ['::1', 'http://[::1]:4000'],
])('links use the address that HOST=%s listens on', (HOST, address) => {
  expect(readEnv({ HOST, PORT: '4000' }).publicUrl).toBe(address)
})
