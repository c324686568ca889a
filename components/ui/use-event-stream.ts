import { useEffect, useRef, useState } from 'react'

/** `broken` = it does not come about, and is tried again; `rests` = nobody looks, so it is closed. */
export type Connection = 'off' | 'opening' | 'live' | 'broken' | 'rests' | 'ended'

export type ReceivedEvent = { event: string; id: string; data: unknown }

type Stream = {
  /** Null = no stream is wanted. */
  url: string | null
  /** The id of the last event that is known already. */
  from: string
  events: readonly string[]
  onEvents: (received: ReceivedEvent) => void
}

const RETRY_MS = 2000
/** So many failures in a row, and the page is told. */
const PATIENCE = 2

/**
 * Server-sent events while the tab is looked at. Whatever breaks, it goes on behind the last event that came; it ends
 * at the event `end`.
 */
export function useEventStream({ url, from, events, onEvents }: Stream): Connection {
  const [connection, setConnection] = useState<Connection>('off')
  const place = useRef(from)
  const receive = useRef(onEvents)
  useEffect(() => {
    receive.current = onEvents
  }, [onEvents])

  useEffect(() => {
    if (url === null) return setConnection('off')
    let source: EventSource | null = null
    let retry: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    let ended = false
    const close = () => {
      clearTimeout(retry)
      source?.close()
      source = null
    }
    const open = () => {
      close()
      source = new EventSource(`${url}?from=${encodeURIComponent(place.current)}`)
      setConnection((before) => (before === 'broken' ? before : 'opening'))
      source.onopen = () => {
        failures = 0
        setConnection('live')
      }
      source.onerror = () => {
        failures += 1
        if (failures >= PATIENCE) setConnection('broken')
        // A browser gives up by itself only when it was refused, as by a server that is full.
        if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS)
      }
      for (const event of events) source.addEventListener(event, take)
    }
    const take = ({ type, lastEventId, data }: MessageEvent<string>) => {
      if (lastEventId) place.current = lastEventId
      const received = { event: type, id: lastEventId, data: JSON.parse(data) as unknown }
      receive.current(received)
      if (type !== 'end') return
      ended = true
      close()
      setConnection('ended')
    }
    const look = () => {
      if (ended) return
      if (document.visibilityState === 'visible') return source ?? open()
      close()
      setConnection('rests')
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      close()
    }
  }, [url, events])

  return connection
}
