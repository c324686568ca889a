'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useTransition } from 'react'

const INTERVAL_MS = 1500

/** Asks the server for the page again while something runs: never twice at once, never in a hidden tab. */
export function LiveRefresh({ active }: { active: boolean }) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()

  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') startTransition(() => router.refresh())
    }
    const timer = active && !pending ? setTimeout(refresh, INTERVAL_MS) : undefined
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [active, pending, router])

  return null
}
