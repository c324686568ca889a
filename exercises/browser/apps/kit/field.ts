import type { AppRequest } from '../app.ts'

/** A text field of the body, trimmed and at most `most` characters; '' when it is missing or no text. */
export function textField({ body }: AppRequest, name: string, most = 500): string {
  const value = body[name]
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first.trim().slice(0, most) : ''
}

/** All values of a field that may be given several times: ticked boxes, a JSON list of texts. */
export function textFields({ body }: AppRequest, name: string): string[] {
  const value = body[name]
  const all = Array.isArray(value) ? value : [value]
  return all.filter((one) => typeof one === 'string').slice(0, 500)
}
