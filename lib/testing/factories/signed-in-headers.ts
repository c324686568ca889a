import { auth } from '#lib/server/accounts/auth.ts'

/** Headers of a browser that has just signed in, and the Set-Cookie header as received. */
export async function signedInHeaders(
  email: string,
  password: string,
): Promise<{ headers: Headers; setCookie: string }> {
  const body = { email, password }
  const response = await auth().api.signInEmail({ body, asResponse: true })
  const setCookie = response.headers.getSetCookie()[0] ?? ''
  const headers = new Headers({ cookie: setCookie.split(';')[0] ?? '' })
  return { headers, setCookie }
}
