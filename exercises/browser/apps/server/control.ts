import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AppResponse } from '../app.ts'
import { parseBody } from '../kit/parse-body.ts'
import { json, NOT_FOUND } from '../kit/respond.ts'
import type { Points } from './points.ts'
import { readTenantOrder } from './tenant-order.ts'
import type { Tenants } from './tenants.ts'

export const CONTROL_PATH = '/.control/'

/** Whether a request carries the harness's secret; takes as long for a wrong one as for the right one. */
export function createDoor(secret: string) {
  const wanted = createHash('sha256').update(secret).digest()
  return ({ headers }: IncomingMessage): boolean => {
    const given = createHash('sha256').update(String(headers['x-proofboard-control'] ?? ''))
    return timingSafeEqual(given.digest(), wanted)
  }
}

/** Answers the harness: POST tenants, GET tenants/:name, DELETE tenants/:name, POST points/:id. */
export async function answerControl(
  request: IncomingMessage,
  url: URL,
  house: { tenants: Tenants; points: Points; port: number },
): Promise<AppResponse> {
  const { tenants, points, port } = house
  const [what = '', name = ''] = url.pathname.slice(CONTROL_PATH.length).split('/')
  const { body } = await parseBody(request)
  if (what === 'points') {
    const evidence = typeof body.evidence === 'string' ? body.evidence : null
    return points.acknowledge(Number(name), evidence) ? json({}) : NOT_FOUND
  }
  if (what !== 'tenants') return NOT_FOUND
  if (request.method === 'POST') return openTenant(body, tenants, port)
  if (request.method === 'DELETE') return tenants.close(name) ? json({}) : NOT_FOUND
  const tenant = tenants.find(name)
  if (!tenant) return NOT_FOUND
  const { app, requests, fault } = tenant
  return json({ state: app.expose(), requests, firing: fault?.fired() ?? null })
}

function openTenant(body: Record<string, unknown>, tenants: Tenants, port: number): AppResponse {
  const order = readTenantOrder(body)
  if (!order) return json({ error: 'the order of a tenant cannot be read' }, { status: 400 })
  const opened = tenants.open(order, port)
  if (typeof opened === 'string') return json({ error: opened }, { status: 409 })
  return json({ origin: opened.tools.origin })
}
