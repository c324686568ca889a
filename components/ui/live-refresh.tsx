'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useTransition } from 'react'

const INTERVAL_MS = 1500
/** The board is updated shortly after the last episode, so it is refreshed a few more times. */
const LAST_LOOKS = 3

/** Refreshes the page while something runs: one request at a time, never in a hidden tab. */
export function LiveRefresh({ active }: { active: boolean }) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const looks = useRef(0)

  useEffect(() => {
    if (active) looks.current = LAST_LOOKS
    const refresh = () => {
      if (document.visibilityState !== 'visible') return
      looks.current -= 1
      startTransition(() => router.refresh())
    }
    const timer = looks.current > 0 && !pending ? setTimeout(refresh, INTERVAL_MS) : undefined
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [active, pending, router])

  return null
}
