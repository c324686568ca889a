'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useTransition } from 'react'

const INTERVAL_MS = 1500
/** The board is updated shortly after the last episode, so it is refreshed a few more times. */
const LAST_LOOKS = 3
/** Making an example board takes the longest of what a form on these pages does. */
const LEAVING_MS = 30_000

/**
 * Refreshes the page while something runs: one request at a time, never in a hidden tab, nor while the page is being left:
 * an answer that fits it no more would load it anew, instead of the one it was left for.
 */
export function LiveRefresh({ active }: { active: boolean }) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const looks = useRef(0)
  const leavingUntil = useRef(0)

  useEffect(() => {
    if (active) looks.current = LAST_LOOKS
    let timer: number | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = window.setTimeout(refresh, INTERVAL_MS)
    }
    const refresh = () => {
      if (document.visibilityState !== 'visible') return
      if (performance.now() < leavingUntil.current) return wait()
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
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', refresh)
      window.removeEventListener('beforeunload', leave)
    }
  }, [active, pending, router])

  return null
}
