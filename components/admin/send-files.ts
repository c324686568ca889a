import { useRef, useState } from 'react'
import { parseObject } from '#lib/domain/text/index.ts'

/** The end of an upload: its preview page, a refusal with the reason, or stopped by the user. */
export type SentFiles =
  | { kind: 'sent'; page: string }
  | { kind: 'refused'; message: string }
  | { kind: 'stopped' }

/** Uploads a form's files, one upload at a time; `share` = the part that is sent, null = no upload. */
export function useSending(action: string) {
  const sending = useRef<AbortController | null>(null)
  const [share, setShare] = useState<number | null>(null)
  return {
    share,
    stop: () => sending.current?.abort(),
    /** Null = an upload is in progress. */
    async send(body: FormData): Promise<SentFiles | null> {
      if (sending.current) return null
      sending.current = new AbortController()
      setShare(0)
      const { signal } = sending.current
      const sent = await sendFiles({ action, body }, { onShare: setShare, signal })
      sending.current = null
      setShare(null)
      return sent
    },
  }
}

/** Uploads a form with files and reports the sent share, 0–1; `signal` stops it. */
function sendFiles(
  { action, body }: { action: string; body: FormData },
  { onShare, signal }: { onShare: (share: number) => void; signal: AbortSignal },
): Promise<SentFiles> {
  // Unlike `fetch`, it reports how much was sent.
  const request = new XMLHttpRequest()
  signal.addEventListener('abort', () => request.abort())
  return new Promise((resolve) => {
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
    request.onabort = () => resolve({ kind: 'stopped' })
    request.onerror = () => resolve({ kind: 'refused', message: NO_ANSWER })
    request.onload = () => {
      const { status, responseURL, responseText } = request
      if (status >= 200 && status < 300) resolve({ kind: 'sent', page: responseURL })
      else resolve({ kind: 'refused', message: describeRefusal(responseText) })
    }
    request.open('POST', action)
    request.send(body)
  })
}

const NO_ANSWER =
  'The server did not answer. Nothing is on the leaderboard before you commit it: send the files again.'

/** Extracts the message of a problem response of this server. */
export function describeRefusal(body: string): string {
  const detail = parseObject(body)?.detail
  return typeof detail === 'string' ? detail : NO_ANSWER
}
