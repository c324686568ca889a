import type { IncomingMessage } from 'node:http'
import type { AppResponse } from '../app.ts'
import type { Tenant } from './tenants.ts'

/** Faults that happen in the page: the file in `kit/client/` that makes them, and what to say of it. */
export const PAGE_EFFECTS: Readonly<Record<string, { file: string; what: string }>> = {
  'slow-dom': { file: 'build-up.js', what: 'was delivered and built itself up over 2 s' },
  're-render': { file: 'refresh.js', what: 'drew its controls anew every 100 ms for 1.8 s' },
  overlay: { file: 'notice.js', what: 'was covered by a notice' },
}

type ReadClient = (app: string, path: string) => AppResponse | null
type Dressing = { tenant: Tenant; request: IncomingMessage; path: string; readClient: ReadClient }

/**
 * Puts what the tenant's fault needs into an answer: its effect into the next page, or sent to the open pages when the
 * answer is none; a listener into every page of a tenant whose fault may have to reach an open one.
 */
export function dressPage(answer: AppResponse, dressing: Dressing): AppResponse {
  const { tenant, request, path, readClient } = dressing
  const { fault } = tenant
  const effect = fault && PAGE_EFFECTS[fault.kind]
  if (!fault || !effect) return answer
  if (!isPage(answer, request)) {
    tellOpenPages(answer, request, tenant)
    return answer
  }
  if (tenant.effect === null) {
    const mayBeTold = fault.fired() === null && fault.kind !== 'slow-dom'
    return mayBeTold ? inject(answer, '<script src="/client/kit/live.js"></script>') : answer
  }
  tenant.effect = null
  const script = readClient(tenant.appName, `/client/kit/${effect.file}`)
  if (!script) throw new Error(`${effect.file} is not there`)
  fault.fire(`the page of ${request.method} ${path} ${effect.what}`)
  const held = fault.kind === 'slow-dom' ? holdModules(answer) : answer
  return inject(held, `<script>${script.body.toString()}</script>`)
}

function tellOpenPages(answer: AppResponse, request: IncomingMessage, tenant: Tenant): void {
  const { effect, fault, streams } = tenant
  const isNavigation = request.headers['sec-fetch-mode'] === 'navigate' || isRedirect(answer)
  if (!effect || !fault || isNavigation || fault.kind === 'slow-dom' || streams.count() === 0)
    return
  tenant.effect = null
  streams.send('kit', { file: effect })
  fault.fire(`${streams.count()} open page(s) were told; each ${PAGE_EFFECTS[fault.kind]?.what}`)
}

function isRedirect({ status }: AppResponse): boolean {
  return status >= 300 && status < 400
}

/** A whole page of the browser, no frame in one and no part of one. */
function isPage({ type, body }: AppResponse, { headers }: IncomingMessage): boolean {
  const isFrame = headers['sec-fetch-dest'] === 'iframe' || headers['sec-fetch-dest'] === 'empty'
  return type.startsWith('text/html') && !isFrame && body.includes('</body>')
}

function holdModules(answer: AppResponse): AppResponse {
  const body = answer.body
    .toString()
    .replaceAll('<script type="module"', '<script type="text/later"')
  return { ...answer, body }
}

function inject(answer: AppResponse, script: string): AppResponse {
  const body = answer.body.toString()
  const at = body.lastIndexOf('</body>')
  return { ...answer, body: `${body.slice(0, at)}${script}\n${body.slice(at)}` }
}
