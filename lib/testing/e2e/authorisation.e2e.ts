import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '#lib/testing/e2e/browser.ts'
import {
  type ActionResponse,
  type BuiltAction,
  type Caller,
  callAction,
  fillAddress,
  readBuiltSite,
  readValue,
  TableWatch,
} from '#lib/testing/e2e/built-site.ts'
import { makeUser } from '#lib/testing/e2e/make-user.ts'
import type { Copy } from '#lib/testing/e2e/start-copy.ts'
import { startDemoCopy } from '#lib/testing/e2e/start-demo-copy.ts'

/** Actions without a session, and why. All others refuse anonymous users. */
const OPEN: Record<string, string> = {
  '(admin)/sign-in signInAction': 'sign-in itself: a password is the permission, tries are counted',
  '(admin)/sign-in signOutAction': 'ends the session it is sent with and nothing else',
  '(admin)/setup setUpFirst': 'a one-time link is the permission',
  '(admin)/setup setUpPassword': 'a one-time link is the permission',
}
/** Actions that a viewer may use, and why. All others need an administrator. */
const VIEWER_MAY: Record<string, string> = {
  '(admin)/admin/accounts changePasswordAction': 'their own password',
  '(admin)/admin/accounts endSessionAction': 'their own sessions',
}

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
const FOREIGN_HOST = 'evil.example'
const FOREIGN = `http://${FOREIGN_HOST}`
const REFUSALS = {
  stranger: 'Sign in first',
  viewer: 'This requires an admin',
  foreign: 'Cross-origin request refused',
}
const site = { pages: [] as string[], routes: [] as string[], actions: [] as BuiltAction[] }
const swept: string[] = []
let copy: Copy
let file = ''
let tables: TableWatch
let values: Record<string, string> = {}
let cookies = { admin: '', viewer: '', former: '' }
let revoked = ''

const actionNamed = (name: string) => {
  const found = site.actions.find((action) => action.name === name)
  if (!found) throw new Error(`there is no action ${name}`)
  return found
}
const call = (action: BuiltAction, caller: Caller = {}, fields = values) =>
  callAction(copy.url, { ...action, page: fillAddress(action.page, values) }, fields, caller)

async function callInTurn(
  action: BuiltAction,
  callers: readonly Caller[],
): Promise<ActionResponse[]> {
  const answers: ActionResponse[] = []
  for (const caller of callers) answers.push(await call(action, caller))
  return answers
}

async function signIn({ email, password }: TestUser): Promise<string> {
  const action = actionNamed('(admin)/sign-in signInAction')
  const page = '/sign-in'
  const { cookie } = await callAction(
    copy.url,
    { ...action, page },
    { email, password, next: '/admin' },
  )
  if (!/session_token=./.test(cookie)) throw new Error(`${email} could not sign in`)
  return cookie
}

/** A token that was valid and is revoked. */
async function revokedToken(cookie: string): Promise<string> {
  const fields = { name: 'sweep', days: '7', scopes: 'results:write' }
  const made = await call(actionNamed('(admin)/admin/tokens addTokenAction'), { cookie }, fields)
  const id = readValue(file, `SELECT id FROM ApiToken WHERE name = 'sweep'`)
  await call(actionNamed('(admin)/admin/tokens revokeTokenAction'), { cookie }, { id })
  expect(readValue(file, 'SELECT count(*) FROM ApiToken WHERE revokedAt IS NOT NULL')).toBe('1')
  return /pb_[0-9A-Za-z]{43}/.exec(made.text)?.[0] ?? ''
}

