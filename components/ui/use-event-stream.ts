import { useEffect, useRef, useState } from 'react'

/** `broken` = no connection, retried; `rests` = closed while the tab is hidden. */
export type Connection = 'off' | 'opening' | 'live' | 'broken' | 'rests' | 'ended'

export type ReceivedEvent = { event: string; id: string; data: unknown }

type Stream = {
  /** Null = no stream. */
  url: string | null
  /** The id of the last known event. */
  from: string
  events: readonly string[]
  onEvents: (received: ReceivedEvent) => void
}

const RETRY_MS = 2000
/** Number of consecutive failures before the page shows them. */
const PATIENCE = 2

/**
 * Receives server-sent events while the tab is visible. After a failure it continues after the last event; the event
 * `end` closes it.
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
        // Browsers stop retrying only when refused, for example by a server at its limit.
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
