'use client'

import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useEffect } from 'react'
import { startBehaviour } from './behaviour/start.ts'
import { startTheme } from './behaviour/theme.ts'
import { replayEarlyInput } from './replay-early-input.ts'

/** Shared by all pages: the state of the address, keys and buttons, and a replay of input from before React took over. */
export function Providers({ children }: { children: ReactNode }) {
  useEffect(startBehaviour, [])
  useEffect(startMissingTheme, [])
  useEffect(replayEarlyInput, [])
  return <NuqsAdapter>{children}</NuqsAdapter>
}

/** A page that failed is drawn by the browser, which runs no script that is drawn. */
function startMissingTheme(): void {
  if (document.documentElement.dataset.theme === undefined) startTheme()
}
