import type { AppResponse } from '../app.ts'

/** The one 404 of the house: an unknown path, an unknown host and a closed door look alike. */
export const NOT_FOUND: AppResponse = {
  status: 404,
  type: 'text/plain; charset=utf-8',
  body: 'Not found\n',
}

export function json(
  data: unknown,
  { status = 200, headers }: { status?: number; headers?: Record<string, string> } = {},
): AppResponse {
  const type = 'application/json; charset=utf-8'
  return { status, type, body: JSON.stringify(data), ...(headers && { headers }) }
}

/** Goes on at `path` with a GET. */
export function redirect(path: string, headers: Record<string, string> = {}): AppResponse {
  return {
    status: 303,
    type: 'text/plain; charset=utf-8',
    body: '',
    headers: { ...headers, location: path },
  }
}

/** A file that the browser saves. */
export function attachment(name: string, type: string, body: Buffer | string): AppResponse {
  const safe = name.replace(/[^\w.-]/g, '_')
  return {
    status: 200,
    type,
    body,
    headers: { 'content-disposition': `attachment; filename="${safe}"` },
  }
}