beforeAll(async () => {
  copy = await startDemoCopy()
  Object.assign(site, readBuiltSite())
  file = join(copy.dataDir, 'proofboard.db')
  tables = new TableWatch(file)
  const [admin, viewer] = [await makeUser(copy.dataDir), await makeUser(copy.dataDir, 'viewer')]
  cookies = {
    admin: await signIn(admin),
    viewer: await signIn(viewer),
    former: await signIn(admin),
  }
  // Signing in again, or out, ends a session; this one is replayed.
  await call(actionNamed('(admin)/sign-in signOutAction'), { cookie: cookies.former })
  revoked = await revokedToken(cookies.admin)
  const one = (sql: string) => readValue(file, sql)
  const runId = one('SELECT runId FROM Run LIMIT 1')
  // Fields that would have an effect if the request were allowed.
  values = {
    runId,
    episodeId: one('SELECT episodeId FROM Episode LIMIT 1'),
    suiteId: 'demo',
    taskId: one('SELECT taskId FROM Task LIMIT 1'),
    axis: 'cost',
    jobId: one('SELECT id FROM Job LIMIT 1'),
    id: one(`SELECT id FROM User WHERE role = 'viewer'`),
    target: runId,
    email: 'eve@example.org',
    name: 'Eve',
    role: 'admin',
    password: 'three words and a horse',
    current: 'three words and a donkey',
    reason: 'because',
    scopes: 'admin:read',
    days: '7',
    priority: '1',
    repositoryId: '4711',
    repositoryOwnerId: '42',
    ref: 'refs/heads/main',
    rowId: one('SELECT suiteDigest FROM BoardSnapshot LIMIT 1'),
    goal: 'aggregate',
    uploadId: 'up_000000000000000000000000',
    action: 'invalidate',
  }
})
afterAll(async () => {
  process.stdout.write(`\nSwept:\n${swept.join('\n')}\n`)
  tables.close()
  await copy.stop()
})

/** Performs an action that must not change anything, and returns its result. */
async function unchanged<T>(work: () => Promise<T>): Promise<T> {
  const before = tables.dump()
  const result = await work()
  expect(tables.dump()).toEqual(before)
  return result
}

function isRefused({ status, text }: ActionResponse, words: string): boolean {
  return status >= 400 || text.includes(words)
}

describe('the sweep itself', () => {
  it('reaches actions: what an administrator sends is done', async () => {
    const before = tables.dump()
    const fields = { name: 'control', days: '7', scopes: 'results:write' }
    const add = actionNamed('(admin)/admin/tokens addTokenAction')
    const { text } = await call(add, { cookie: cookies.admin }, fields)
    expect(text).toContain('Created token control')
    expect(tables.dump()).not.toEqual(before)
  })

  it('knows every exception by a name that exists', () => {
    const names = site.actions.map(({ name }) => name)
    for (const name of [...Object.keys(OPEN), ...Object.keys(VIEWER_MAY)])
      expect(names).toContain(name)
  })
})

describe('every server action', () => {
  const all = () => site.actions.filter(({ name }) => !(name in OPEN))

  it('refuses an anonymous user, a session that ended and a forged cookie', async () => {
    const made = cookies.admin.replace(/(session_token=)\w{4}/, '$1AAAA')
    for (const action of all()) {
      const callers = ['', cookies.former, made].map((cookie) => ({ cookie }))
      for (const { text } of await unchanged(() => callInTurn(action, callers)))
        expect(text, action.name).toContain(REFUSALS.stranger)
      swept.push(`  action  ${action.name}: anonymous, ended session, forged cookie`)
    }
    expect(all().length).toBeGreaterThan(5)
  })

  it('refuses a viewer what is an administrator’s', async () => {
    for (const action of all()) {
      const response = await unchanged(() => call(action, { cookie: cookies.viewer }))
      if (action.name in VIEWER_MAY) continue
      expect(response.text, action.name).toContain(REFUSALS.viewer)
      swept.push(`  action  ${action.name}: viewer`)
    }
  })

  it('refuses an administrator’s browser when the request comes from another site, or without an origin', async () => {
    for (const action of site.actions) {
      const callers = [FOREIGN, 'null', null].map((origin) => ({ cookie: cookies.admin, origin }))
      const forged = { ...callers[0], forwardedHost: FOREIGN_HOST }
      const answers = await unchanged(() => callInTurn(action, [...callers, forged]))
      const isOut = action.name.endsWith(' signOutAction')
      for (const response of answers)
        if (!isOut) expect(isRefused(response, REFUSALS.foreign), action.name).toBe(true)
      swept.push(
        `  action  ${action.name}: foreign, opaque and missing origin, forged X-Forwarded-Host`,
      )
    }
    const still = await fetch(`${copy.url}/admin`, { headers: { cookie: cookies.admin } })
    expect(still.url, 'the session outlives a forged sign-out').toMatch(/\/admin$/)
  })

  it.each(Object.keys(OPEN))('%s changes nothing without its permission', async (name) => {
    const fields = { ...values, token: 'a'.repeat(43), next: '/' }
    await unchanged(() => call(actionNamed(name), {}, fields))
    swept.push(`  open    ${name}: ${OPEN[name]}`)
  })
})

