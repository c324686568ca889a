/**
 * Asks the server and answers `{ ok, data }`; `data.message` says what is wrong. Who is not signed in any more goes to
 * the sign-in page and comes back here.
 */
export async function ask(method, path, body) {
  try {
    const response = await fetch(path, { method, ...write(body) })
    if (response.status === 401) {
      const here = `${location.pathname}${location.search}`
      location.assign(`/signin?next=${encodeURIComponent(here)}`)
      return { ok: false, data: { message: 'Please sign in again.' } }
    }
    if (response.status >= 500) return { ok: false, data: { message: BROKEN } }
    return { ok: response.ok, data: await response.json() }
  } catch {
    return { ok: false, data: { message: LOST } }
  }
}

const BROKEN = 'Something went wrong on our side and nothing was saved. Please try again.'
const LOST = 'The connection was lost. Reload the page to see whether it was saved.'

function write(body) {
  if (body === undefined) return {}
  if (body instanceof FormData) return { body }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
