import { request } from 'node:http'
import { AppServerError } from './app-server-error.ts'

const ANSWER_WITHIN_MS = 10_000

export type ControlAnswer = { status: number; body: unknown }

/** Asks the app server's control endpoint at 127.0.0.1. Rejects with AppServerError when nothing sensible comes back. */
export type AskControl = (method: string, path: string, body?: object) => Promise<ControlAnswer>

export function createControlClient(port: number, secret: string): AskControl {
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new AppServerError(`${method} ${path}: ${why}`))
      const text = body === undefined ? '' : JSON.stringify(body)
      const asked = request(
        {
          host: '127.0.0.1',
          port,
          method,
          path: `/.control/${path}`,
          headers: {
            'x-proofboard-control': secret,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
          },
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', ({ message }) => fail(message))
          response.on('end', () => {
            const parsed = parse(Buffer.concat(chunks).toString('utf8'))
            resolve({ status: response.statusCode ?? 0, body: parsed })
          })
        },
      )
      asked.on('error', ({ message }) => fail(message))
      asked.end(text)
    })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
