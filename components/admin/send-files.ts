import { useRef, useState } from 'react'

/** How an upload ended: at the page that shows it, refused with the reason, or stopped by its sender. */
export type SentFiles =
  | { kind: 'sent'; page: string }
  | { kind: 'refused'; message: string }
  | { kind: 'stopped' }

/** Sends a form's files, once at a time; `share` = which part is on its way, null = nothing is sent. */
export function useSending(action: string) {
  const sending = useRef<AbortController | null>(null)
  const [share, setShare] = useState<number | null>(null)
  return {
    share,
    stop: () => sending.current?.abort(),
    /** Null = they are sent already. */
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

/** Sends a form with files and tells which share of it is on its way, 0 to 1; `signal` stops it. */
function sendFiles(
  { action, body }: { action: string; body: FormData },
  { onShare, signal }: { onShare: (share: number) => void; signal: AbortSignal },
): Promise<SentFiles> {
  // What `fetch` cannot: it does not tell how much was sent.
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

/** The sentence of a refusal as every route of this server writes it. */
export function describeRefusal(body: string): string {
  try {
    const { detail }: { detail?: unknown } = JSON.parse(body)
    return typeof detail === 'string' ? detail : NO_ANSWER
  } catch {
    return NO_ANSWER
  }
}
