'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useTransition } from 'react'

const INTERVAL_MS = 1500
/** The board is counted a moment after the last episode: look a few times more before resting. */
const LAST_LOOKS = 3

/** Asks the server for the page again while something runs: never twice at once, never in a hidden tab. */
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
