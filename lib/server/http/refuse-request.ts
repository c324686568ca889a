import { isLoopback } from '../../domain/record/index.ts'
import { askedHost, isOwnAddress, type Site } from './own-origin.ts'

/** Why a request is refused: its status, and one sentence that says what to do. */
export type Refusal = { status: number; message: string; headers?: Record<string, string> }

type PageRequest = { method: string; headers: Headers }

/**
 * Refuses requests that Next would answer with 500, so that a stranger's mistake is not logged as an error. Null = the
 * request may continue. The host is checked where PROOFBOARD_URL says it; an address of another name is DNS rebinding.
 */
export function refusePage(request: PageRequest, site: Site): Refusal | null {
  return refuseHost(request.headers, site) ?? refuseMethod(request) ?? refuseAction(request, site)
}

/** Refuses a host that is neither that of the public address nor this machine. */
export function refuseHost(headers: Headers, { publicUrl, isBehindProxy }: Site): Refusal | null {
  if (publicUrl === null) return null
  // A proxy that does not say what it was asked for has a name of its own for this server.
  if (isBehindProxy && !headers.has('x-forwarded-host')) return null
  const asked = askedHost(headers, isBehindProxy)
  if (asked === null) return null
  const address = `http://${asked}`
  if (URL.canParse(address)) {
    const { hostname, href } = new URL(address)
    if (hostname === new URL(publicUrl).hostname || isLoopback(href)) return null
  }
  return { status: 421, message: `This server is not at that address: open ${publicUrl}` }
}

/** Pages are read; a POST is one of our forms, or a call of our scripts. */
function refuseMethod({ method, headers }: PageRequest): Refusal | null {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return null
  const isForm = /^multipart\/form-data\s*;/i.test(headers.get('content-type') ?? '')
  if (method === 'POST' && (isForm || headers.has('next-action'))) return null
  const message = `${method} is not allowed here. Send results to /api/v1/results.`
  return { status: 405, message, headers: { Allow: 'GET, HEAD' } }
}

/** The types that a browser sends with a call of an action. */
const ACTION_TYPE = /^(?:text\/plain|multipart\/form-data)\s*(?:;|$)/i

function refuseAction({ method, headers }: PageRequest, site: Site): Refusal | null {
  if (method !== 'POST') return null
  if (!isOwnAddress(headers.get('origin'), headers, site))
    return { status: 403, message: 'Cross-origin request refused.' }
  const type = headers.get('content-type') ?? ''
  if (!ACTION_TYPE.test(type) || (/^multipart/i.test(type) && !/boundary=/i.test(type)))
    return { status: 415, message: 'Send a form of this site.' }
  if ((headers.get('content-encoding') ?? 'identity') !== 'identity')
    return { status: 415, message: 'Send the form without compression.' }
  return null
}

/** The response to a form that no browser sends. */
export const UNREADABLE_FORM = 'The form could not be read: reload the page, then try again.'

/** Refuses a form that cannot be parsed; reads a copy of it, since the page reads the form itself. */
export async function refuseBody(request: Request): Promise<Refusal | null> {
  if (request.method !== 'POST') return null
  const copy = request.clone()
  try {
    if (/^text/i.test(request.headers.get('content-type') ?? '')) JSON.parse(await copy.text())
    else await copy.formData()
    return null
  } catch {
    return { status: 400, message: UNREADABLE_FORM }
  }
}