describe('every route that writes', () => {
  const ask = async (path: string, method: string, headers: Record<string, string>) => {
    const init = { method, headers: { 'content-type': 'application/json', ...headers } }
    const address = `${copy.url}${fillAddress(path, values)}`
    const response = await fetch(address, { ...init, body: JSON.stringify(values) })
    await response.arrayBuffer()
    return response.status
  }

  /** Requests every method of the route as every caller. */
  const askAll = async (path: string, callers: Record<string, Record<string, string>>) => {
    const tried: [method: string, who: string, status: number][] = []
    for (const method of METHODS) {
      if ((await ask(path, method, { origin: copy.url })) === 405) continue
      for (const [who, headers] of Object.entries(callers))
        tried.push([method, who, await ask(path, method, headers)])
    }
    return tried
  }

  it('refuses anonymous users, viewers, other sites, ended sessions and revoked tokens', async () => {
    const origin = copy.url
    const forged = { origin: FOREIGN, 'x-forwarded-host': FOREIGN_HOST }
    const callers: Record<string, Record<string, string>> = {
      stranger: { origin },
      viewer: { origin, cookie: cookies.viewer },
      'foreign origin': { origin: FOREIGN, cookie: cookies.admin },
      'forged host': { ...forged, cookie: cookies.admin },
      'no origin': { cookie: cookies.admin },
      'former session': { origin, cookie: cookies.former },
      'revoked token': { authorization: `Bearer ${revoked}` },
      'made-up token': { authorization: `Bearer pb_${'a'.repeat(43)}` },
    }
    expect(revoked).not.toBe('')
    // A catch-all route has nothing to write: 404 for every caller.
    const named = site.routes.filter((path) => !path.includes('[...'))
    for (const path of named) {
      const tried = await unchanged(() => askAll(path, callers))
      for (const [method, who, status] of tried)
        expect([401, 403], `${method} ${path} by ${who}`).toContain(status)
      for (const method of new Set(tried.map(([name]) => name)))
        swept.push(`  route   ${method} ${path}: ${Object.keys(callers).join(', ')}`)
    }
    expect(site.routes.length).toBeGreaterThan(5)
  })
})

describe('every page of the administrator', () => {
  const pages = () => site.pages.filter((path) => path === '/admin' || path.startsWith('/admin/'))
  const open = (path: string, cookie = '') =>
    fetch(`${copy.url}${fillAddress(path, values)}`, { headers: { cookie }, redirect: 'manual' })

  it('sends an anonymous user to sign in, and back to where they were going', async () => {
    for (const path of pages()) {
      const response = await open(path)
      const next = encodeURIComponent(fillAddress(path, values))
      expect([response.status, response.headers.get('location')]).toEqual([
        307,
        `/sign-in?next=${next}`,
      ])
      expect((await open(path, cookies.former)).status).toBe(307)
      swept.push(`  page    ${path}: anonymous, ended session`)
    }
    expect(pages().length).toBeGreaterThan(3)
  })

  it('shows a viewer no e-mail address but their own, and no stack trace', async () => {
    const told = async (path: string, cookie: string) =>
      (await (await open(path, cookie)).text()).match(/admin@example\.org|\n\s+at /g) ?? []
    for (const path of pages())
      expect([path, ...(await told(path, cookies.viewer))]).toEqual([path])
    expect(await told('/admin/accounts', cookies.admin)).toContain('admin@example.org')
  })

  it('hands a viewer no control that an administrator has', async () => {
    const mayNot = site.actions.filter(({ name }) => !(name in OPEN) && !(name in VIEWER_MAY))
    const handed = async (path: string, cookie: string) => {
      const html = await (await open(path, cookie)).text()
      return mayNot.filter(({ id }) => html.includes(id)).map(({ name }) => `${path}: ${name}`)
    }
    const [viewer, admin]: string[][] = [[], []]
    for (const path of pages()) {
      viewer?.push(...(await handed(path, cookies.viewer)))
      admin?.push(...(await handed(path, cookies.admin)))
    }
    expect(viewer).toEqual([])
    expect(admin?.length).toBeGreaterThan(3)
  })
})
