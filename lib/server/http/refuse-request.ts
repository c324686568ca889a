import { isLoopback } from '../../domain/text/index.ts'
import { askedHost, isOwnAddress, type Site } from './own-origin.ts'

/** A refusal of a request: its status, and one sentence that says what to do. */
export type Refusal = { status: number; message: string; headers?: Record<string, string> }

type PageRequest = { method: string; headers: Headers }

/**
 * Refuses requests that Next would answer with 500, so that a client's mistake is not logged as an error. Null = the
 * request may continue. The host is checked when PROOFBOARD_URL is set; another name is DNS rebinding.
 */
export function refusePage(request: PageRequest, site: Site): Refusal | null {
  return refuseHost(request.headers, site) ?? refuseMethod(request) ?? refuseAction(request, site)
}

/** Refuses a host that is neither that of the public URL nor this machine. */
export function refuseHost(headers: Headers, { publicUrl, isBehindProxy }: Site): Refusal | null {
  if (publicUrl === null) return null
  // A proxy that does not forward the requested host has its own name for this server.
  if (isBehindProxy && !headers.has('x-forwarded-host')) return null
  const requested = askedHost(headers, isBehindProxy)
  if (requested === null) return null
  const address = `http://${requested}`
  if (URL.canParse(address)) {
    const { hostname, href } = new URL(address)
    if (hostname === new URL(publicUrl).hostname || isLoopback(href)) return null
  }
  return { status: 421, message: `This server is not at that address: open ${publicUrl}` }
}

/** Refuses methods that pages do not have; a POST is a form of this site, or a call of its scripts. */
function refuseMethod({ method, headers }: PageRequest): Refusal | null {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return null
  const isForm = /^multipart\/form-data\s*;/i.test(headers.get('content-type') ?? '')
  if (method === 'POST' && (isForm || headers.has('next-action'))) return null
  const message = `${method} is not allowed here. Send results to /api/v1/results.`
  return { status: 405, message, headers: { Allow: 'GET, HEAD' } }
}

/** Content types that a browser sends with a call of an action. */
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

/** Message for a form that no browser sends. */
export const UNREADABLE_FORM = 'The form could not be read: reload the page, then try again.'

/** Refuses a form that cannot be parsed. Reads a copy of it, since the page reads the form itself. */
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
