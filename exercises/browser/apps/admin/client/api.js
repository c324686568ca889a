const SILENCE = 'The console got no answer. Look at the page again before you try once more.'

/**
 * Asks the server. Answers `{ ok, data, message }`; an answer that never came is told as such, because the change may
 * have been made all the same.
 */
export async function ask(method, path, body) {
  try {
    const response = await fetch(path, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const data = await response.json().catch(() => ({}))
    const message = data.message ?? 'Something went wrong on our side. Try again.'
    return { ok: response.ok, data, message }
  } catch {
    return { ok: false, data: {}, message: SILENCE }
  }
}
