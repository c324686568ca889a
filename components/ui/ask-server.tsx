'use client'

import { useRouter } from 'next/navigation'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { isServerReachable } from './reach-server.ts'
import { ServerLost } from './server-lost.tsx'

const RETRY_MS = 1500

type Ask = {
  /** Requests the page of the current URL again. */
  refresh: () => void
  /** Opens another page. */
  open: (href: string) => void
}

const AskContext = createContext<Ask | null>(null)

/** Provider for pages without a server: nothing is requested, and links are followed. */
export function WithoutServer({ children }: { children: ReactNode }) {
  return <AskContext value={NO_SERVER}>{children}</AskContext>
}

const NO_SERVER: Ask = { refresh: () => {}, open: (href) => window.location.assign(href) }

/**
 * Requests data for an open page. While the server is down, the page shows a message and retries. Next's router would
 * replace the page by the browser's error page, and the user's selections would be lost.
 */
export function AskServer({ children }: { children: ReactNode }) {
  return useContext(AskContext) === null ? <Asking>{children}</Asking> : children
}

function Asking({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [wanted, setWanted] = useState<(() => void) | null>(null)
  const [isLost, setLost] = useState(false)
  const ask = useCallback((act: () => void) => setWanted(() => act), [])

  useEffect(() => {
    if (wanted === null) return
    let isOver = false
    let timer: number | undefined
    const tryNow = async () => {
      const isReachable = await isServerReachable()
      if (isOver) return
      setLost(!isReachable)
      if (!isReachable) {
        timer = window.setTimeout(tryNow, RETRY_MS)
        return
      }
      setWanted(null)
      wanted()
    }
    void tryNow()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [wanted])

  const value = useMemo(
    () => ({
      refresh: () =>
        ask(() => {
          const { pathname, search, hash } = window.location
          router.replace(`${pathname}${search}${hash}`, { scroll: false })
        }),
      open: (href: string) => ask(() => window.location.assign(href)),
    }),
    [ask, router],
  )
  return (
    <AskContext value={value}>
      {children}
      <div role="status">{isLost ? <ServerLost /> : null}</div>
    </AskContext>
  )
}

/** Requests data from the enclosing `AskServer`. */
export function useAskServer(): Ask {
  const ask = useContext(AskContext)
  if (!ask) throw new Error('useAskServer is called outside of AskServer')
  return ask
}
