import { describe, expect, it } from 'vitest'
import { requestKey } from './request-key.ts'

const key = (body: object, places = {}) => requestKey('/v1/x', JSON.stringify(body), places)

describe('two runs of one conversation have one key', () => {
  it.each<[string, object, object]>([
    [
      'claude: the user id',
      { metadata: { user_id: 'user_1_session_2' }, x: 1 },
      { metadata: { user_id: 'user_9_session_8' }, x: 1 },
    ],
    [
      'codex: cache key, client metadata, item ids',
      {
        prompt_cache_key: 'a',
        client_metadata: { i: 'a' },
        input: [{ id: 'rs_1', call_id: 'c1' }, { call_id: 'c1' }],
      },
      {
        prompt_cache_key: 'b',
        client_metadata: { i: 'b' },
        input: [{ id: 'rs_7', call_id: 'c9' }, { call_id: 'c9' }],
      },
    ],
    [
      'gemini: ids of function calls',
      { parts: [{ functionCall: { id: 'f-1', name: 'n' } }, { functionResponse: { id: 'f-1' } }] },
      { parts: [{ functionCall: { id: 'f-2', name: 'n' } }, { functionResponse: { id: 'f-2' } }] },
    ],
    ['copilot: the present moment', { current_datetime: '1' }, { current_datetime: '2' }],
    [
      'dates in prompts',
      {
        a: "Today's date: 2026-11-21",
        b: 'Saturday, November 21, 2026 (x)',
        c: '2026-11-21T07:00:00.123Z',
        d: 'Sat Nov 21 2026 07:00:00 GMT+0000 (Coordinated Universal Time)',
        e: '11/21/2026, 7:00:00 AM',
      },
      {
        a: "Today's date: 2027-01-02",
        b: 'Sunday, December 7, 2027 (x)',
        c: '2027-01-02T17:10:59.001Z',
        d: 'Mon Dec 07 2026 17:10:01 GMT+0100 (Central European Time)',
        e: '1/2/2027, 11:30:01 PM',
      },
    ],
    [
      'values that tools print differently each time',
      {
        a: 'Chunk ID: e53620\nWall time: 0.0000 seconds\nDuration  4.28s\nProcess Group PGID: 8924',
        b: '01a1fd15-99df-7e42-99cd-0dd0e74938e6',
      },
      {
        a: 'Chunk ID: ff4309\nWall time: 1.0200 seconds\nDuration  12ms\nProcess Group PGID: 10412',
        b: '01a1fd15-9e04-71f0-9338-bddb11272711',
      },
    ],
    ['order of members', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ])('%s', (_what, one, other) => {
    expect(key(one)).toBe(key(other))
  })

  it('takes folders of the run by their label', () => {
    expect(
      key({ a: 'in /tmp/w1/src and /tmp/w1 -tmp-w1' }, { workspace: '/tmp/w1', home: '/tmp' }),
    ).toBe(key({ a: 'in /x/src and /x -x' }, { workspace: '/x' }))
  })

  it.each<[string, object, object]>([
    ['another word', { a: 'x' }, { a: 'y' }],
    [
      'a result tied to another call',
      { l: [{ id: 'a' }, { id: 'b' }, { call_id: 'a' }] },
      { l: [{ id: 'a' }, { id: 'b' }, { call_id: 'b' }] },
    ],
    ['one more message', { l: [1] }, { l: [1, 2] }],
    ['another number', { temperature: 0 }, { temperature: 1 }],
  ])('but not for %s', (_what, one, other) => {
    expect(key(one)).not.toBe(key(other))
  })
})

it('has a key for every JSON, also for numbers beyond all numbers', () => {
  expect(requestKey('/v1/x', '{"top_k":1e999}', {})).not.toBe(
    requestKey('/v1/x', '{"top_k":-1e999}', {}),
  )
})
