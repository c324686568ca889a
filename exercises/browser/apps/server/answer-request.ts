import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppRequest, AppResponse } from '../app.ts'
import { parseCookies } from '../kit/cookies.ts'
import { documentPage } from '../kit/document.ts'
import { html } from '../kit/html.ts'
import { parseBody } from '../kit/parse-body.ts'
import { json } from '../kit/respond.ts'
import { dressPage, PAGE_EFFECTS } from './dress-page.ts'
import { OWN_FAULTS } from './fault.ts'
import type { Points } from './points.ts'
import type { Tenant } from './tenants.ts'

const STALL_MS = 3000

type House = { points: Points; readClient: (app: string, path: string) => AppResponse | null }

/** Answers a tenant's request, with its fault where it is the one; null = the answer is to be lost on the way. */
export async function answerRequest(
  tenant: Tenant,
  request: IncomingMessage,
  url: URL,
  { points, readClient }: House,
): Promise<AppResponse | null> {
  const method = request.method ?? 'GET'
  const path = url.pathname
  const parsed = await readRequest(request, url)
  const fault = tenant.fault?.take(method, path) ? tenant.fault : null
  const at = `${method} ${path}`
  if (fault) await beforeAnswer(tenant, fault.kind, at, points)
  if (fault?.kind === 'server-error') {
    fault.fire(`${at} was answered with 500`)
    return dressPage(errorAnswer(request), { tenant, request, path, readClient })
  }
  const answer = await tenant.app.handle(parsed, tenant.tools)
  if (fault?.kind === 'lost-response') {
    fault.fire(`${at} was answered with ${answer.status}, and the answer was thrown away`)
    return null
  }
  if (fault?.kind === 'stall') {
    fault.fire(`the answer to ${at} was held for ${STALL_MS} ms`)
    await sleep(STALL_MS)
  }
  return dressPage(answer, { tenant, request, path, readClient })
}

async function beforeAnswer(tenant: Tenant, kind: string, at: string, points: Points) {
  const { fault, app } = tenant
  if (!OWN_FAULTS.includes(kind)) {
    await points.reach(tenant.name, at, (evidence) => fault?.fire(evidence))
  }
  if (kind in PAGE_EFFECTS) tenant.effect = PAGE_EFFECTS[kind]?.file ?? null
  if (kind === 'session-expiry' && app.expireSessions) {
    app.expireSessions()
    fault?.fire(`every session ended before ${at} was answered`)
  }
}

async function readRequest(request: IncomingMessage, url: URL): Promise<AppRequest> {
  const method = request.method ?? 'GET'
  const cookies = parseCookies(request.headers.cookie)
  const { body, files } = await parseBody(request)
  return { method, path: url.pathname, query: url.searchParams, body, files, cookies }
}

/** The page of a server that failed; data for a module that asked for data. */
export function errorAnswer({ headers }: IncomingMessage): AppResponse {
  const wantsData = headers['sec-fetch-dest'] === 'empty'
  if (wantsData) return json({ error: 'Something went wrong on our side.' }, { status: 500 })
  const body = html`<main style="font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 16px">
<h1 style="font-size:1.5rem">Something went wrong</h1>
<p>The mistake is on our side. Go back and try again, or <a href="/">start over</a>.</p></main>`
  return documentPage({ title: 'Something went wrong', body }, { status: 500 })
}
