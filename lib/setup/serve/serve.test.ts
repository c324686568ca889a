import { describe, expect, it } from 'vitest'
import { refuseArguments } from './refuse-arguments.mjs'
import { readAddress, readRoles } from './run-servers.mjs'
import { nextDelay, renderLine } from './supervise.mjs'
import { webMemory } from './web-memory.mjs'

describe('readAddress', () => {
  it('is port 3000 of this machine alone by default', () => {
    expect(readAddress({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      url: 'http://localhost:3000',
      probeUrl: 'http://127.0.0.1:3000',
    })
  })

  it.each([
    ['0.0.0.0', 'http://localhost:80', 'http://127.0.0.1:80'],
    ['127.0.0.1', 'http://127.0.0.1:80', 'http://127.0.0.1:80'],
    ['::1', 'http://[::1]:80', 'http://[::1]:80'],
    ['localhost', 'http://localhost:80', 'http://localhost:80'],
    ['board.example', 'http://board.example:80', 'http://board.example:80'],
  ])('HOST=%s', (HOST, url, probeUrl) => {
    expect(readAddress({ PORT: '80', HOST })).toMatchObject({ host: HOST, url, probeUrl })
  })

  it.each(['abc', '0', '65536', '-1', '30 00', '1e3'])('refuses PORT=%s', (PORT) => {
    expect(() => readAddress({ PORT })).toThrow(`PORT=${PORT} is not a port`)
  })
})

describe('readRoles', () => {
  it.each([
    [undefined, ['web', 'worker']],
    ['', ['web', 'worker']],
    ['worker', ['worker']],
    [' worker, web ', ['web', 'worker']],
  ])('PROOFBOARD_SERVERS=%s', (PROOFBOARD_SERVERS, roles) => {
    expect(readRoles({ PROOFBOARD_SERVERS })).toEqual(roles)
  })

  it.each(['db', 'web,', 'Web'])('refuses PROOFBOARD_SERVERS=%s', (PROOFBOARD_SERVERS) => {
    expect(() => readRoles({ PROOFBOARD_SERVERS })).toThrow('use web, worker, or web,worker')
  })
})

describe('nextDelay', () => {
  it('doubles while a child dies young, up to half a minute', () => {
    const delays = [0]
    for (let n = 0; n < 9; n += 1) delays.push(nextDelay(delays.at(-1) ?? 0, 100))
    expect(delays.slice(1)).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  it('starts over after it ran steadily', () => expect(nextDelay(16_000, 5000)).toBe(250))
})

describe('renderLine', () => {
  it('shows a log entry as words', () => {
    const entry = {
      at: '2026-01-01',
      level: 'info',
      component: 'worker',
      message: 'job claimed',
      jobId: 'j1',
      tries: 0,
    }
    expect(renderLine('worker', JSON.stringify(entry))).toBe(
      '  worker  job claimed  jobId=j1  tries=0',
    )
  })

  it('says how bad it is, and what an error said', () => {
    const entry = {
      level: 'error',
      message: 'a job broke',
      error: { name: 'Error', message: 'no', stack: '…' },
    }
    expect(renderLine('worker', JSON.stringify(entry))).toBe(
      '  worker  error: a job broke  error=no',
    )
  })

  it.each(['plain words', '{not json', '{"json":"but no entry"}'])('leaves %s as it is', (line) => {
    expect(renderLine('web', line)).toBe(`  web     ${line}`)
  })
})

describe('refuseArguments', () => {
  it('starts no server for a question or a mistake', () => {
    const exits = [[], ['--help'], ['-h'], ['--port', '3']].map((args) =>
      refuseArguments('npm start', args),
    )
    expect(exits).toEqual([null, 0, 0, 2])
  })
})

describe('webMemory', () => {
  it('bounds the heap and its arenas, and leaves what was set as it is', () => {
    expect(webMemory({})).toEqual({
      options: ['--max-old-space-size=1024'],
      env: { MALLOC_ARENA_MAX: '2' },
    })
    const NODE_OPTIONS = '--no-warnings --max_old_space_size=4096'
    expect(webMemory({ NODE_OPTIONS, MALLOC_ARENA_MAX: '8' })).toEqual({
      options: [],
      env: { MALLOC_ARENA_MAX: '8' },
    })
  })
})
