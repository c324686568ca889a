import { expect, test } from 'vitest'
import type { AppRequest, AppTools } from '../app.ts'
import { createDraw } from '../kit/draw.ts'
import { helpdesk } from './app.ts'
import type { DeskState } from './desk-state.ts'
import { exportCsv, reportTickets } from './export-csv.ts'
import { exposeDesk } from './expose-desk.ts'

const NOW = '2026-03-02T09:00:00.000Z'
const tools: AppTools = {
  now: () => new Date(NOW),
  draw: createDraw(3),
  origin: 'http://desk.localhost:1',
  announce: () => {},
}

type Asked = Partial<Pick<AppRequest, 'body' | 'files' | 'cookies'>>

function ask(state: DeskState, what: string, asked: Asked = {}) {
  const [method = '', address = ''] = what.split(' ')
  const { pathname, searchParams } = new URL(address, tools.origin)
  const rest = { body: {}, files: [], cookies: {}, ...asked }
  return helpdesk.handle(state, { method, path: pathname, query: searchParams, ...rest }, tools)
}

const desk = () => helpdesk.seed(createDraw(11))

/** Signs in as Nora and returns the cookies. */
async function signIn(state: DeskState) {
  const body = { email: 'nora@relaydesk.example', password: 'maple-quartz-41' }
  const { headers } = await ask(state, 'POST /signin', { body })
  const cookies = { sid: /sid=(\w+)/.exec(headers?.['set-cookie'] ?? '')?.[1] ?? '' }
  await ask(state, 'POST /signin/workspace', { body: { workspace: 'harrow' }, cookies })
  return cookies
}

test('the same seed makes the same desk, to the byte of a report', () => {
  const [one, two] = [desk(), desk()]
  expect(exposeDesk(one)).toEqual({ ...exposeDesk(two), changed: [], changedSettings: {} })
  const csv = (state: DeskState) =>
    exportCsv(state, reportTickets(state, { status: '', tag: '', month: '' }))
  expect(csv(one)).toBe(csv(two))
  expect(csv(one).split('\r\n')).toHaveLength(one.tickets.length + 2)
  expect(csv(helpdesk.seed(createDraw(12)))).not.toBe(csv(one))
})

test('nothing is shown or changed before both steps of signing in', async () => {
  const state = desk()
  const wrong = { email: 'nora@relaydesk.example', password: 'maple' }
  expect(await ask(state, 'POST /signin', { body: wrong })).toMatchObject({ status: 422 })
  const body = { ...wrong, password: 'maple-quartz-41' }
  const { headers } = await ask(state, 'POST /signin', { body })
  const cookies = { sid: /sid=(\w+)/.exec(headers?.['set-cookie'] ?? '')?.[1] ?? '' }
  expect(await ask(state, 'GET /api/tickets', { cookies })).toMatchObject({ status: 401 })
  expect(await ask(state, 'GET /inbox?tag=a', { cookies })).toMatchObject({
    status: 303,
    headers: { location: '/signin?next=%2Finbox%3Ftag%3Da' },
  })
  await ask(state, 'POST /signin/workspace', { body: { workspace: 'harrow' }, cookies })
  expect(await ask(state, 'GET /api/tickets', { cookies })).toMatchObject({ status: 200 })
  helpdesk.expireSessions?.(state)
  expect(await ask(state, 'GET /api/tickets', { cookies })).toMatchObject({ status: 401 })
})

test.each(['//elsewhere.example', '/\\elsewhere', 'https://elsewhere.example', '/a b'])(
  'signing in never leads to %s',
  async (next) => {
    const page = await ask(desk(), `GET /signin?next=${encodeURIComponent(next)}`)
    expect(page.body).toContain('name="next" value="/inbox"')
  },
)

test('a ticket that was only read is not changed; one that was answered tells by what', async () => {
  const state = desk()
  const cookies = await signIn(state)
  await ask(state, 'GET /api/tickets/4115', { cookies })
  expect(exposeDesk(state)).toMatchObject({ changed: [] })
  const files = [{ field: 'file', name: 'a.pdf', type: 'application/pdf', bytes: Buffer.from('a') }]
  const body = { kind: 'reply', text: ' Here it is.\r\nYours ' }
  await ask(state, 'POST /api/tickets/4115/messages', { cookies, body, files })
  const empty = { kind: 'reply', text: '  ' }
  const refused = await ask(state, 'POST /api/tickets/4115/messages', { cookies, body: empty })
  expect(refused.status).toBe(422)
  expect(exposeDesk(state).changed).toMatchObject([
    {
      id: 4115,
      added: [{ kind: 'reply', text: 'Here it is.\nYours', attachments: [{ name: 'a.pdf' }] }],
    },
  ])
})

test('a merged ticket is closed for good', async () => {
  const state = desk()
  const cookies = await signIn(state)
  const merge = (id: number, into: number) =>
    ask(state, `POST /api/tickets/${id}/merge`, { cookies, body: { into: String(into) } })
  expect((await merge(4113, 4113)).status).toBe(422)
  expect((await merge(4121, 4113)).status).toBe(200)
  expect((await merge(4121, 4113)).status).toBe(422)
  expect((await merge(4113, 4121)).status).toBe(422)
  const change = { cookies, body: { status: 'open' } }
  expect((await ask(state, 'PATCH /api/tickets/4121', change)).status).toBe(422)
  expect(exposeDesk(state).changed.map(({ id, mergedInto }) => [id, mergedInto])).toEqual([
    [4113, null],
    [4121, 4113],
  ])
})

test('settings are kept whole or not at all', async () => {
  const state = desk()
  const cookies = await signIn(state)
  const save = (section: string, body: Record<string, unknown>) =>
    ask(state, `PUT /api/settings/${section}`, { cookies, body })
  const { profile, signature, notifications } = state.settings.nora ?? {}
  const wrong = await save('profile', { ...profile, signature, phone: 'abc', jobTitle: 'X' })
  expect(wrong).toMatchObject({ status: 422 })
  expect((await save('notifications', { ...notifications, quietFrom: '25:00' })).status).toBe(422)
  expect(exposeDesk(state).changedSettings).toEqual({})
  expect((await save('notifications', { ...notifications, digest: 'never' })).status).toBe(200)
  expect(exposeDesk(state).changedSettings).toEqual({ 'nora.notifications.digest': 'never' })
})
