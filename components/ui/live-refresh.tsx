'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, useTransition } from 'react'
import { isServerReachable } from './reach-server.ts'
import { ServerLost } from './server-lost.tsx'

const INTERVAL_MS = 1500
/** The board is updated shortly after the last episode, so the page is refreshed a few more times. */
const LAST_LOOKS = 3
/** Longest duration of a form submission on these pages: making an example board. */
const LEAVING_MS = 30_000

/**
 * Refreshes the page while something runs: one request at a time, never in a hidden tab, while the page is being left,
 * or while the server is down. A response that is not a page would replace the current one.
 */
export function LiveRefresh({ active }: { active: boolean }) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const [isLost, setLost] = useState(false)
  const looks = useRef(0)
  const leavingUntil = useRef(0)

  useEffect(() => {
    if (active) looks.current = LAST_LOOKS
    let timer: number | undefined
    let isOver = false
    const wait = () => {
      clearTimeout(timer)
      timer = window.setTimeout(refresh, INTERVAL_MS)
    }
    const refresh = async () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible') return
      const isReachable = await isServerReachable()
      if (isOver) return
      setLost(!isReachable)
      if (!isReachable || performance.now() < leavingUntil.current) return wait()
      looks.current -= 1
      startTransition(() => router.refresh())
    }
    const leave = () => {
      leavingUntil.current = performance.now() + LEAVING_MS
    }
    if (looks.current > 0 && !pending) wait()
    document.addEventListener('visibilitychange', refresh)
    window.addEventListener('beforeunload', leave)
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', refresh)
      window.removeEventListener('beforeunload', leave)
    }
  }, [active, pending, router])

  return <div role="status">{isLost ? <ServerLost /> : null}</div>
}

/** Hint for pages with running jobs when scripts are disabled. */
export function ReloadHint() {
  return (
    <noscript>
      <p className="my-3 text-muted">
        Something is running. Without JavaScript this page does not follow it: reload it.
      </p>
    </noscript>
  )
}
