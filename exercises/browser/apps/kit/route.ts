import type { AppRequest, AppResponse, AppTools } from '../app.ts'
import { NOT_FOUND } from './respond.ts'

export type Params = Readonly<Record<string, string>>
type Answer = AppResponse | Promise<AppResponse>

/** `GET /products/:id`: what answers it. */
export type Routes<State> = Readonly<
  Record<string, (state: State, request: AppRequest, tools: AppTools, params: Params) => Answer>
>

/** An app's `handle` made of its routes; the first that fits answers, none is a plain 404. */
export function route<State>(routes: Routes<State>) {
  const known = Object.entries(routes).map(([pattern, answer]) => {
    const [method = '', path = ''] = pattern.split(' ')
    return { method, parts: path.split('/'), answer }
  })
  return (state: State, request: AppRequest, tools: AppTools): Answer => {
    for (const { method, parts, answer } of known) {
      const params = method === request.method ? match(parts, request.path.split('/')) : null
      if (params) return answer(state, request, tools, params)
    }
    return NOT_FOUND
  }
}

function match(parts: readonly string[], path: readonly string[]): Params | null {
  if (parts.length !== path.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const given = path[index] ?? ''
    if (part.startsWith(':')) {
      const value = decode(given)
      if (value === null || value === '') return null
      params[part.slice(1)] = value
    } else if (part !== given) return null
  }
  return params
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
